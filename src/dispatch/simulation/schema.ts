import { z } from '@hono/zod-openapi';

/** The most scans of each kind in one simulation. */
export const SIMULATED_SCANS_MAXIMUM = 5_000;
/** The longest pause between two scans. */
export const PACE_MAXIMUM_MS = 5_000;

const count = z.int().min(0).max(SIMULATED_SCANS_MAXIMUM);

/** Body of POST /gate/{gateExternalId}/simulation. */
export const simulationSchema = z
  .strictObject({
    loadPallets: z
      .union([count, z.literal('ALL')])
      .default(0)
      .describe('How many of the pallets that are in progress at the gate and not loaded yet, or `ALL`')
      .openapi({ example: 'ALL' }),
    wrongPallets: count
      .default(0)
      .describe('How many pallets that do not belong there, if there are that many'),
    unknownMarkers: count.default(0).describe('How many markers that nobody has allocated'),
    paceMilliseconds: z.int().min(0).max(PACE_MAXIMUM_MS).default(0).describe('Pause between two scans'),
  })
  .openapi('Simulation');
