import { DAY_MS } from '../../../core/lib/time.ts';

/** A line of a signature: its points `[x, y]`. */
export type Stroke = [x: number, y: number][];

/** The box of a signature. The origin is the upper left corner. */
export const SIGNATURE_BOX = { width: 1_000, height: 400 } as const;
/** Limits of one signature, so that every proof stays small. Bytes are of the JSON of the strokes. */
export const STROKES_MAXIMUM = 100;
export const POINTS_MAXIMUM = 2_000;
export const STROKES_BYTES_MAXIMUM = 32_768;
/** Signatures of a load, including superseded ones. */
export const SIGNATURES_MAXIMUM = 20;
export const SIGNER_NAME_LENGTH = 200;
/** How long a signing link works. It is also the time after completion in which a load can be signed with a link. */
export const SIGNING_MS = 30 * DAY_MS;
