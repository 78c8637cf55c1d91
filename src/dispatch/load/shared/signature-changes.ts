import type { FieldChange } from '../../../core/lib/changes.ts';
import { newUuid } from '../../../core/lib/id.ts';
import { type Refusal, refusal } from '../../../core/lib/problem.ts';
import { isoDate } from '../../../core/lib/time.ts';
import {
  type Change,
  type ChangePart,
  type Context,
  mergeChanges,
  unchanged,
} from '../../../core/writer/command.ts';
import { type EntityKind, emit } from '../../../log/event/store.ts';
import { timeOrRefusal } from '../../../pallet/device-time.ts';
import { authorOf } from '../../track/timeline-store.ts';
import { SIGNATURES_MAXIMUM, type SignedFacts, type SignedFor, type Stroke } from './signature-rules.ts';
import { type Signed, type StoredSignature, signatureAnswer } from './signature-store.ts';
import { type SignerRole, signature } from './table.ts';

export interface NewSignature {
  role: SignerRole;
  name: string;
  strokes: Stroke[];
  /** Epoch milliseconds; null for now. */
  signDate: number | null;
  /** The uuid that a signing link gives to its only signature. */
  uuid?: string;
  /** SHA-256 (hex) of the data of the proof that the signer could see; null before completion. */
  digest?: string | null;
}

/** The load that is signed. */
interface SignedLoad {
  uuid: string;
  externalIdentifier: string;
  /** The load with its kind and identifier, for a message. */
  title: string;
  status: SignedFor['status'];
  facts: SignedFacts;
  entity: EntityKind;
  /** Gives the load a new update date and an audit record. */
  touched: (changes: FieldChange[]) => ChangePart;
}

/**
 * Add a signature to a load that takes signatures. An earlier signature of the same role stays, and the audit record
 * names both. A signing link adds one signature. If the same role and name come again, the stored signature is
 * returned. Anything else is refused.
 */
export function signatureChange(
  context: Context,
  load: SignedLoad,
  { uuid: linked, digest = null, ...given }: NewSignature,
  signed: readonly Signed[],
): Change<StoredSignature> | Refusal {
  const { scope, now } = context;
  const repeated = signed.find(({ uuid }) => uuid === linked);
  if (repeated) {
    if (repeated.role === given.role && repeated.name === given.name) {
      return unchanged(signatureAnswer(scope, load.uuid, repeated.uuid));
    }
    return refusal(
      'signingLinkUsed',
      `Another person has signed ${load.title} with this link. Open a new link.`,
    );
  }
  if (signed.length >= SIGNATURES_MAXIMUM) {
    const detail = `${load.title} has ${SIGNATURES_MAXIMUM} signatures already, which is the maximum.`;
    return refusal('signatureLimitReached', detail, { facts: { maximum: SIGNATURES_MAXIMUM } });
  }
  const said = { field: 'signDate', said: given.signDate, name: load.title, uuid: load.uuid };
  const signDate = timeOrRefusal(said, now);
  if (typeof signDate !== 'number') return signDate;
  const signedFor: SignedFor = { status: load.status, ...load.facts, digest };
  const uuid = linked ?? newUuid();
  const before = signed.findLast(({ role }) => role === given.role);
  const added: ChangePart = {
    writes: scope.insert(signature, [
      {
        uuid,
        loadUuid: load.uuid,
        number: (signed.at(-1)?.number ?? 0) + 1,
        role: given.role,
        signerName: given.name,
        strokes: JSON.stringify(given.strokes),
        signDate,
        signedFor: JSON.stringify(signedFor),
        afterClose: load.status === 'COMPLETED' ? 1 : 0,
        ...authorOf(context.actor),
        createDate: now,
      },
    ]),
    audit: [],
    events: emit(context, 'SIGNATURE_ADDED', load.entity, [load]),
  };
  const answer = signatureAnswer(scope, load.uuid, uuid);
  return mergeChanges(answer, [added, load.touched(changesOf(uuid, { ...given, signDate }, before))]);
}

/** The audited change. Its old values belong to the superseded signature. */
const changesOf = (
  uuid: string,
  { role, name, signDate }: Pick<NewSignature, 'role' | 'name'> & { signDate: number },
  before: Signed | undefined,
): FieldChange[] => [
  { field: 'signatureRole', oldValue: before?.role ?? null, newValue: role },
  { field: 'signature', oldValue: before?.uuid ?? null, newValue: uuid },
  { field: 'signerName', oldValue: before?.name ?? null, newValue: name },
  { field: 'signDate', oldValue: before ? isoDate(before.signDate) : null, newValue: isoDate(signDate) },
];
