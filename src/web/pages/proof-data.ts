import { canonicalJson, sha256Hex } from '../../core/lib/hash.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { changesSince, type SignedFacts } from '../../dispatch/load/shared/signature-rules.ts';
import { type ProofSignature, presentSignedFor } from '../../dispatch/load/shared/signature-store.ts';
import { referenceShown, type StoredPhoto } from '../../dispatch/photo/store.ts';
import type { Load } from './published-store.ts';
import { PHOTOS_SHOWN_MAXIMUM, type Proof } from './read-load.ts';
import { countsOf, recordsOf } from './rules.ts';
import type { Overview, Subject } from './store.ts';

/**
 * The data of a proof of shipment (`proofSchema`): everything in the document, in the terms of the
 * API. It contains nothing that changes by itself. So it leaves out whether a pallet is damaged:
 * the pallet may be damaged or repaired after dispatch.
 */
export function proofData({ kind }: Pick<Load, 'kind'>, proof: Proof) {
  const { subject, members } = proof;
  const records = Map.groupBy(proof.records, ({ manifestUuid }) => manifestUuid);
  const shown = members.filter(
    (member) => records.has(member.manifestUuid) || (proof.part === 1 && recordsOf(member) === 0),
  );
  return {
    kind,
    organizationName: subject.organizationName,
    externalIdentifier: subject.externalIdentifier,
    status: 'COMPLETED' as const,
    gate:
      subject.gateExternalId === null
        ? null
        : { externalIdentifier: subject.gateExternalId, name: subject.gateName },
    ...transportOf(subject),
    createDate: isoDate(subject.createDate),
    activateDate: isoDate(subject.activateDate),
    closeDate: isoDate(subject.closeDate),
    revision: proof.correctionsCount,
    part: proof.part,
    parts: proof.parts,
    counts: countsOf(members),
    manifests: shown.map(({ manifestUuid, manifestExternalId, manifestStatus }) => ({
      manifestExternalId,
      manifestStatus,
      records: (records.get(manifestUuid) ?? []).map((record) => ({
        trackIdentifier: record.trackIdentifier,
        markerCode: record.markerCode,
        loadingStatus: record.loadingStatus,
        loadingDate: isoDateOrNull(record.loadingDate),
      })),
    })),
    ...photosOf(proof.photos ?? []),
    corrections: proof.corrections.map(({ number, date, ...correction }) => ({
      revision: number,
      date: isoDate(date),
      ...correction,
    })),
    ...signaturesOf(proof.signatures ?? [], signedFactsOf(proof)),
  };
}

/** Carrier, vehicle, seal and planned departure of a shipment. Without any, `transport` is missing. */
function transportOf({ carrier = null, vehicle = null, seal = null, plannedDepartureDate = null }: Subject) {
  const transport = { carrier, vehicle, seal, plannedDepartureDate: isoDateOrNull(plannedDepartureDate) };
  return Object.values(transport).some((value) => value !== null) ? { transport } : {};
}

/** A photo in the data. */
const photoData = (photo: StoredPhoto) => ({
  kind: photo.kind,
  ...referenceShown(photo),
  contentType: photo.contentType,
  sizeBytes: photo.sizeBytes,
  width: photo.width,
  height: photo.height,
  sha256: photo.sha256,
  takenDate: isoDateOrNull(photo.takenDate),
  createDate: isoDate(photo.createDate),
});

/** The first photos of a load. Without any, the member is missing. */
const photosOf = (photos: readonly StoredPhoto[]): { photos?: ReturnType<typeof photoData>[] } =>
  photos.length === 0 ? {} : { photos: photos.slice(0, PHOTOS_SHOWN_MAXIMUM).map(photoData) };

/** The facts of the load that a signature is compared with. */
export const signedFactsOf = ({ subject, members, correctionsCount }: Overview): SignedFacts => {
  const { loadedAssetsCount, totalAssetsCount, wronglyLoadedCount, unknownLoadingCount } = countsOf(members);
  const { carrier = null, vehicle = null, seal = null, plannedDepartureDate = null } = subject;
  return {
    loadedAssetsCount,
    totalAssetsCount,
    invalidCount: wronglyLoadedCount + unknownLoadingCount,
    recordChanges: subject.recordChanges,
    ...{ carrier, vehicle, seal, plannedDepartureDate },
    revision: correctionsCount,
  };
};

/** A signature in the data. */
const signatureData = (each: ProofSignature, later: readonly ProofSignature[], now: SignedFacts) => ({
  uuid: each.uuid,
  role: each.role,
  name: each.name,
  signDate: isoDate(each.signDate),
  createDate: isoDate(each.createDate),
  superseded: later.some(({ role }) => role === each.role),
  signedFor: presentSignedFor(each.signedFor),
  changedSince: changesSince(each.signedFor, now),
  strokes: each.strokes,
});

/**
 * The signatures of a load, and the digest of these data before the last one, if it was added after completion. Without
 * signatures, both members are missing.
 */
function signaturesOf(signatures: readonly ProofSignature[], now: SignedFacts): SignedData {
  const last = signatures.at(-1);
  if (!last) return {};
  return {
    signatures: signatures.map((each, index) => signatureData(each, signatures.slice(index + 1), now)),
    ...(last.signedFor.digest === null ? {} : { previousDigest: last.signedFor.digest }),
  };
}

interface SignedData {
  signatures?: ReturnType<typeof signatureData>[];
  previousDigest?: string;
}

export type ProofData = ReturnType<typeof proofData>;

/** The canonical JSON of the data (RFC 8785), and its SHA-256. */
export function digestOf(data: ProofData): { canonical: string; digest: string } {
  const canonical = canonicalJson(data);
  return { canonical, digest: sha256Hex(canonical) };
}
