import { z } from '@hono/zod-openapi';
import { optionalOr } from '../../core/http/schema.ts';

/** Maximum number of scans of each kind in one simulation. */
export const SIMULATED_SCANS_MAXIMUM = 5_000;
/** Longest pause between two scans. */
export const PACE_MAXIMUM_MS = 5_000;

const count = z.int().min(0).max(SIMULATED_SCANS_MAXIMUM);

/** Body of POST /gate/{gateExternalId}/simulation. */
export const simulationSchema = z
  .strictObject({
    loadPallets: optionalOr(z.union([count, z.literal('ALL')]), 0)
      .describe('Number of pallets to load that are in progress at the gate and not loaded yet, or `ALL`')
      .openapi({ example: 'ALL' }),
    wrongPallets: optionalOr(count, 0).describe(
      'Number of pallets that do not belong there, if there are enough',
    ),
    unknownMarkers: optionalOr(count, 0).describe('Number of markers that are not allocated'),
    paceMilliseconds: optionalOr(z.int().min(0).max(PACE_MAXIMUM_MS), 0).describe('Pause between two scans'),
  })
  .openapi('Simulation');
