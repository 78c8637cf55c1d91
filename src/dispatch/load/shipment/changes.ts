import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../../../core/lib/asks.ts';
import type { FieldChange } from '../../../core/lib/changes.ts';
import { definiteInstant } from '../../../core/lib/date.ts';
import { smallest } from '../../../core/lib/extremes.ts';
import { taggedToken } from '../../../core/lib/id.ts';
import { missing, missingIn, named } from '../../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../../core/lib/problem.ts';
import type { Scope, Write } from '../../../core/lib/scope.ts';
import { inList } from '../../../core/lib/sql.ts';
import { fold } from '../../../core/lib/text.ts';
import { viewOf } from '../../../core/lib/view.ts';
import type { AuditAction } from '../../../core/writer/audit-actions.ts';
import { auditing } from '../../../core/writer/audited.ts';
import { listChanges } from '../../../core/writer/chain.ts';
import {
  type Change,
  type ChangePart,
  type Context,
  isRefusal,
  staleMatch,
} from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import { settledDeparturesChange } from '../../alert/changes.ts';
import { openAboutDeparture, openAlertsQuery } from '../../alert/store.ts';
import type { CustomFieldInput, diffFields, StoredField } from '../../custom-field/rules.ts';
import { insertFieldsOf } from '../../custom-field/store.ts';
import { type AtGates, gateEventChanges } from '../../gate/commands.ts';
import { assignedTo, gateChange } from '../../gate/rules.ts';
import type { FoundGate } from '../../gate/store.ts';
import { assignGate } from '../manifest/changes.ts';
import type { ManifestState } from '../manifest/store.ts';
import { comingIds, comingQuery, type PlacedRow, placedQuery, whereQuery } from '../shared/asset-store.ts';
import { type NewSignature, signatureChange } from '../shared/signature-changes.ts';
import type { SignedFacts } from '../shared/signature-rules.ts';
import type { Signed, StoredSignature } from '../shared/signature-store.ts';
import { isLoadOpen, type LoadStatus } from '../shared/status-rules.ts';
import { fieldFaults, roleKey, storedFields } from './rules.ts';
import {
  BRIEF_EXTENT,
  membersQuery,
  movedWith,
  type ShipmentState,
  type StoredShipment,
  shipmentEntity,
  shipmentFieldsQuery,
  shipmentQuery,
  shipmentStateQuery,
  shipmentUuidOf,
  shipmentView,
  WHOLE_EXTENT,
} from './store.ts';
import { shipment } from './table.ts';

/** A shipment as commands find it. */
export interface FoundShipment {
  state: ShipmentState;
  members: readonly ManifestState[];
}

/** Read the shipment in the path. With `If-Match`, also read its view. */
export const askShipment = (scope: Scope, identifier: string, ifMatch: string | null = null) => ({
  states: shipmentStateQuery(scope, identifier),
  members: membersQuery(scope, identifier),
  views: ifMatch === null ? undefined : shipmentQuery(scope, identifier),
});

/** Read the shipment and its custom fields, as `fields`. Also read the open alerts about its departure. */
export const askWithFields = (scope: Scope, identifier: string, ifMatch: string | null = null) => ({
  ...askShipment(scope, identifier, ifMatch),
  fields: shipmentFieldsQuery(scope, identifier),
  alerts: departureAlertsQuery(scope, identifier),
});

/** Read the loading records of a shipment that are not NOT_LOADED, for commands that take manifests from it. */
export const askPlaced = (scope: Scope, identifier: string): SQL<PlacedRow> =>
  placedQuery(scope, movedWith(scope, identifier));

/** Read the records of manifests that come to a shipment in progress, and where their pallets are. */
export function askComing(scope: Scope, identifier: string, manifests: SQL) {
  const comes = sql`EXISTS (SELECT 1 FROM shipment WHERE shipment.uuid = ${shipmentUuidOf(scope, identifier)}
    AND shipment.status = 'IN_PROGRESS')`;
  return {
    coming: comingQuery(scope, manifests, comes),
    where: whereQuery(scope, comingIds(scope, manifests, comes)),
  };
}

/** The open alerts about the departure of a shipment. */
export const departureAlertsQuery = (scope: Scope, identifier: string): SQL<{ uuid: string }> =>
  openAlertsQuery(scope, openAboutDeparture(shipmentUuidOf(scope, identifier)));

/** The shipment from these rows, or a refusal. */
export function foundShipment(
  { states: [state], members, views: [shown] }: RowsOf<ReturnType<typeof askShipment>>,
  { identifier, ifMatch = null }: { identifier: string; ifMatch?: string | null },
): FoundShipment | Refusal {
  if (!state) return missing('shipmentNotFound', identifier);
  const stale = shown && staleMatch(ifMatch, shown.view, named('Shipment', state.externalIdentifier));
  if (stale) return stale;
  return { state, members };
}

/** Like `foundShipment`, but a closed shipment is refused. */
export function openShipment(...args: Parameters<typeof foundShipment>): FoundShipment | Refusal {
  const found = foundShipment(...args);
  return isRefusal(found) ? found : (refuseClosedShipment(found.state) ?? found);
}

/** The refusal if the shipment is closed. */
export const refuseClosedShipment = ({ externalIdentifier, status }: ShipmentState): Refusal | undefined =>
  isLoadOpen(status)
    ? undefined
    : refusal('shipmentClosed', `${named('Shipment', externalIdentifier)} is ${status}.`, {
        facts: { name: externalIdentifier, status },
      });

/** Whether a manifest is cancelled. It then no longer follows its shipment. */
export const isCancelled = ({ manifestStatus }: ManifestState): boolean => manifestStatus === 'CANCELLED';

/** A change of the shipment's own row with its audit entry. */
export function shipmentChange(
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
export function assignedGateChanges(
  context: Context,
  found: readonly Pick<FoundShipment, 'state' | 'members'>[],
  gate: FoundGate,
): ChangePart[] {
  const assigned = assignedTo(gate);
  const moved = found.filter(({ state }) => state.gateUuid !== gate.uuid);
  const members = moved.flatMap((one) => one.members).filter((member) => !isCancelled(member));
  return gateEventChanges(context, [
    assignGate(context, members, assigned),
    ...moved.map(({ state }) => ({
      part: shipmentChange(context, 'SHIPMENT_GATE_ASSIGNED', state, { gateUuid: gate.uuid }, [
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
export function refuseFaults(errors: ProblemItem[]): Refusal | undefined {
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

/** The key of the custom field that holds the planned departure; null if the organization plans no departures. */
const departureKey = ({ organization }: Context): string | null =>
  roleKey(organization!.shipmentCustomFields, 'PLANNED_DEPARTURE');

/** The departures of an organization are checked at this date (epoch milliseconds; 0 for now), or earlier. */
const checkedAt = ({ organization }: Scope, date: number): Write =>
  sql`INSERT INTO departure_due VALUES (${organization}, ${date}) ON CONFLICT DO UPDATE
    SET due_date = excluded.due_date WHERE excluded.due_date < departure_due.due_date`;

/** Check the departures now if one of these custom fields is the departure. */
export const checkedNow = (context: Context, fields: readonly { fieldKey: string }[]): Write[] =>
  fields.some(({ fieldKey }) => fieldKey === departureKey(context)) ? [checkedAt(context.scope, 0)] : [];

/**
 * A new status of an open shipment requests a check of the departures, because the shipment may be at risk from now on.
 * Without planned departures there is nothing to check, and the run of all jobs would cost more than the commit.
 */
export const movedStatusChange = (context: Context, status: LoadStatus): Pick<ChangePart, 'jobs'> =>
  isLoadOpen(status) && departureKey(context) !== null ? { jobs: true } : {};

/** The custom fields of a shipment before a change, and the difference that the change makes. */
interface ChangedFields {
  current: readonly { fieldKey: string; fieldValue: string }[];
  fields: Pick<ReturnType<typeof diffFields>, 'added' | 'updated' | 'removed'>;
  /** The open alerts about its departure. */
  alerts: readonly { uuid: string }[];
}

/**
 * The changes that follow from new values of custom fields. If the departure moves to another instant, they request a
 * check of the departures and resolve the alerts about the departure before. A shipment that is still late gets a new
 * alert from the check.
 */
export function movedDepartureChange(
  context: Context,
  { current, fields: { added, updated, removed }, alerts }: ChangedFields,
): ChangePart {
  const key = departureKey(context);
  const instant = (fields: ChangedFields['current']): number | undefined => {
    const field = fields.find(({ fieldKey }) => fieldKey === key);
    return field && definiteInstant(field.fieldValue);
  };
  const changed = [...added, ...updated, ...removed].some(({ fieldKey }) => fieldKey === key);
  if (!changed || instant(current) === instant([...added, ...updated])) return { writes: [], audit: [] };
  const settled = settledDeparturesChange(context, alerts);
  return { ...settled, writes: [...settled.writes, checkedAt(context.scope, 0)], jobs: true };
}

/** Check the departures of new shipments, which have these custom fields, when the first departure is due. */
export function newDepartureChange(context: Context, added: ChangedFields['current']): ChangePart {
  const key = departureKey(context);
  const dates = added
    .filter(({ fieldKey }) => fieldKey === key)
    .map(({ fieldValue }) => definiteInstant(fieldValue));
  return dates.length === 0
    ? { writes: [], audit: [] }
    : { writes: [checkedAt(context.scope, smallest(dates))], audit: [], jobs: true };
}

/**
 * Set the carriers in the figures of these shipments, after a change of their custom fields. Shipments that are not
 * completed have no figures.
 */
export const figuresOfCarriers = ({ organization }: Scope, uuids: readonly string[]): SQL =>
  sql`UPDATE shipment_figures SET carrier = (SELECT f.carrier FROM computed_fields f
      WHERE f.shipment_uuid = shipment_figures.shipment_uuid)
    WHERE (organization_uuid, close_date, shipment_uuid) IN (SELECT s.organization_uuid, s.close_date, s.uuid
      FROM shipment s WHERE s.uuid ${inList(uuids)} AND +s.organization_uuid = ${organization} AND s.status = 'COMPLETED')`;

/** A shipment to insert. It has the status TO_DO. */
interface InsertedShipment {
  uuid: string;
  externalIdentifier: string;
  gateUuid: string | null;
  notes: string | null;
  fields: readonly StoredField[];
}

/** Insert shipments with their custom fields, and without manifests. Each gets a token for its driver. */
export const insertShipments = ({ scope, now }: Context, shipments: readonly InsertedShipment[]): Write[] => [
  ...scope.insert(
    shipment,
    shipments.map(({ fields: _, ...row }) => ({
      ...row,
      status: 'TO_DO' as const,
      driverToken: taggedToken(scope.organization),
      foldedIdentifier: fold(row.externalIdentifier),
      foldedNotes: fold(row.notes ?? ''),
      createDate: now,
      updateDate: now,
    })),
  ),
  ...insertFieldsOf(
    scope,
    shipments.flatMap(({ uuid: ownerUuid, fields }) => fields.map((field) => ({ ownerUuid, ...field }))),
  ),
];

/** Add a signature to a shipment. `fields` are set in the same step, and the signature covers their new values. */
export function shipmentSignatureChange(
  context: Context,
  state: ShipmentState,
  signature: NewSignature,
  { signed, facts: [facts] }: { signed: readonly Signed[]; facts: readonly SignedFacts[] },
  fields: readonly CustomFieldInput[] = [],
): Change<StoredSignature> | Refusal {
  if (state.status === 'CANCELLED') return refuseClosedShipment(state)!;
  const valueWith = (role: 'VEHICLE' | 'SEAL', before: string | null) => {
    const key = context.organization!.shipmentCustomFields.find((field) => field.role === role)?.fieldKey;
    return fields.find(({ fieldKey }) => fieldKey === key)?.fieldValue ?? before;
  };
  const load = {
    uuid: state.uuid,
    externalIdentifier: state.externalIdentifier,
    title: named('Shipment', state.externalIdentifier),
    status: state.status,
    facts: {
      ...facts!,
      vehicle: valueWith('VEHICLE', facts!.vehicle),
      seal: valueWith('SEAL', facts!.seal),
    },
    entity: shipmentEntity,
    touched: (changes: Parameters<typeof shipmentChange>[4]) =>
      shipmentChange(context, 'SIGNATURE_ADDED', state, {}, changes),
  };
  return signatureChange(context, load, signature, signed);
}
