import { canonicalJson, sha256Hex } from '../../core/lib/hash.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import type { Proof } from './read-load.ts';
import { countsOf, recordsOf } from './rules.ts';
import type { PublishedLoad, Subject } from './store.ts';

/**
 * The data of a proof of shipment (`proofSchema`): everything in the document, in the terms of the
 * API. It contains nothing that changes by itself. So it leaves out whether a pallet is damaged:
 * the pallet may be damaged or repaired after dispatch.
 */
export function proofData({ kind, organizationName }: PublishedLoad, proof: Proof) {
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

export type ProofData = ReturnType<typeof proofData>;

/** The canonical JSON of the data (RFC 8785), and its SHA-256. */
export function digestOf(data: ProofData): { canonical: string; digest: string } {
  const canonical = canonicalJson(data);
  return { canonical, digest: sha256Hex(canonical) };
}
