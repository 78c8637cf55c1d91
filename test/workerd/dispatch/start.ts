import { env } from 'cloudflare:workers';
import { create as createManifest } from './commands-manifest.ts';
import { create as createShipment, status } from './commands-shipment.ts';
import { allocate, couple, putGate } from './commands-track.ts';

const settings = env as unknown as { MODEL_SEED?: string; MODEL_RUNS?: string };

/** Seed and number of the histories: MODEL_SEED and MODEL_RUNS of the environment. */
export const SEED = Number(settings.MODEL_SEED ?? 20261121);
export const runs = (usual: number): number => Number(settings.MODEL_RUNS ?? usual);
/** A failing history is reported as far as it was shrunk by then. */
export const PATIENCE_MS = 240_000;

const TO_DO = [
  putGate('G'),
  putGate('H'),
  allocate(4),
  couple(1, 'P'),
  couple(2, 'Q'),
  couple(3, 'X'),
  createManifest('M', ['P', 'Q']),
  createManifest('N', ['Q', 'R']),
  createManifest('O', ['P']),
  createShipment('S', { manifests: ['M', 'N'], gateIdentifier: 'G' }),
];

/**
 * What every history starts from: pallets P, Q and X coupled, shipment S of M (P, Q) and N (Q, R) about to be loaded
 * at G, or loading; O (P) is planned.
 */
export const start = (loading: boolean) => (loading ? [...TO_DO, status('S', 'IN_PROGRESS')] : TO_DO);
