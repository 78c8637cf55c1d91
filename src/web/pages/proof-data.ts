import { canonicalJson, sha256Hex } from '../../core/lib/hash.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { referenceShown, type StoredPhoto } from '../../dispatch/photo/store.ts';
import type { ProofSignature } from '../../dispatch/signature/store.ts';
import type { PublishedLoad } from './published-store.ts';
import { PHOTOS_SHOWN_MAXIMUM, type Proof } from './read-load.ts';
import { countsOf, recordsOf } from './rules.ts';
import type { Subject } from './store.ts';

/**
 * The data of a proof of shipment (`proofSchema`): everything in the document, in the terms of the
 * API. It contains nothing that changes by itself. So it leaves out whether a pallet is damaged:
 * the pallet may be damaged or repaired after dispatch.
 */
export function proofData(published: PublishedLoad, proof: Proof) {
  return signedData(loadData(published, proof), proof.signatures ?? []);
}

/** The same without signatures. */
function loadData({ kind, organizationName }: PublishedLoad, proof: Proof) {
  const { subject, members } = proof;
  const records = Map.groupBy(proof.records, ({ manifestUuid }) => manifestUuid);
  const shown = members.filter(
    (member) => records.has(member.manifestUuid) || (proof.part === 1 && recordsOf(member) === 0),
  );
  return {
    kind,
    organizationName,
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
  };
}

/**
 * Carrier, vehicle, seal and planned departure of a shipment, if custom fields with these roles
 * have a value. Without any, `transport` is missing. So a digest stays valid if it was made before any field had
 * such a role.
 */
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

/**
 * The photos of a load. Without any, the member is missing, so that a digest without photos stays valid. The data do not
 * say whether there are more photos: a photo that is not in the data must not change their digest.
 */
const photosOf = (photos: readonly StoredPhoto[]): { photos?: ReturnType<typeof photoData>[] } =>
  photos.length === 0 ? {} : { photos: photos.slice(0, PHOTOS_SHOWN_MAXIMUM).map(photoData) };

type LoadData = ReturnType<typeof loadData>;

/** A signature in the data. */
const signatureData = (each: ProofSignature, later: readonly ProofSignature[]) => ({
  uuid: each.uuid,
  role: each.role,
  name: each.name,
  signDate: isoDate(each.signDate),
  createDate: isoDate(each.createDate),
  superseded: later.some(({ role }) => role === each.role),
  strokes: each.strokes,
});

/** The signatures of a load. Without any, both members are missing, so that a digest without signatures stays valid. */
export interface SignedData {
  signatures?: ReturnType<typeof signatureData>[];
  /** The digest of these data without the last signature, if the load was completed before that signature. */
  previousDigest?: string;
}

/**
 * Add signatures to the data. Each signature after completion gives the data a new digest, and the data name the
 * digest before. The text of the other members is computed once, because there may be thousands of pallets.
 */
function signedData(data: LoadData, signatures: readonly ProofSignature[]): LoadData & SignedData {
  const firstAfter = signatures.findIndex(({ afterClose }) => afterClose === 1);
  const textOf = once(() => memberTexts(data));
  let signed = withSignatures(signatures.slice(0, firstAfter < 0 ? signatures.length : firstAfter));
  for (let count = firstAfter; firstAfter >= 0 && count < signatures.length; count += 1) {
    const previousDigest = sha256Hex(objectText({ ...textOf(), ...memberTexts(signed) }));
    signed = { ...withSignatures(signatures.slice(0, count + 1)), previousDigest };
  }
  return { ...data, ...signed };
}

const withSignatures = (signatures: readonly ProofSignature[]): SignedData =>
  signatures.length === 0
    ? {}
    : { signatures: signatures.map((each, index) => signatureData(each, signatures.slice(index + 1))) };

/** The canonical JSON of each member. */
const memberTexts = (members: object): Record<string, string> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, canonicalJson(value)]));

/** The canonical JSON of an object with these members. */
const objectText = (texts: Record<string, string>): string =>
  `{${Object.keys(texts)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${texts[name]}`)
    .join(',')}}`;

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export type ProofData = ReturnType<typeof proofData>;

/** The canonical JSON of the data (RFC 8785), and its SHA-256. */
export function digestOf(data: ProofData): { canonical: string; digest: string } {
  const canonical = canonicalJson(data);
  return { canonical, digest: sha256Hex(canonical) };
}
