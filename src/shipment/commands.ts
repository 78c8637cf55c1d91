import { type SQL, sql } from 'drizzle-orm';
import { auditedList, type FieldChange } from '../audit/chain.ts';
import { diffFields, filledFields } from '../custom-field/rules.ts';
import type { CustomFieldInput } from '../custom-field/schema.ts';
import { auditFields, insertFields, writeFields } from '../custom-field/store.ts';
import { newUuid, publicToken } from '../lib/id.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';
import { assignGate, moveManifests, type Part } from '../manifest/changes.ts';
import { unknownGate } from '../site/rules.ts';
import { type FoundGate, gateQuery } from '../site/store.ts';
import { type Change, type Command, type Context, mergeChanges } from '../writer/command.ts';
import { find, findOpen, isCancelled } from './find.ts';
import { attachMembers, detachMembers, type Owner, overLimit, toAttach, toDetach } from './members.ts';
import { fieldFaults, type ManifestReference, type ShipmentStatus, TRANSITIONS } from './rules.ts';
import {
  type FoundManifest,
  referencesQuery,
  type ShipmentState,
  shipmentTakenQuery,
  shipmentView,
} from './store.ts';
import { shipment } from './table.ts';

/** Create a shipment of manifests that are PLANNED and in no other shipment; it is TO_DO. */
export const createShipment: Command<{
  identifier: string;
  gateIdentifier: string | null;
  notes: string | null;
  manifests: ManifestReference[];
  customFields: CustomFieldInput[];
}> = async (context, input) => {
  const { database, now } = context;
  if (context.organization?.dispatchStrategy !== 'SHIPMENT') {
    return refusal('shipmentStrategyRequired', 'The organization does not dispatch by shipment.');
  }
  const { identifier: externalIdentifier, notes } = input;
  const [taken, gates, references] = await database.batch([
    shipmentTakenQuery(database, externalIdentifier),
    gateQuery(database, input.gateIdentifier ?? ''),
    referencesQuery(database, input.manifests),
  ]);
  const gate = gates![0] as FoundGate | undefined;
  if (input.gateIdentifier !== null && !gate) return unknownGate('gateIdentifier', input.gateIdentifier);
  const faulty = checkFields(context, input.customFields);
  if (faulty) return faulty;
  if (taken!.length > 0) return inUse(externalIdentifier);
  const added = toAttach(input.manifests, references as unknown as FoundManifest[]);
  if ('code' in added) return added;
  const owner: Owner = {
    uuid: newUuid(),
    externalIdentifier,
    status: 'TO_DO',
    gateUuid: gate?.uuid ?? null,
  };
  const fields = filledFields(input.customFields);
  const created: Part = {
    writes: [
      ...database.insert(shipment, [
        {
          ...owner,
          notes,
          foldedIdentifier: fold(externalIdentifier),
          foldedNotes: fold(notes ?? ''),
          createDate: now,
          updateDate: now,
        },
      ]),
      ...insertFields(database, owner.uuid, fields),
    ],
    audit: [
      audited('SHIPMENT_CREATED', owner, [
        { field: 'status', oldValue: null, newValue: owner.status },
        { field: 'gateUuid', oldValue: null, newValue: owner.gateUuid },
        { field: 'notes', oldValue: null, newValue: notes },
        memberChange([], added),
        ...auditFields([], diffFields([], fields)),
      ]),
    ],
  };
  return mergeChanges(answerOf(context, owner.uuid), [created, attachMembers(context, owner, added)]);
};

/** Change what a request names of a shipment; manifests and fields become what it lists. */
export const replaceShipment: Command<{
  identifier: string;
  ifMatch: string | null;
  newIdentifier: string | null;
  /** '' clears the gate. */
  gateIdentifier: string | null;
  notes: string | null;
  manifests: ManifestReference[] | null;
  customFields: CustomFieldInput[] | null;
}> = async (context, input) => {
  const { database, now } = context;
  const found = await findOpen(context, input.identifier, {
    ifMatch: input.ifMatch,
    beside: [
      gateQuery(database, input.gateIdentifier ?? ''),
      referencesQuery(database, input.manifests ?? []),
    ],
  });
  if ('code' in found) return found;
  const { state, members, fields: current } = found;
  const [gates, references] = found.beside as [FoundGate[], FoundManifest[]];
  if (input.newIdentifier !== null && input.newIdentifier !== state.externalIdentifier) {
    return immutable(input.newIdentifier);
  }
  const gate = wantedGate(state, input.gateIdentifier, gates[0]);
  if (gate !== null && typeof gate === 'object') return gate;
  const faulty = checkFields(context, input.customFields ?? []);
  if (faulty) return faulty;
  const added = input.manifests === null ? [] : toAttach(input.manifests, references, members, state.uuid);
  if ('code' in added) return added;
  const wanted = new Set(references.map(({ uuid }) => uuid));
  const removed = input.manifests === null ? [] : members.filter(({ uuid }) => !wanted.has(uuid));
  const staying = members.filter((member) => !removed.includes(member));
  const owner: Owner = { ...state, gateUuid: gate };
  const notes = input.notes ?? state.notes;
  const fields = diffFields(
    current,
    input.customFields === null ? current : filledFields(input.customFields),
  );
  const changes: FieldChange[] = [
    ...(gate === state.gateUuid ? [] : [{ field: 'gateUuid', oldValue: state.gateUuid, newValue: gate }]),
    ...(notes === state.notes ? [] : [{ field: 'notes', oldValue: state.notes, newValue: notes }]),
    ...(added.length + removed.length > 0 ? [memberChange(removed, added)] : []),
    ...auditFields(current, fields),
  ];
  const answer = answerOf(context, state.uuid);
  if (changes.length === 0) return { writes: [], audit: [], answer };
  return mergeChanges(answer, [
    detachMembers(context, owner, removed),
    assignGate(
      context,
      staying.filter((member) => !isCancelled(member)),
      gate,
    ),
    attachMembers(context, owner, added),
    {
      writes: [
        ...writeFields(database, state.uuid, fields),
        database.update(
          shipment,
          { gateUuid: gate, notes, foldedNotes: fold(notes ?? ''), updateDate: now },
          sql`uuid = ${state.uuid}`,
        ),
      ],
      audit: [audited('SHIPMENT_UPDATED', state, changes)],
    },
  ]);
};

/** The gate that PUT wants: its uuid, null for none, or why it cannot be. */
function wantedGate(
  { status, gateUuid }: ShipmentState,
  identifier: string | null,
  gate: FoundGate | undefined,
): string | null | Refusal {
  if (identifier === null) return gateUuid;
  if (identifier !== '') return gate?.uuid ?? unknownGate('gateIdentifier', identifier);
  if (status !== 'IN_PROGRESS') return null;
  return refusal('gateRequired', 'The gate cannot be cleared while loading is in progress.');
}

/** Delete a shipment that is not closed: its manifests are free and PLANNED again, and its identifier is. */
export const deleteShipment: Command<{ identifier: string; ifMatch: string | null }> = async (
  context,
  { identifier, ifMatch },
) => {
  const { database, now } = context;
  const found = await findOpen(context, identifier, { ifMatch });
  if ('code' in found) return found;
  const { state, members } = found;
  return mergeChanges({ value: null }, [
    detachMembers(context, state, members),
    {
      writes: [database.update(shipment, { deletedDate: now, updateDate: now }, sql`uuid = ${state.uuid}`)],
      audit: [
        audited('SHIPMENT_DELETED', state, [
          { field: 'deleted', oldValue: false, newValue: true },
          memberChange(members, []),
        ]),
      ],
    },
  ]);
};

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
  return mergeChanges(answerOf(context, state.uuid), [
    attachMembers(context, state, added),
    touched(context, 'SHIPMENT_UPDATED', state, {}, [memberChange([], added)]),
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
    touched(context, 'SHIPMENT_UPDATED', state, {}, [memberChange(removed, [])]),
  ]);
};

/** Assign a gate to a shipment and its manifests. */
export const assignShipmentGate: Command<{ identifier: string; gateIdentifier: string }> = async (
  context,
  { identifier, gateIdentifier },
) => {
  const { database } = context;
  const found = await findOpen(context, identifier, { beside: [gateQuery(database, gateIdentifier)] });
  if ('code' in found) return found;
  const { state, members } = found;
  const [gate] = found.beside[0] as FoundGate[];
  if (!gate) return refusal('gateNotFound', 'There is no such gate.');
  const answer = answerOf(context, state.uuid);
  if (gate.uuid === state.gateUuid) return { writes: [], audit: [], answer };
  return mergeChanges(answer, [
    assignGate(
      context,
      members.filter((member) => !isCancelled(member)),
      gate.uuid,
    ),
    touched(context, 'SHIPMENT_GATE_ASSIGNED', state, { gateUuid: gate.uuid }, [
      { field: 'gateUuid', oldValue: state.gateUuid, newValue: gate.uuid },
    ]),
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
  return mergeChanges({ value: null }, [
    moveManifests(
      context,
      members.filter((member) => !isCancelled(member)),
      status,
    ),
    touched(context, 'SHIPMENT_STATUS_CHANGED', state, set, [
      { field: 'status', oldValue: state.status, newValue: status },
    ]),
  ]);
};

/** Set one custom field; a blank value removes it. Also of a shipment that is closed. */
export const putShipmentField: Command<{ identifier: string; field: CustomFieldInput }> = async (
  context,
  { identifier, field },
) => {
  const found = await find(context, identifier);
  if ('code' in found) return found;
  const faulty = checkFields(context, [field], () => '');
  if (faulty) return faulty;
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
  { state, fields: current }: Exclude<Awaited<ReturnType<typeof find>>, Refusal>,
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

/** A change of the shipment's own row with its audit entry. */
function touched(
  { database, now }: Context,
  action: string,
  state: ShipmentState,
  set: Parameters<typeof database.update<typeof shipment>>[1],
  changes: FieldChange[],
): Part {
  return {
    writes: [database.update(shipment, { ...set, updateDate: now }, sql`uuid = ${state.uuid}`)],
    audit: [audited(action, state, changes)],
  };
}

function checkFields(
  { organization }: Context,
  fields: readonly CustomFieldInput[],
  path = (index: number) => `customFields[${index}].`,
): Refusal | undefined {
  const errors = fieldFaults(organization!.shipmentCustomFields, fields, path);
  if (errors.length === 0) return undefined;
  const codes = new Set(errors.map(({ code }) => code));
  const [first] = errors;
  return refusal(codes.size === 1 ? first!.code : 'validationFailed', first!.message, { errors });
}

const answerOf = ({ database }: Context, uuid: string): SQL => sql`SELECT ${shipmentView} FROM shipment
  WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`;

const memberChange = (
  removed: readonly { externalIdentifier: string }[],
  added: readonly { externalIdentifier: string }[],
): FieldChange => ({
  field: 'manifests',
  oldValue: auditedList(removed.map(({ externalIdentifier }) => externalIdentifier)),
  newValue: auditedList(added.map(({ externalIdentifier }) => externalIdentifier)),
});

const audited = (
  action: string,
  { uuid, externalIdentifier }: { uuid: string; externalIdentifier: string },
  changes: FieldChange[],
): Change['audit'][number] => ({
  action,
  entityType: 'SHIPMENT',
  entityUuid: uuid,
  entityExternalId: externalIdentifier,
  changes,
});

function inUse(rejectedValue: string): Refusal {
  const message = `There is a shipment ${rejectedValue}.`;
  const code = 'externalIdentifierInUse' as const;
  return refusal(code, message, { errors: [{ field: 'identifier', code, message, rejectedValue }] });
}

function immutable(rejectedValue: string): Refusal {
  const message = 'The identifier of a shipment cannot be changed.';
  const code = 'identifierImmutable' as const;
  return refusal(code, message, { errors: [{ field: 'identifier', code, message, rejectedValue }] });
}
