import { sql } from 'drizzle-orm';
import type { FieldChange } from '../../../core/lib/changes.ts';
import { named, quoted } from '../../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../../core/lib/problem.ts';
import { fold } from '../../../core/lib/text.ts';
import {
  type ChangePart,
  type Context,
  command,
  isRefusal,
  mergeChanges,
} from '../../../core/writer/command.ts';
import { type CustomFieldInput, diffFields, type StoredField } from '../../custom-field/rules.ts';
import { auditFields, writeFields } from '../../custom-field/store.ts';
import { tellingGates } from '../../gate/changes.ts';
import { type AssignedGate, assignedTo, gateChange } from '../../gate/rules.ts';
import { type FoundGate, gateQuery } from '../../gate/store.ts';
import { assignGate } from '../manifest/changes.ts';
import type { ManifestState } from '../manifest/store.ts';
import { placedOf } from '../shared/place-store.ts';
import {
  faulty,
  fieldErrors,
  fieldsToStore,
  gateErrors,
  memberChanges,
  shipmentAnswer,
  shipmentAudit,
} from './changes.ts';
import { movedDeparture } from './departure-changes.ts';
import {
  askComing,
  askPlaced,
  askWithFields,
  closed,
  type FoundShipment,
  foundShipment,
  isCancelled,
  openShipment,
} from './find.ts';
import {
  attachMembers,
  cameToShipment,
  detachMembers,
  leftMembers,
  type MemberShipment,
  toAttach,
} from './members.ts';
import type { ManifestReference } from './rules.ts';
import { referenced, referencesQuery, type ShipmentState } from './store.ts';
import { shipment } from './table.ts';

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
          ...askComing(scope, input.identifier, referenced(scope, input.manifests)),
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
      faulty([
        ...identifierErrors(state, input.newIdentifier),
        ...gateErrors(input.gateIdentifier, named),
        ...fieldErrors(context, input.customFields ?? []),
      ]) ?? closed(state);
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
      leftMembers(context, { ...state, ...gate }, { members, removed, placed, added, coming: come }),
      cameToShipment(context, state, come, where),
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
    const refused = faulty([...gateErrors(gateIdentifier, named), ...fieldErrors(context, fields)]);
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
  return tellingGates(context, [
    movedDeparture(context, { current, fields, alerts }),
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

interface Replacement {
  identifier: string;
  ifMatch: string | null;
  newIdentifier: string | null;
  /** '' removes the gate. */
  gateIdentifier: string | null;
  notes: string | null;
  manifests: ManifestReference[] | null;
  customFields: CustomFieldInput[] | null;
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
