import { type SQL, sql } from 'drizzle-orm';
import { type FieldChange, listChanges } from '../audit/chain.ts';
import type { CustomFieldInput } from '../custom-field/schema.ts';
import { tell, tellGates } from '../event/store.ts';
import type { Write } from '../lib/database.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import type { Change, Context, Part } from '../writer/command.ts';
import { fieldFaults } from './rules.ts';
import { BRIEF, type ShipmentState, shipmentView, WHOLE } from './store.ts';
import { shipment } from './table.ts';

/** A change of the shipment's own row with its audit entry. */
export function touched(
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

/** Tell of a shipment that came, went or changed its status, and of its gates where that changed theirs. */
export const tellShipment = (
  context: Context,
  state: { uuid: string; externalIdentifier: string },
  gateUuids: readonly (string | null)[],
): Write[] => [
  ...tell(context, 'SHIPMENT_STATUS_CHANGED', 'SHIPMENT', [state]),
  ...tellGates(context, gateUuids),
];

/** Refuse fields that the organization has not configured, all of them at once. */
export function checkFields(
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

/**
 * The shipment as it is once all is written. A request that names many manifests is answered with all; for one that
 * names few, the answer is no longer than it has to be: it is kept.
 */
export const answerOf = ({ database }: Context, uuid: string, named = 0): SQL => sql`SELECT
  ${shipmentView(named > BRIEF.items ? WHOLE : BRIEF)} FROM shipment
  WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`;

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
export const audited = (
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
