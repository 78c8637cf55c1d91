import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../../../core/lib/changes.ts';
import { missingIn } from '../../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../../core/lib/problem.ts';
import { viewOf } from '../../../core/lib/view.ts';
import type { AuditAction } from '../../../core/writer/audit-actions.ts';
import { auditing } from '../../../core/writer/audited.ts';
import { listChanges } from '../../../core/writer/chain.ts';
import type { ChangePart, Context } from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import type { CustomFieldInput, StoredField } from '../../custom-field/rules.ts';
import { type AtGates, tellingGates } from '../../gate/changes.ts';
import { assignedTo, gateChange } from '../../gate/rules.ts';
import type { FoundGate } from '../../gate/store.ts';
import { assignGate } from '../manifest/changes.ts';
import { type FoundShipment, isCancelled } from './find.ts';
import { fieldFaults, storedFields } from './rules.ts';
import {
  BRIEF_EXTENT,
  type ShipmentState,
  type StoredShipment,
  shipmentEntity,
  shipmentView,
  WHOLE_EXTENT,
} from './store.ts';
import { shipment } from './table.ts';

/** A change of the shipment's own row with its audit entry. */
export function touched(
  { scope, now }: Context,
  action: AuditAction,
  state: ShipmentState,
  set: Parameters<typeof scope.update<typeof shipment>>[1],
  changes: FieldChange[],
): ChangePart {
  return {
    writes: [scope.update(shipment, { ...set, updateDate: now }, sql`uuid = ${state.uuid}`)],
    audit: [shipmentAudit(action, state, changes)],
  };
}

/** The event for a shipment that was created, deleted or given another status. */
export const emitShipment = (
  context: Context,
  state: { uuid: string; externalIdentifier: string; gateUuid: string | null },
): AtGates => ({
  part: { writes: [], audit: [], events: emit(context, 'SHIPMENT_STATUS_CHANGED', shipmentEntity, [state]) },
  gates: [state.gateUuid],
});

/** Assign open shipments and their manifests to a gate. */
export function assignedGate(
  context: Context,
  found: readonly Pick<FoundShipment, 'state' | 'members'>[],
  gate: FoundGate,
): ChangePart[] {
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

/** The errors in the custom fields of a request. */
export const fieldErrors = (
  { organization }: Context,
  fields: readonly CustomFieldInput[],
  path = (index: number) => `customFields[${index}].`,
): ProblemItem[] => fieldFaults(organization!.shipmentCustomFields, fields, path);

/** The custom fields of a request as they are stored. */
export const fieldsToStore = (
  { organization }: Context,
  fields: readonly CustomFieldInput[],
): StoredField[] => storedFields(organization!.shipmentCustomFields, fields);

/** The error in the gate of a body, if any. */
export const gateErrors = (identifier: string | null, gate: FoundGate | undefined): ProblemItem[] =>
  identifier && !gate ? missingIn('gateIdentifier', 'gateNotFound', identifier).errors! : [];

/** The refusal for errors that do not depend on the state of the shipment. It lists all of them. */
export function faulty(errors: ProblemItem[]): Refusal | undefined {
  const [first] = errors;
  if (!first) return undefined;
  const code = errors.every((error) => error.code === first.code) ? first.code : 'validationFailed';
  return refusal(code, first.message, { status: 400, errors });
}

/**
 * The answer with the shipment after all writes. If the request names many manifests, the answer
 * has all manifests. Otherwise it is shortened, because it is stored.
 */
export const shipmentAnswer = ({ scope }: Context, uuid: string, named = 0): SQL<StoredShipment> =>
  named > BRIEF_EXTENT.items ? wholeOf(scope, uuid) : briefOf(scope, uuid);
const wholeOf = viewOf(shipmentView(WHOLE_EXTENT), shipment);
const briefOf = viewOf(shipmentView(BRIEF_EXTENT), shipment);

/** The audited change of a shipment's manifests. */
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
export const shipmentAudit = auditing<{ uuid: string; externalIdentifier: string }>(
  'SHIPMENT',
  ({ externalIdentifier }) => externalIdentifier,
);
