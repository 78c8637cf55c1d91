import { env } from 'cloudflare:workers';
import { mark, scan } from './commands-loading.ts';
import { backorder, create as createManifest, status as manifestStatus } from './commands-manifest.ts';
import { create as createShipment, status } from './commands-shipment.ts';
import { allocate, couple, putGate } from './commands-track.ts';

const settings = env as unknown as { MODEL_SEED?: string; MODEL_RUNS?: string };

/** Whether the environment leaves MODEL_SEED and MODEL_RUNS at their defaults. */
export const IS_USUAL = settings.MODEL_SEED === undefined && settings.MODEL_RUNS === undefined;
export const SEED = Number(settings.MODEL_SEED ?? 20261121);
export const runs = (usual: number): number => Number(settings.MODEL_RUNS ?? usual);
/** Time limit for a search. A failing history is then reported, even if it could still be shortened. */
export const PATIENCE_MS = 240_000;

export const STARTS = [
  'without a gate',
  'ready',
  'loading',
  'loading',
  'wrongly loaded',
  'dispatched',
  'with a back order',
  'alone',
  'alone',
  'closed',
] as const;

const STRAY = { scanId: 'first', markerCode: 3, direction: 'LOAD' } as const;

const isDispatched = (kind: (typeof STARTS)[number]): boolean =>
  kind === 'dispatched' || kind === 'with a back order';

/**
 * The steps before every history. They couple pallets P, Q and X and plan manifest O (P). Shipment S holds M (P, Q)
 * and N (Q, R). It has no gate, is ready at G, is loading there, or is dispatched with Q loaded. For `alone`, L (R)
 * is in no shipment and is loading at H, where X was scanned. `with a back order`: S is dispatched, and B has what is
 * left of N. `wrongly loaded`: S is loading, and X was scanned.
 * `closed`: S has no gate, O is cancelled, and L (R) is completed with R loaded. Neither O nor L is in a shipment.
 */
export const start = (kind: (typeof STARTS)[number]) => [
  putGate('G'),
  putGate('H'),
  allocate(4),
  couple(1, 'P'),
  couple(2, 'Q'),
  couple(3, 'X'),
  createManifest('M', ['P', 'Q']),
  createManifest('N', ['Q', 'R']),
  createManifest('O', ['P']),
  createShipment('S', {
    manifests: ['M', 'N'],
    ...(kind === 'without a gate' || kind === 'closed' ? {} : { gateIdentifier: 'G' }),
  }),
  ...(kind === 'loading' || kind === 'wrongly loaded' || isDispatched(kind)
    ? [status('S', 'IN_PROGRESS')]
    : []),
  ...(kind === 'wrongly loaded' ? [scan('G', STRAY)] : []),
  ...(isDispatched(kind)
    ? [mark('S', { by: 'track', wmsId: 'Q' }, { status: 'LOADED' }, false), status('S', 'COMPLETED')]
    : []),
  ...(kind === 'with a back order' ? [backorder('N', 'B')] : []),
  ...(kind === 'alone'
    ? [createManifest('L', ['R'], 'TO_DO', 'H'), manifestStatus('L', 'IN_PROGRESS'), scan('H', STRAY)]
    : []),
  ...(kind === 'closed'
    ? [
        manifestStatus('O', 'CANCELLED'),
        createManifest('L', ['R'], 'TO_DO', 'H'),
        manifestStatus('L', 'IN_PROGRESS'),
        mark('manifest L', { by: 'track', wmsId: 'R' }, { status: 'LOADED' }, false),
        manifestStatus('L', 'COMPLETED'),
      ]
    : []),
];
