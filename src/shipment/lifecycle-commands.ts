import { diffFields, filledFields } from '../custom-field/rules.ts';
import type { CustomFieldInput } from '../custom-field/schema.ts';
import { auditFields, writeFields } from '../custom-field/store.ts';
import { tellGates } from '../event/store.ts';
import { publicToken } from '../lib/id.ts';
import { refusal } from '../lib/problem.ts';
import { assignGate, moveManifests, retireWithManifests } from '../manifest/changes.ts';
import { assignedTo, gateChange } from '../site/rules.ts';
import { type FoundGate, gateQuery } from '../site/store.ts';
import { type Change, type Command, type Context, mergeChanges } from '../writer/command.ts';
import { answerOf, faulty, fieldErrors, memberChanges, tellShipment, touched } from './changes.ts';
import { closed, type FoundShipment, find, findOpen, isCancelled } from './find.ts';
import { attachMembers, detachMembers, overLimit, toAttach, toDetach } from './members.ts';
import { isOpen, type ManifestReference, type ShipmentStatus, TRANSITIONS } from './rules.ts';
import { type FoundManifest, referencesQuery } from './store.ts';

/** Attach manifests: all of them or none. */
export const attachManifests: Command<{ identifier: string; manifests: ManifestReference[] }> = async (
  context,
  { identifier, manifests },
) => {
  const { database } = context;
  const found = await findOpen(context, identifier, { beside: [referencesQuery(database, manifests)] });
  if ('code' in found) return found;
  const { state, members } = found;
  const added = toAttach(manifests, found.beside[0] as FoundManifest[], [], state.uuid);
  if ('code' in added) return added;
  const limited = overLimit(members.length + added.length);
  if (limited) return limited;
  return mergeChanges(answerOf(context, state.uuid, added.length), [
    attachMembers(context, state, added),
    touched(context, 'SHIPMENT_UPDATED', state, {}, memberChanges([], added)),
  ]);
};

/** Detach manifests: all of them or none. */
export const detachManifests: Command<{ identifier: string; manifests: ManifestReference[] }> = async (
  context,
  { identifier, manifests },
) => {
  const { database } = context;
  const found = await findOpen(context, identifier, { beside: [referencesQuery(database, manifests)] });
  if ('code' in found) return found;
  const { state } = found;
  const removed = toDetach(manifests, found.beside[0] as FoundManifest[], state.uuid);
  if ('code' in removed) return removed;
  return mergeChanges(answerOf(context, state.uuid), [
    detachMembers(context, state, removed),
    touched(context, 'SHIPMENT_UPDATED', state, {}, memberChanges(removed, [])),
  ]);
};

/** Assign a gate to a shipment and its manifests. */
export const assignShipmentGate: Command<{ identifier: string; gateIdentifier: string }> = async (
  context,
  { identifier, gateIdentifier },
) => {
  const { database } = context;
  const found = await find(context, identifier, { beside: [gateQuery(database, gateIdentifier)] });
  if ('code' in found) return found;
  const { state, members } = found;
  const [gate] = found.beside[0] as FoundGate[];
  if (!gate) return refusal('gateNotFound', 'There is no such gate.');
  const refused = closed(state);
  if (refused) return refused;
  const answer = answerOf(context, state.uuid);
  if (gate.uuid === state.gateUuid) return { writes: [], audit: [], answer };
  return mergeChanges(answer, [
    assignGate(
      context,
      members.filter((member) => !isCancelled(member)),
      assignedTo(gate),
    ),
    touched(context, 'SHIPMENT_GATE_ASSIGNED', state, { gateUuid: gate.uuid }, [
      gateChange(state, assignedTo(gate)),
    ]),
    { writes: [], audit: [], events: tellGates(context, [state.gateUuid, gate.uuid]) },
  ]);
};

/** Move a shipment to another status, and with it every manifest that is not cancelled. */
export const changeShipmentStatus: Command<{ identifier: string; status: ShipmentStatus }> = async (
  context,
  { identifier, status },
) => {
  const { now } = context;
  const found = await find(context, identifier);
  if ('code' in found) return found;
  const { state, members } = found;
  const allowedValues = TRANSITIONS[state.status];
  if (!allowedValues.includes(status)) {
    const detail = `A shipment that is ${state.status} cannot become ${status}.`;
    return refusal('transitionNotAllowed', detail, { allowedValues });
  }
  if (status === 'IN_PROGRESS' && state.gateUuid === null) {
    return refusal('gateRequired', 'Assign a gate before loading starts.', { allowedValues });
  }
  const set = {
    status,
    ...(status === 'IN_PROGRESS' ? { activateDate: now } : { closeDate: now }),
    ...(status === 'COMPLETED' ? { publicToken: publicToken() } : {}),
  };
  const moved = members.filter((member) => !isCancelled(member));
  const uuids = moved.map(({ uuid }) => uuid);
  return mergeChanges({ value: null }, [
    moveManifests(context, moved, status),
    ...(isOpen(status) ? [] : [await retireWithManifests(context, uuids)]),
    touched(context, 'SHIPMENT_STATUS_CHANGED', state, set, [
      { field: 'status', oldValue: state.status, newValue: status },
    ]),
    { writes: [], audit: [], events: tellShipment(context, state, [state.gateUuid]) },
  ]);
};

/** Set one custom field; a blank value removes it. Also of a shipment that is closed. */
export const putShipmentField: Command<{ identifier: string; field: CustomFieldInput }> = async (
  context,
  { identifier, field },
) => {
  const found = await find(context, identifier);
  if ('code' in found) return found;
  const refused = faulty(fieldErrors(context, [field], () => ''));
  if (refused) return refused;
  const others = found.fields.filter(({ fieldKey }) => fieldKey !== field.fieldKey);
  return fieldsChanged(context, found, [...others, ...filledFields([field])]);
};

/** Remove one custom field. */
export const removeShipmentField: Command<{ identifier: string; fieldKey: string }> = async (
  context,
  { identifier, fieldKey },
) => {
  const found = await find(context, identifier);
  if ('code' in found) return found;
  const wanted = found.fields.filter((field) => field.fieldKey !== fieldKey);
  if (wanted.length === found.fields.length) {
    return refusal('customFieldNotFound', 'The shipment has no such field.');
  }
  return fieldsChanged(context, found, wanted);
};

function fieldsChanged(
  context: Context,
  { state, fields: current }: FoundShipment,
  wanted: Parameters<typeof diffFields>[1],
): Change {
  const fields = diffFields(current, wanted);
  const answer = answerOf(context, state.uuid);
  const writes = writeFields(context.database, state.uuid, fields);
  if (writes.length === 0) return { writes, audit: [], answer };
  return mergeChanges(answer, [
    { writes, audit: [] },
    touched(context, 'SHIPMENT_UPDATED', state, {}, auditFields(current, fields)),
  ]);
}
