import type fc from 'fast-check';
import { LOADING_STEPS } from './commands-loading.ts';
import { MANIFEST_STEPS } from './commands-manifest.ts';
import { PHOTO_STEPS } from './commands-photo.ts';
import { SHIPMENT_STEPS } from './commands-shipment.ts';
import { TRACK_STEPS } from './commands-track.ts';
import type { Look, Step } from './step.ts';

/** The steps of histories, each with its weight. */
export const STEPS: [number, fc.Arbitrary<Step | Look>][] = [
  ...TRACK_STEPS,
  ...MANIFEST_STEPS,
  ...SHIPMENT_STEPS,
  ...LOADING_STEPS,
  ...PHOTO_STEPS,
];
