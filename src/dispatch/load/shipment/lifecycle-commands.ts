import { taggedToken } from '../../../core/lib/id.ts';
import { missing, named, quoted } from '../../../core/lib/missing.ts';
import { refusal } from '../../../core/lib/problem.ts';
import { isoDateOrNull } from '../../../core/lib/time.ts';
import {
  type Change,
  type Context,
  command,
  isRefusal,
  mergeChanges,
  unchanged,
} from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import { timeOrRefusal } from '../../../pallet/device-time.ts';
import { resolvedAlertsChange, settledDeparturesChange } from '../../alert/changes.ts';
import { expectedHereQuery } from '../../alert/store.ts';
import { type CustomFieldInput, diffFields, isBlank, type StoredField } from '../../custom-field/rules.ts';
import { auditFields, writeFields } from '../../custom-field/store.ts';
import { gateEventChanges } from '../../gate/commands.ts';
import { gateQuery } from '../../gate/store.ts';
import { dueRetirementChange } from '../../track/changes.ts';
import { moveManifests } from '../manifest/changes.ts';
import { completedShortChange, shortManifestsQuery } from '../shared/alert-changes.ts';
import { askStarting, dueWithManifests, placedOf } from '../shared/asset-store.ts';
import { changedPaperChange } from '../shared/place-changes.ts';
import { loadEnded } from '../shared/place-rules.ts';
import type { NewSignature } from '../shared/signature-changes.ts';
import { askSigned, proofNames } from '../shared/signature-store.ts';
import { isLoadOpen, type LoadStatus, refuseTransition } from '../shared/status-rules.ts';
import {
  askComing,
  askPlaced,
  askShipment,
  askWithFields,
  assignedGateChanges,
  checkedNow,
  departureAlertsQuery,
  emitShipment,
  type FoundShipment,
  fieldErrors,
  fieldsToStore,
  figuresOfCarriers,
  foundShipment,
  isCancelled,
  memberChanges,
  movedDepartureChange,
  movedStatusChange,
  openShipment,
  refuseClosedShipment,
  refuseFaults,
  shipmentAnswer,
  shipmentChange,
  shipmentSignatureChange,
} from './changes.ts';
import {
  arrivedPalletsChange,
  attachMembers,
  detachMembers,
  leftMembersChange,
  refuseOverLimit,
  toAttach,
  toDetach,
} from './members.ts';
import { type CancelledManifests, type ManifestReference, roleKey } from './rules.ts';
import type { NewArrival } from './schema.ts';
import {
  movedWith,
  referencedManifests,
  referencesQuery,
  type ShipmentState,
  type StoredShipment,
  shipmentEntity,
  shipmentFieldsQuery,
  shipmentUuidOf,
} from './store.ts';

/** Attach manifests: all or none. */
export const attachManifests = command('attachManifests', {
  ask: (context, input: Referring) => ({
    ...askReferences(context, input),
    ...askComing(context.scope, input.identifier, referencedManifests(context.scope, input.manifests)),
  }),
  decide(context, { identifier, manifests }, { references, coming, where, ...rows }) {
    const found = openShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    const { state, members } = found;
    const added = toAttach(manifests, references, [], state.uuid);
    if (isRefusal(added)) return added;
    const limited = refuseOverLimit(state, members.length + added.length);
    if (limited) return limited;
    const parts = [
      attachMembers(context, state, added),
      arrivedPalletsChange(context, state, placedOf(coming), where),
      shipmentChange(context, 'SHIPMENT_UPDATED', state, {}, memberChanges([], added)),
    ];
    return mergeChanges(shipmentAnswer(context, state.uuid, added.length), gateEventChanges(context, parts));
  },
});

/** Detach manifests: all or none. */
export const detachManifests = command('detachManifests', {
  ask: (context, input: Referring) => ({
    ...askReferences(context, input),
    placed: askPlaced(context.scope, input.identifier),
  }),
  decide(context, { identifier, manifests }, { references, placed, ...rows }) {
    const found = openShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    const { state, members } = found;
    const removed = toDetach(manifests, references, state.uuid);
    if (isRefusal(removed)) return removed;
    const parts = [
      detachMembers(context, state, removed),
      leftMembersChange(context, state, { members, removed, placed }),
      shipmentChange(context, 'SHIPMENT_UPDATED', state, {}, memberChanges(removed, [])),
    ];
    return mergeChanges(shipmentAnswer(context, state.uuid), gateEventChanges(context, parts));
  },
});

interface Referring {
  identifier: string;
  manifests: ManifestReference[];
}

function askReferences({ scope }: Context, { identifier, manifests }: Referring) {
  return { ...askShipment(scope, identifier), references: referencesQuery(scope, manifests) };
}

/** Assign a gate to a shipment and its manifests. */
export const assignShipmentGate = command('assignShipmentGate', {
  ask: ({ scope }, { identifier, gateIdentifier }: { identifier: string; gateIdentifier: string }) => ({
    ...askShipment(scope, identifier),
    gates: gateQuery(scope, gateIdentifier),
  }),
  decide(context, { identifier, gateIdentifier }, { gates: [gate], ...rows }) {
    const found = foundShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    const { state, members } = found;
    if (!gate) return missing('gateNotFound', gateIdentifier);
    const refused = refuseClosedShipment(state);
    if (refused) return refused;
    return mergeChanges(
      shipmentAnswer(context, state.uuid),
      assignedGateChanges(context, [{ state, members }], gate),
    );
  },
});

/**
 * Give a shipment another status. Its manifests get the same status, except cancelled ones. With `RELEASE`, all
 * manifests, also cancelled ones, are detached before the shipment is cancelled.
 */
export const changeShipmentStatus = command('changeShipmentStatus', {
  ask: ({ scope }, { identifier, status, manifests, fields, signature }: Move) => ({
    ...askShipment(scope, identifier),
    ...(signature
      ? askSigned(scope, 'SHIPMENT', shipmentUuidOf(scope, identifier))
      : { signed: undefined, facts: undefined }),
    current: fields && shipmentFieldsQuery(scope, identifier),
    due:
      isLoadOpen(status) || manifests === 'RELEASE'
        ? undefined
        : dueWithManifests(scope, movedWith(scope, identifier)),
    pallets: status === 'COMPLETED' ? shortManifestsQuery(scope, movedWith(scope, identifier)) : undefined,
    alerts: isLoadOpen(status) ? undefined : departureAlertsQuery(scope, identifier),
    placed: status === 'CANCELLED' ? askPlaced(scope, identifier) : undefined,
    ...(status === 'IN_PROGRESS'
      ? askStarting(scope, movedWith(scope, identifier))
      : { coming: undefined, where: undefined }),
    expected: status === 'IN_PROGRESS' ? expectedHereQuery(scope, movedWith(scope, identifier)) : undefined,
  }),
  decide(
    context,
    { identifier, status, manifests, fields = [], signature },
    { due, current, pallets, alerts, expected, placed, coming, where, signed, facts, ...rows },
  ) {
    const { now, reason } = context;
    const found = foundShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    const { state, members } = found;
    const refused = refuseTransition('Shipment', state, status) ?? refuseFaults(fieldErrors(context, fields));
    if (refused) return refused;
    const changed = changedFields(context, state, current, fields);
    const signing =
      signature && shipmentSignatureChange(context, state, signature, { signed, facts }, fields);
    if (signing && isRefusal(signing)) return signing;
    const set = {
      status,
      ...(status === 'IN_PROGRESS' ? { activateDate: now } : { closeDate: now, driverToken: null }),
      ...(status === 'COMPLETED'
        ? {
            publicToken: taggedToken(context.scope.organization),
            shortReason: reason,
            proofNames: proofNames('shipment'),
          }
        : {}),
    };
    const released = status === 'CANCELLED' && manifests === 'RELEASE' ? members : [];
    const moved = members.filter((member) => !released.includes(member) && !isCancelled(member));
    const parts = [
      // The load is signed before it is completed.
      ...(signing ? [signing] : []),
      // Before the shipment changes: a trigger requests a check if a closed shipment still has alerts.
      settledDeparturesChange(context, alerts),
      detachMembers(context, state, released),
      moveManifests(context, moved, status),
      // A shipment that is cancelled with its manifests keeps its records.
      released.length > 0
        ? leftMembersChange(context, state, { members, removed: released, placed, endsNow: true })
        : changedPaperChange(
            context,
            { kind: 'Shipment', ...state },
            loadEnded(placedOf(placed), { isInProgress: state.status === 'IN_PROGRESS' }),
          ),
      arrivedPalletsChange(context, state, placedOf(coming), where),
      dueRetirementChange(context, due),
      // Before the status changes: a trigger reads the fields at completion for the report.
      { writes: changed.writes, audit: [], ...movedStatusChange(context, status) },
      shipmentChange(context, 'SHIPMENT_STATUS_CHANGED', state, set, [
        { field: 'status', oldValue: state.status, newValue: status },
        ...memberChanges(released, []),
        ...changed.audit,
      ]),
      emitShipment(context, state),
      completedShortChange(context, { kind: 'Shipment', ...state }, pallets),
      resolvedAlertsChange(context, expected),
    ];
    return mergeChanges({ value: null }, gateEventChanges(context, parts));
  },
});

/** A change of a shipment's status. */
interface Move {
  identifier: string;
  status: LoadStatus;
  manifests?: CancelledManifests;
  /** Custom fields to set in the same step. Other fields stay. */
  fields?: CustomFieldInput[];
  /** A signature of the load as it leaves. */
  signature?: NewSignature;
}

/** The writes and audit changes that set these custom fields. Other fields stay. */
function changedFields(
  context: Context,
  { uuid }: ShipmentState,
  current: readonly StoredField[],
  set: readonly CustomFieldInput[],
) {
  const others = current.filter(({ fieldKey }) => set.every((field) => field.fieldKey !== fieldKey));
  const diff = diffFields(current, [...others, ...fieldsToStore(context, set)]);
  const writes = [...writeFields(context.scope, uuid, diff), ...checkedNow(context, set)];
  return { writes, audit: auditFields(current, diff) };
}

/** Set one custom field. A blank value removes it. A closed shipment allows this too. */
export const putShipmentField = command('putShipmentField', {
  ask: ({ scope }, { identifier }: { identifier: string; field: CustomFieldInput }) =>
    askWithFields(scope, identifier),
  decide(context, { identifier, field }, { fields: current, alerts, ...rows }) {
    const found = foundShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    const refused = refuseFaults(fieldErrors(context, [field], () => ''));
    if (refused) return refused;
    const others = current.filter(({ fieldKey }) => fieldKey !== field.fieldKey);
    const wanted = [...others, ...fieldsToStore(context, [field])];
    return fieldsChanged(context, found, { current, wanted, alerts });
  },
});

export const removeShipmentField = command('removeShipmentField', {
  ask: ({ scope }, { identifier }: { identifier: string; fieldKey: string }) =>
    askWithFields(scope, identifier),
  decide(context, { identifier, fieldKey }, { fields: current, alerts, ...rows }) {
    const found = foundShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    const wanted = current.filter((field) => field.fieldKey !== fieldKey);
    if (wanted.length === current.length) {
      const detail = `${named('Shipment', identifier)} has no custom field ${quoted(fieldKey)}.`;
      return refusal('customFieldNotFound', detail, { facts: { name: fieldKey, other: identifier } });
    }
    return fieldsChanged(context, found, { current, wanted, alerts });
  },
});

function fieldsChanged(
  context: Context,
  { state }: FoundShipment,
  {
    current,
    wanted,
    alerts,
  }: { current: readonly StoredField[]; wanted: readonly StoredField[]; alerts: readonly { uuid: string }[] },
): Change<StoredShipment> {
  const fields = diffFields(current, wanted);
  const answer = shipmentAnswer(context, state.uuid);
  const writes = writeFields(context.scope, state.uuid, fields);
  if (writes.length === 0) return { writes, audit: [], answer };
  if (state.status === 'COMPLETED') writes.push(figuresOfCarriers(context.scope, [state.uuid]));
  return mergeChanges(answer, [
    { writes, audit: [] },
    shipmentChange(context, 'SHIPMENT_UPDATED', state, {}, auditFields(current, fields)),
    movedDepartureChange(context, { current, fields, alerts }),
  ]);
}

/** Record that the truck of an open shipment arrived, or change its arrival. */
export const recordArrival = command('recordArrival', {
  ask: ({ scope }, { identifier }: Arrival) => askWithFields(scope, identifier),
  decide(context, input, { fields: current, ...rows }) {
    const found = openShipment(rows, input);
    if (isRefusal(found)) return found;
    const { state } = found;
    const { scope, now, organization } = context;
    const answer = shipmentAnswer(context, state.uuid);
    if (input.onlyFirst && state.arrivalDate !== null) return unchanged(answer);
    const vehicleKey = roleKey(organization!.shipmentCustomFields, 'VEHICLE');
    const vehicle =
      input.vehicle === null || vehicleKey === null
        ? []
        : [{ fieldKey: vehicleKey, fieldValue: input.vehicle }];
    const refused = refuseFaults(
      fieldErrors(context, vehicle).map((error) => ({ ...error, field: 'vehicle' })),
    );
    if (refused) return refused;
    const others = current.filter(({ fieldKey }) => fieldKey !== vehicle[0]?.fieldKey);
    const fields = diffFields(current, [...others, ...fieldsToStore(context, vehicle)]);
    const name = named('shipment', state.externalIdentifier);
    const said = { field: 'arrivalDate', said: input.arrivalDate, name, uuid: state.uuid };
    const arrivalDate = timeOrRefusal(said, now);
    if (typeof arrivalDate !== 'number') return arrivalDate;
    const driverName =
      input.driverName === null ? state.driverName : isBlank(input.driverName) ? null : input.driverName;
    const changes = [
      {
        field: 'arrivalDate',
        oldValue: isoDateOrNull(state.arrivalDate),
        newValue: isoDateOrNull(arrivalDate),
      },
      { field: 'driverName', oldValue: state.driverName, newValue: driverName },
      ...auditFields(current, fields),
    ];
    if (changes.every(({ oldValue, newValue }) => oldValue === newValue)) return unchanged(answer);
    return mergeChanges(answer, [
      { writes: writeFields(scope, state.uuid, fields), audit: [] },
      shipmentChange(context, 'SHIPMENT_ARRIVED', state, { arrivalDate, driverName }, changes),
      { writes: [], audit: [], events: emit(context, 'SHIPMENT_ARRIVED', shipmentEntity, [state]) },
    ]);
  },
});

/** The input of a button that says that the truck is here now. */
export const firstArrival = (identifier: string): Arrival => ({
  identifier,
  arrivalDate: null,
  vehicle: null,
  driverName: null,
  onlyFirst: true,
});

interface Arrival extends NewArrival {
  identifier: string;
  /** Whether a shipment that has arrived already stays unchanged. So two taps are one arrival. */
  onlyFirst?: boolean;
}

/** Add a signature to a shipment. A completed shipment takes signatures, too, because a consignee signs later. */
export const signShipment = command('signShipment', {
  ask: ({ scope }, { identifier }: { identifier: string; signature: NewSignature }) => ({
    ...askShipment(scope, identifier),
    ...askSigned(scope, 'SHIPMENT', shipmentUuidOf(scope, identifier)),
  }),
  decide(context, { identifier, signature }, { signed, facts, ...rows }) {
    const found = foundShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    return shipmentSignatureChange(context, found.state, signature, { signed, facts });
  },
});
