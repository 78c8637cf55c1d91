import { z } from '@hono/zod-openapi';

/** Maximum number of scans of each kind in one simulation. */
export const SIMULATED_SCANS_MAXIMUM = 5_000;
/** Longest pause between two scans. */
export const PACE_MAXIMUM_MS = 5_000;

const count = z.int().min(0).max(SIMULATED_SCANS_MAXIMUM);

/** Body of POST /gate/{gateExternalId}/simulation. */
export const simulationSchema = z
  .strictObject({
    loadPallets: z
      .union([count, z.literal('ALL')])
      .default(0)
      .describe('Number of pallets to load that are in progress at the gate and not loaded yet, or `ALL`')
      .openapi({ example: 'ALL' }),
    wrongPallets: count
      .default(0)
      .describe('Number of pallets that do not belong there, if there are enough'),
    unknownMarkers: count.default(0).describe('Number of markers that are not allocated'),
    paceMilliseconds: z.int().min(0).max(PACE_MAXIMUM_MS).default(0).describe('Pause between two scans'),
  })
  .openapi('Simulation');
