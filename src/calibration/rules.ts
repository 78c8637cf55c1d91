import { sha256Hex, tagListed } from '../lib/hash.ts';

/** What a camera can be calibrated in. */
export const CALIBRATION_TYPES = ['INTRINSIC', 'EXTRINSIC', 'DISTORTION', 'HAND_EYE', 'COLOR'] as const;
export type CalibrationType = (typeof CALIBRATION_TYPES)[number];

/** Which file of an organization. */
export interface CalibrationName {
  hardwareId: string;
  type: CalibrationType;
}

/** What a caller makes its write depend on; null where the header was not sent. */
export interface Conditions {
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

/** Strong entity tag of a file: its bytes alone decide it. */
export const calibrationTag = (sha256: string): string => `"${sha256}"`;

/**
 * Whether a write's conditions hold for the file with this tag, null for no file: If-Match wants one that it
 * names, If-None-Match wants none (RFC 9110 sections 13.1.1 and 13.1.2).
 */
export function conditionsHold(tag: string | null, { ifMatch, ifNoneMatch }: Conditions): boolean {
  if (ifMatch !== null && (tag === null || !tagListed(ifMatch, tag))) return false;
  return ifNoneMatch === null || tag === null || !tagListed(ifNoneMatch, tag, true);
}

/**
 * Key of an object. The version is new for every upload, so that none ever touches the object of another;
 * hashed, because R2 takes `../` for text and no key over 1,024 bytes.
 */
export function objectKeyOf(organization: string, { hardwareId, type }: CalibrationName, version: string) {
  return `calibration/${sha256Hex(JSON.stringify([organization, hardwareId, type, version]))}`;
}
