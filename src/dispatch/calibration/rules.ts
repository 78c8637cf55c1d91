import { sha256Hex, tagListed } from '../../core/lib/hash.ts';
import { quoted } from '../../core/lib/missing.ts';

export const CALIBRATION_TYPES = ['INTRINSIC', 'EXTRINSIC', 'DISTORTION', 'HAND_EYE', 'COLOR'] as const;
type CalibrationType = (typeof CALIBRATION_TYPES)[number];

/** The name of a file within an organization. */
export interface CalibrationName {
  hardwareId: string;
  type: CalibrationType;
}

/** A file as messages name it. */
export const namedFile = ({ hardwareId, type }: CalibrationName): string =>
  `${type} calibration file of camera ${quoted(hardwareId)}`;

/** The text of the refusal of a file that does not exist. */
export const noFile = (name: CalibrationName): string => `The ${namedFile(name)} does not exist.`;

/** The conditions of a write. Null if the request does not have the header. */
export interface Conditions {
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

/** The strong entity tag of a file, made from the hash of its bytes. */
export const calibrationTag = (sha256: string): string => `"${sha256}"`;

/**
 * Whether the conditions of a write hold for the file with this tag (null: no file). If-Match
 * requires a file with one of its tags. If-None-Match requires that no such file exists (RFC 9110,
 * sections 13.1.1 and 13.1.2).
 */
export function conditionsHold(tag: string | null, { ifMatch, ifNoneMatch }: Conditions): boolean {
  if (ifMatch !== null && (tag === null || !tagListed(ifMatch, tag))) return false;
  return ifNoneMatch === null || tag === null || !tagListed(ifNoneMatch, tag);
}

/**
 * The key of an object. Each upload has its own version, so it never overwrites another object. The
 * key is a hash: R2 treats `../../` as text and limits keys to 1,024 bytes.
 */
export function objectKeyOf(organization: string, { hardwareId, type }: CalibrationName, version: string) {
  return `calibration/${sha256Hex(JSON.stringify([organization, hardwareId, type, version]))}`;
}
