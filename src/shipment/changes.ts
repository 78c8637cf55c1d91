import { type SQL, sql } from 'drizzle-orm';
import type { CustomFieldInput } from '../custom-field/rules.ts';
import { emit } from '../event/store.ts';
import type { FieldChange } from '../lib/changes.ts';
import { type ProblemItem, type Refusal, refusal } from '../lib/problem.ts';
import { viewOf } from '../lib/view.ts';
import { assignGate } from '../manifest/changes.ts';
import { type AtGates, tellingGates } from '../site/changes.ts';
import { assignedTo, gateChange, unknownGate } from '../site/rules.ts';
import type { FoundGate } from '../site/store.ts';
import type { AuditAction } from '../writer/audit-actions.ts';
import { auditing } from '../writer/audited.ts';
import { listChanges } from '../writer/chain.ts';
import type { Context, Part } from '../writer/command.ts';
import { type FoundShipment, isCancelled } from './find.ts';
import { fieldFaults } from './rules.ts';
import {
  BRIEF,
  type ShipmentState,
  type StoredShipment,
  shipmentEntity,
  shipmentView,
  WHOLE,
} from './store.ts';
import { shipment } from './table.ts';

/** A change of the shipment's own row with its audit entry. */
export function touched(
  { scope, now }: Context,
  action: AuditAction,
  state: ShipmentState,
  set: Parameters<typeof scope.update<typeof shipment>>[1],
  changes: FieldChange[],
): Part {
  return {
    writes: [scope.update(shipment, { ...set, updateDate: now }, sql`uuid = ${state.uuid}`)],
    audit: [audited(action, state, changes)],
  };
}

/** What tells of a shipment that came, went or changed its status. */
export const emitShipment = (
  context: Context,
  state: { uuid: string; externalIdentifier: string; gateUuid: string | null },
): AtGates => ({
  part: { writes: [], audit: [], events: emit(context, 'SHIPMENT_STATUS_CHANGED', shipmentEntity, [state]) },
  gates: [state.gateUuid],
});

/** What it writes to assign shipments that are open, and their manifests, to a gate. */
export function assignedGate(
  context: Context,
  found: readonly Pick<FoundShipment, 'state' | 'members'>[],
  gate: FoundGate,
): Part[] {
  const assigned = assignedTo(gate);
  const moved = found.filter(({ state }) => state.gateUuid !== gate.uuid);
  const members = moved.flatMap((one) => one.members).filter((member) => !isCancelled(member));
  return tellingGates(context, [
    assignGate(context, members, assigned),
    ...moved.map(({ state }) => ({
      part: touched(context, 'SHIPMENT_GATE_ASSIGNED', state, { gateUuid: gate.uuid }, [
        gateChange(state, assigned),
      ]),
      gates: [state.gateUuid, gate.uuid],
    })),
  ]);
}

/** What is wrong with fields of a request. */
export const fieldErrors = (
  { organization }: Context,
  fields: readonly CustomFieldInput[],
  path = (index: number) => `customFields[${index}].`,
): ProblemItem[] => fieldFaults(organization!.shipmentCustomFields, fields, path);

/** What is wrong with the gate that a body names. */
export const gateErrors = (identifier: string | null, gate: FoundGate | undefined): ProblemItem[] =>
  identifier && !gate ? unknownGate('gateIdentifier', identifier).errors! : [];

/** Refuse a request for what is wrong with it whatever state the shipment is in, all of that at once. */
export function faulty(errors: ProblemItem[]): Refusal | undefined {
  const [first] = errors;
  if (!first) return undefined;
  const code = errors.every((error) => error.code === first.code) ? first.code : 'validationFailed';
  return refusal(code, first.message, { status: 400, errors });
}

/**
 * The shipment as it is once all is written. A request that names many manifests is answered with all; for one that
 * names few, the answer is no longer than it has to be: it is kept.
 */
export const answerOf = ({ scope }: Context, uuid: string, named = 0): SQL<StoredShipment> =>
  named > BRIEF.items ? wholeOf(scope, uuid) : briefOf(scope, uuid);
const wholeOf = viewOf(shipmentView(WHOLE), shipment);
const briefOf = viewOf(shipmentView(BRIEF), shipment);

/** What an audit record says of manifests that come and go. */
export const memberChanges = (
  removed: readonly { externalIdentifier: string }[],
  added: readonly { externalIdentifier: string }[],
): FieldChange[] =>
  listChanges(
    'manifests',
    removed.map(({ externalIdentifier }) => externalIdentifier),
    added.map(({ externalIdentifier }) => externalIdentifier),
  );

/** An audit entry about a shipment. */
export const audited = auditing<{ uuid: string; externalIdentifier: string }>(
  'SHIPMENT',
  ({ externalIdentifier }) => externalIdentifier,
);
