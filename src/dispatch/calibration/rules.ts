import { sha256Hex, tagListed } from '../../core/lib/hash.ts';

/** The kinds of calibration. */
export const CALIBRATION_TYPES = ['INTRINSIC', 'EXTRINSIC', 'DISTORTION', 'HAND_EYE', 'COLOR'] as const;
export type CalibrationType = (typeof CALIBRATION_TYPES)[number];

/** The name of a file within an organization. */
export interface CalibrationName {
  hardwareId: string;
  type: CalibrationType;
}

/** The conditions of a write; null where the header was not sent. */
export interface Conditions {
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

/** The strong entity tag of a file, derived from its bytes. */
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
 * The key of an object. The version is new for every upload, so that none overwrites the object of another. It is
 * hashed, because R2 treats `../../` as text and limits keys to 1,024 bytes.
 */
export function objectKeyOf(organization: string, { hardwareId, type }: CalibrationName, version: string) {
  return `calibration/${sha256Hex(JSON.stringify([organization, hardwareId, type, version]))}`;
}
