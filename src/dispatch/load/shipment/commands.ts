import { sql } from 'drizzle-orm';
import type { FieldChange } from '../../../core/lib/changes.ts';
import { dotsRefusal } from '../../../core/lib/dots.ts';
import { newUuid } from '../../../core/lib/id.ts';
import { missing, named, quoted } from '../../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../../core/lib/problem.ts';
import { fold } from '../../../core/lib/text.ts';
import {
  type ChangePart,
  type Context,
  command,
  decideItems,
  isRefusal,
  mergeChanges,
} from '../../../core/writer/command.ts';
import { settledDeparturesChange } from '../../alert/changes.ts';
import { type CustomFieldInput, diffFields, type StoredField } from '../../custom-field/rules.ts';
import { auditFields, writeFields } from '../../custom-field/store.ts';
import { gateEventChanges } from '../../gate/commands.ts';
import { type AssignedGate, assignedTo, gateChange } from '../../gate/rules.ts';
import { type FoundGate, gateQuery } from '../../gate/store.ts';
import { assignGate } from '../manifest/changes.ts';
import type { ManifestState } from '../manifest/store.ts';
import { placedOf } from '../shared/asset-store.ts';
import {
  askComing,
  askPlaced,
  askShipment,
  askWithFields,
  assignedGateChanges,
  departureAlertsQuery,
  emitShipment,
  type FoundShipment,
  fieldErrors,
  fieldsToStore,
  foundShipment,
  gateErrors,
  insertShipments,
  isCancelled,
  memberChanges,
  movedDepartureChange,
  newDepartureChange,
  openShipment,
  refuseClosedShipment,
  refuseFaults,
  shipmentAnswer,
  shipmentAudit,
} from './changes.ts';
import {
  arrivedPalletsChange,
  attachMembers,
  detachMembers,
  leftMembersChange,
  type MemberShipment,
  toAttach,
} from './members.ts';
import type { NewShipment, ShipmentReplacement } from './schema.ts';
import {
  membersOfQuery,
  referencedManifests,
  referencesQuery,
  type ShipmentState,
  shipmentStatesQuery,
  shipmentTakenQuery,
} from './store.ts';
import { shipment } from './table.ts';

/** Create a shipment with status TO_DO. Its manifests must be PLANNED and in no other shipment. */
export const createShipment = command('createShipment', {
  ask: ({ scope }, input: NewShipment) => ({
    taken: shipmentTakenQuery(scope, input.identifier),
    gates: input.gateIdentifier ? gateQuery(scope, input.gateIdentifier) : undefined,
    references: referencesQuery(scope, input.manifests),
  }),
  decide(context, input, { taken, gates: [gate], references }) {
    if (context.organization?.dispatchStrategy !== 'SHIPMENT') {
      return refusal('shipmentStrategyRequired', 'The organization does not dispatch by shipment.');
    }
    const { identifier: externalIdentifier, notes } = input;
    const customFields = input.customFields ?? [];
    const refused = refuseFaults([
      ...(dotsRefusal([['identifier', externalIdentifier]])?.errors ?? []),
      ...gateErrors(input.gateIdentifier, gate),
      ...fieldErrors(context, customFields),
    ]);
    if (refused) return refused;
    if (taken.length > 0) return inUse(externalIdentifier);
    const added = toAttach(input.manifests, references);
    if (isRefusal(added)) return added;
    const owner: MemberShipment = {
      uuid: newUuid(),
      externalIdentifier,
      status: 'TO_DO',
      ...assignedTo(gate ?? null),
    };
    const fields = fieldsToStore(context, customFields);
    const created: ChangePart = {
      writes: insertShipments(context, [
        { uuid: owner.uuid, externalIdentifier, gateUuid: owner.gateUuid, notes, fields },
      ]),
      audit: [
        shipmentAudit('SHIPMENT_CREATED', owner, [
          { field: 'status', oldValue: null, newValue: owner.status },
          gateChange(assignedTo(null), owner),
          { field: 'notes', oldValue: null, newValue: notes },
          ...memberChanges([], added),
          ...auditFields([], diffFields([], fields)),
        ]),
      ],
    };
    const parts = [
      created,
      newDepartureChange(context, fields),
      attachMembers(context, owner, added),
      emitShipment(context, owner),
    ];
    return mergeChanges(shipmentAnswer(context, owner.uuid, added.length), gateEventChanges(context, parts));
  },
});

/**
 * Delete a shipment that is not closed. Its manifests become PLANNED and can join another shipment.
 * Its identifier can be used again.
 */
export const deleteShipment = command('deleteShipment', {
  ask: ({ scope }, { identifier, ifMatch }: { identifier: string; ifMatch: string | null }) => ({
    ...askShipment(scope, identifier, ifMatch),
    alerts: departureAlertsQuery(scope, identifier),
    placed: askPlaced(scope, identifier),
  }),
  decide(context, input, { alerts, placed, ...rows }) {
    const { scope, now } = context;
    const found = openShipment(rows, input);
    if (isRefusal(found)) return found;
    const { state, members } = found;
    const deleted: ChangePart = {
      writes: [
        scope.update(
          shipment,
          { deletedDate: now, driverToken: null, updateDate: now },
          sql`uuid = ${state.uuid}`,
        ),
      ],
      audit: [
        shipmentAudit('SHIPMENT_DELETED', state, [
          { field: 'deleted', oldValue: false, newValue: true },
          ...memberChanges(members, []),
        ]),
      ],
    };
    const parts = [
      settledDeparturesChange(context, alerts),
      detachMembers(context, state, members),
      leftMembersChange(context, state, { members, removed: members, placed, endsNow: true }),
      deleted,
      emitShipment(context, state),
    ];
    return mergeChanges({ value: null }, gateEventChanges(context, parts));
  },
});

function inUse(rejectedValue: string): Refusal {
  const message = `${named('Shipment', rejectedValue)} exists already.`;
  const code = 'externalIdentifierInUse' as const;
  return refusal(code, message, { errors: [{ field: 'identifier', code, message, rejectedValue }] });
}

/**
 * Change the given fields of a shipment. Given lists of manifests and custom fields replace the old
 * lists.
 */
export const replaceShipment = command('replaceShipment', {
  ask: ({ scope }, input: Replacement) => ({
    ...askWithFields(scope, input.identifier, input.ifMatch),
    gates: input.gateIdentifier ? gateQuery(scope, input.gateIdentifier) : undefined,
    ...(input.manifests === null
      ? { references: undefined, placed: undefined, coming: undefined, where: undefined }
      : {
          references: referencesQuery(scope, input.manifests),
          placed: askPlaced(scope, input.identifier),
          ...askComing(scope, input.identifier, referencedManifests(scope, input.manifests)),
        }),
  }),
  decide(
    context,
    input,
    { gates: [named], references, placed, coming, where, fields: current, alerts, ...rows },
  ) {
    const found = foundShipment(rows, input);
    if (isRefusal(found)) return found;
    const { state, members } = found;
    const refused =
      refuseFaults([
        ...identifierErrors(state, input.newIdentifier),
        ...gateErrors(input.gateIdentifier, named),
        ...fieldErrors(context, input.customFields ?? []),
      ]) ?? refuseClosedShipment(state);
    if (refused) return refused;
    const gate = wantedGate(state, input.gateIdentifier, named);
    if (isRefusal(gate)) return gate;
    const added = input.manifests === null ? [] : toAttach(input.manifests, references, members, state.uuid);
    if (isRefusal(added)) return added;
    const wanted = new Set(references.map(({ uuid }) => uuid));
    const removed = input.manifests === null ? [] : members.filter(({ uuid }) => !wanted.has(uuid));
    const notes = input.notes ?? state.notes;
    const fields = diffFields(
      current,
      input.customFields === null ? current : fieldsToStore(context, input.customFields),
    );
    const answer = shipmentAnswer(context, state.uuid, input.manifests?.length);
    const wants = { gate, notes, fields, added, removed };
    const entering = new Set(added.map(({ uuid }) => uuid));
    const come = placedOf(coming).filter(({ manifestUuid }) => entering.has(manifestUuid));
    return mergeChanges(answer, [
      ...changed(context, { ...found, fields: current, alerts }, wants),
      leftMembersChange(context, { ...state, ...gate }, { members, removed, placed, added, coming: come }),
      arrivedPalletsChange(context, state, come, where),
    ]);
  },
});

/** Change only the gate of a shipment or values of its custom fields. */
export const planShipment = command('planShipment', {
  ask: ({ scope }, { identifier, gateIdentifier }: Plan) => ({
    ...askWithFields(scope, identifier),
    gates: gateIdentifier ? gateQuery(scope, gateIdentifier) : undefined,
  }),
  decide(
    context,
    { identifier, gateIdentifier, fields },
    { gates: [named], fields: current, alerts, ...rows },
  ) {
    const found = openShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    const { state } = found;
    const refused = refuseFaults([...gateErrors(gateIdentifier, named), ...fieldErrors(context, fields)]);
    if (refused) return refused;
    const gate = wantedGate(state, gateIdentifier, named);
    if (isRefusal(gate)) return gate;
    const others = current.filter((field) => !fields.some(({ fieldKey }) => fieldKey === field.fieldKey));
    const parts = changed(
      context,
      { ...found, fields: current, alerts },
      {
        gate,
        notes: state.notes,
        fields: diffFields(current, [...others, ...fieldsToStore(context, fields)]),
        added: [],
        removed: [],
      },
    );
    return mergeChanges(shipmentAnswer(context, state.uuid), parts);
  },
});

interface Plan {
  identifier: string;
  /** '' removes the gate; null leaves it unchanged. */
  gateIdentifier: string | null;
  /** The fields to set. A blank value removes a field. */
  fields: CustomFieldInput[];
}

/** The shipment before the change, with its fields and the open alerts about its departure. */
interface ChangedShipment extends FoundShipment {
  fields: readonly StoredField[];
  alerts: readonly { uuid: string }[];
}

interface Wanted {
  gate: AssignedGate;
  notes: string | null;
  fields: ReturnType<typeof diffFields>;
  added: readonly ManifestState[];
  removed: readonly ManifestState[];
}

/** The change from an open shipment to the wanted state. It is empty if nothing differs. */
function changed(
  context: Context,
  { state, members, fields: current, alerts }: ChangedShipment,
  { gate, notes, fields, added, removed }: Wanted,
): ChangePart[] {
  const owner: MemberShipment = { ...state, ...gate };
  const changes: FieldChange[] = [
    ...(gate.gateUuid === state.gateUuid ? [] : [gateChange(state, gate)]),
    ...(notes === state.notes ? [] : [{ field: 'notes', oldValue: state.notes, newValue: notes }]),
    ...memberChanges(removed, added),
    ...auditFields(current, fields),
  ];
  if (changes.length === 0) return [];
  const { scope, now } = context;
  return gateEventChanges(context, [
    movedDepartureChange(context, { current, fields, alerts }),
    detachMembers(context, owner, removed),
    assignGate(
      context,
      members.filter((member) => !removed.includes(member) && !isCancelled(member)),
      gate,
    ),
    attachMembers(context, owner, added),
    {
      part: {
        writes: [
          ...writeFields(scope, state.uuid, fields),
          scope.update(
            shipment,
            { gateUuid: gate.gateUuid, notes, foldedNotes: fold(notes ?? ''), updateDate: now },
            sql`uuid = ${state.uuid}`,
          ),
        ],
        audit: [shipmentAudit('SHIPMENT_UPDATED', state, changes)],
      },
      gates: [state.gateUuid, gate.gateUuid],
    },
  ]);
}

interface Replacement extends ShipmentReplacement {
  identifier: string;
  ifMatch: string | null;
  newIdentifier: string | null;
}

/** The gate that a PUT asks for, or a refusal. */
function wantedGate(
  { externalIdentifier, status, gateUuid, gateExternalId }: ShipmentState,
  identifier: string | null,
  gate: FoundGate | undefined,
): AssignedGate | Refusal {
  if (identifier === null) return { gateUuid, gateExternalId };
  if (identifier !== '' || status !== 'IN_PROGRESS') return assignedTo(gate ?? null);
  const name = named('Shipment', externalIdentifier);
  return refusal('gateRequired', `${name} is IN_PROGRESS, so it needs a gate. Assign another gate instead.`, {
    facts: { name: externalIdentifier, status },
  });
}

function identifierErrors(
  { externalIdentifier }: ShipmentState,
  rejectedValue: string | null,
): ProblemItem[] {
  if (rejectedValue === null || rejectedValue === externalIdentifier) return [];
  const message = `${named('Shipment', externalIdentifier)} keeps its identifier. It cannot become ${quoted(rejectedValue)}.`;
  return [{ field: 'identifier', code: 'identifierImmutable', message, rejectedValue }];
}

/**
 * Assign a gate to many shipments in one commit. A closed shipment is reported. The others still
 * get the gate.
 */
export const assignShipmentsGate = command('assignShipmentsGate', {
  exclusive: true,
  ask: ({ scope }, { uuids, gateIdentifier }: { uuids: string[]; gateIdentifier: string }) => ({
    states: shipmentStatesQuery(scope, uuids),
    members: membersOfQuery(scope, uuids),
    gates: gateQuery(scope, gateIdentifier),
  }),
  decide(context, { uuids, gateIdentifier }, { states, members, gates: [gate] }) {
    if (!gate) return missing('gateNotFound', gateIdentifier);
    const { taken, became } = decideItems(uuids, (uuid) => {
      const state = states.find((one) => one.uuid === uuid);
      if (!state) return { name: uuid, of: missing('shipmentNotFound', uuid) };
      const own = members.filter(({ shipmentUuid }) => shipmentUuid === uuid);
      return { name: state.externalIdentifier, of: refuseClosedShipment(state) ?? { state, members: own } };
    });
    return mergeChanges({ value: { became } }, assignedGateChanges(context, taken, gate));
  },
});
