import { type SQL, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { deepLink } from '../../core/http/link.ts';
import { bounded, type Extent, itemsOf, truncation } from '../../core/lib/bounded.ts';
import type { Json } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { isoDate } from '../../core/lib/time.ts';
import { type Viewed, type ViewRow, view } from '../../core/lib/view.ts';
import type { GateReference } from './rules.ts';

/** A gate where manifests are loaded. Dates are epoch milliseconds. */
export const gate = sqliteTable('gate', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  externalIdentifier: text('external_identifier').notNull(),
  name: text('name').notNull(),
  localManagerUuid: text('local_manager_uuid'),
  /** Its Global Location Number (GLN). */
  gln: text('gln'),
  /** The status in the last event about the gate. */
  toldStatus: text('told_status').notNull().default('AVAILABLE'),
  /** Folded texts that `q` searches. */
  foldedIdentifier: text('folded_identifier').notNull(),
  foldedName: text('folded_name').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});

const manifestsThere = sql`FROM manifest WHERE manifest.organization_uuid = gate.organization_uuid
  AND gate_uuid = gate.uuid AND manifest_status = 'IN_PROGRESS' AND manifest.deleted_date IS NULL`;
const shipmentsThere = sql`FROM shipment WHERE shipment.organization_uuid = gate.organization_uuid
  AND gate_uuid = gate.uuid AND shipment.status = 'IN_PROGRESS' AND shipment.deleted_date IS NULL`;

/**
 * The status of a gate: LOADING while a manifest or shipment is in progress there, OUT_OF_SERVICE
 * after its deletion.
 */
export const gateStatus = sql<
  'AVAILABLE' | 'LOADING' | 'OUT_OF_SERVICE'
>`CASE WHEN gate.deleted_date IS NOT NULL THEN 'OUT_OF_SERVICE'
  WHEN EXISTS (SELECT 1 ${manifestsThere}) OR EXISTS (SELECT 1 ${shipmentsThere}) THEN 'LOADING'
  ELSE 'AVAILABLE' END`;

/** How many active manifests and shipments of a gate are shown. */
const ACTIVE: Extent = { items: 100, bytes: 20_000 };

/** They are sorted by the time they became active. Beyond the limit, not all of them are sorted. */
const active = (there: SQL, uuid: SQL) =>
  bounded(
    sql<{
      item: Json<string>;
    }>`SELECT json_quote(external_identifier) AS item FROM (SELECT external_identifier, activate_date,
      ${uuid} AS key ${there} LIMIT ${sql.raw(String(ACTIVE.items + 1))}) ORDER BY activate_date, key`,
    ACTIVE,
  );

/** JSON of a gate with its active manifests and shipments. */
export const gateView = view({
  uuid: gate.uuid,
  name: gate.name,
  status: gateStatus,
  externalIdentifier: gate.externalIdentifier,
  localManagerUuid: gate.localManagerUuid,
  gln: gate.gln,
  createDate: gate.createDate,
  updateDate: gate.updateDate,
  deletedDate: gate.deletedDate,
  activeManifestExternalIds: active(manifestsThere, sql`manifest.uuid`),
  activeShipmentExternalIds: active(shipmentsThere, sql`shipment.uuid`),
  openAlertsCount: sql<number>`(SELECT count(*) FROM alert WHERE alert.organization_uuid = gate.organization_uuid
    AND alert.gate_uuid = gate.uuid AND alert.status = 'OPEN')`,
});
export type StoredGate = Viewed<typeof gateView>;

/** A gate as the API lists it. */
export function presentGate(links: string, { deletedDate, ...stored }: StoredGate) {
  return {
    ...stored,
    activeManifestExternalIds: itemsOf(stored.activeManifestExternalIds),
    activeShipmentExternalIds: itemsOf(stored.activeShipmentExternalIds),
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'gate', stored.uuid),
    deleted: deletedDate !== null,
    ...truncation(stored.activeManifestExternalIds, stored.activeShipmentExternalIds),
  };
}

/** Gates in service to choose from, by external id, up to a limit. */
export const gateNamesQuery = (
  { organization }: Scope,
  limit: number,
): SQL<GateReference> => sql`SELECT uuid, external_identifier AS "externalIdentifier", name
  FROM gate WHERE organization_uuid = ${organization} AND deleted_date IS NULL
  ORDER BY external_identifier LIMIT ${limit}`;

/** JSON of the gate in a column; null without a gate. */
export const gateReferenceView = (
  organization: SQL,
  gateUuid: SQL,
): SQL<GateReference | null> => sql`json((SELECT
  json_object('uuid', uuid, 'externalIdentifier', external_identifier, 'name', name) FROM gate
  WHERE organization_uuid = ${organization} AND uuid = ${gateUuid}))`;

/** A reference to a gate as the API shows it. */
export function presentGateReference(links: string, gate: GateReference | null) {
  return gate && { ...gate, deepLink: deepLink(links, 'gate', gate.uuid) };
}

/** The external id of the gate in a column. */
export const gateExternalIdOf = (
  organization: SQL,
  gateUuid: SQL,
): SQL => sql`(SELECT assigned.external_identifier
  FROM gate assigned WHERE assigned.organization_uuid = ${organization} AND assigned.uuid = ${gateUuid})`;

/**
 * The condition for the gate with this external id, or else with this uuid. It uses two look-ups by
 * unique index, as for manifests.
 */
const gateNamed = ({ organization }: Scope, identifier: string): SQL => sql`
  gate.uuid = coalesce((SELECT named.uuid FROM gate named
      WHERE named.organization_uuid = ${organization} AND named.external_identifier = ${identifier}
        AND named.deleted_date IS NULL), ${identifier.toLowerCase()})
    AND gate.organization_uuid = ${organization} AND gate.deleted_date IS NULL`;

/** Read a gate by external id, then by uuid. */
export const gateQuery = (scope: Scope, identifier: string): SQL<FoundGate> => sql`SELECT uuid,
  external_identifier AS "externalIdentifier", name, local_manager_uuid AS "localManagerUuid" FROM gate
  WHERE ${gateNamed(scope, identifier)}`;

/** Read the JSON of a gate by external id, then by uuid. */
export const gateViewQuery = (database: Scope, identifier: string) =>
  sql<
    ViewRow<typeof gateView>
  >`SELECT ${gateView} AS view FROM gate WHERE ${gateNamed(database, identifier)}`;

/** `IN (…)` over the gates that a filter names by external id or uuid. Deleted gates count too. */
export const gatesNamed = (organization: string, identifiers: readonly string[]): SQL => sql`IN (SELECT uuid
  FROM gate WHERE organization_uuid = ${organization} AND (external_identifier ${inList(identifiers)}
    OR uuid ${inList(identifiers.map((identifier) => identifier.toLowerCase()))}))`;

/** A row of `gateQuery`. */
export interface FoundGate extends GateReference {
  localManagerUuid: string | null;
}

/** Returns a row if the local manager exists. */
export const localManagerQuery = ({ organization }: Scope, uuid: string): SQL => sql`SELECT 1 FROM device
  WHERE uuid = ${uuid.toLowerCase()} AND +organization_uuid = ${organization} AND device_type = 'LOCAL_MANAGER'
    AND deleted_date IS NULL`;
