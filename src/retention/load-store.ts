import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../core/lib/asks.ts';
import { sha256Hex } from '../core/lib/hash.ts';
import type { Json } from '../core/lib/json.ts';
import type { Scope } from '../core/lib/scope.ts';
import { openAboutShort, openAlertsQuery } from '../dispatch/alert/store.ts';
import { manifestView } from '../dispatch/load/manifest/store.ts';
import { WHOLE_LOOK as WHOLE_MANIFEST } from '../dispatch/load/manifest/validation-store.ts';
import { shipmentView, WHOLE_EXTENT as WHOLE_SHIPMENT } from '../dispatch/load/shipment/store.ts';
import type { ClosedLoad } from './rules.ts';

/** Open alerts that keep a load in the database. An alert that a load was completed short does not; see `shortAlertsQuery`. */
const openAlerts = ({ organization }: Scope): SQL =>
  sql`l.organization_uuid = ${organization} AND l.status = 'OPEN' AND +l.alert_type <> 'COMPLETED_SHORT'`;

/** The manifests that an open alert is about: by record, pallet or name. */
const alertedManifests = (scope: Scope): SQL => sql`SELECT a.manifest_uuid AS uuid
    FROM alert l CROSS JOIN asset_loading a ON a.uuid = l.record_uuid WHERE ${openAlerts(scope)}
  UNION SELECT a.manifest_uuid FROM alert l CROSS JOIN asset_loading a
    ON a.organization_uuid = l.organization_uuid AND a.wms_id = l.track_identifier WHERE ${openAlerts(scope)}
  UNION SELECT m.uuid FROM alert l CROSS JOIN manifest m ON m.organization_uuid = l.organization_uuid
    AND m.external_identifier = l.manifest_external_id AND m.deleted_date IS NULL WHERE ${openAlerts(scope)}`;

/** The shipments that an open alert is about, or that an unfinished operation names. */
const heldShipments = (
  scope: Scope,
): SQL => sql`SELECT s.shipment_uuid FROM (${alertedManifests(scope)}) alerted
    CROSS JOIN shipment_manifest s ON s.organization_uuid = ${scope.organization} AND s.manifest_uuid = alerted.uuid
  UNION SELECT p.uuid FROM alert l CROSS JOIN shipment p ON p.organization_uuid = l.organization_uuid
    AND p.external_identifier = l.shipment_external_id AND p.deleted_date IS NULL WHERE ${openAlerts(scope)}
  UNION SELECT p.uuid FROM operation o
    CROSS JOIN operation_part t ON t.organization_uuid = o.organization_uuid AND t.operation_uuid = o.uuid
    CROSS JOIN json_each(t.items) i
    CROSS JOIN shipment p ON p.organization_uuid = o.organization_uuid
      AND p.external_identifier = i.value ->> 'identifier'
      AND p.deleted_date IS NULL
    WHERE o.organization_uuid = ${scope.organization} AND o.due_date > 0`;

/** SQL conditions: nothing refers to a shipment, or to a manifest without a shipment. */
const shipmentIsFree = (scope: Scope): SQL => sql`shipment.uuid NOT IN (${heldShipments(scope)})`;
const manifestIsFree = (scope: Scope): SQL => sql`NOT EXISTS (SELECT 1 FROM shipment_manifest s
    WHERE s.organization_uuid = ${scope.organization} AND s.manifest_uuid = manifest.uuid)
  AND manifest.uuid NOT IN (${alertedManifests(scope)})`;

/** The first due units: closed before a date (epoch milliseconds), and nothing current refers to them. */
export function dueLoadsQuery(scope: Scope, before: number, maximum: number): SQL<ClosedLoad> {
  const first = sql`organization_uuid = ${scope.organization} AND close_date < ${before}`;
  return sql`SELECT * FROM (SELECT 'SHIPMENT' AS kind, uuid FROM shipment
      WHERE ${first} AND ${shipmentIsFree(scope)} ORDER BY close_date LIMIT ${maximum})
    UNION ALL SELECT * FROM (SELECT 'MANIFEST', uuid FROM manifest
      WHERE ${first} AND ${manifestIsFree(scope)} ORDER BY close_date LIMIT ${maximum})`;
}

/** A row if a unit is due. */
export function dueLoadQuery(scope: Scope, { kind, uuid }: ClosedLoad, before: number): SQL {
  const own = sql`uuid = ${uuid} AND +organization_uuid = ${scope.organization} AND +close_date < ${before}`;
  return kind === 'SHIPMENT'
    ? sql`SELECT 1 FROM shipment WHERE ${own} AND ${shipmentIsFree(scope)}`
    : sql`SELECT 1 FROM manifest WHERE ${own} AND ${manifestIsFree(scope)}`;
}

/** The open alerts that a unit or one of its manifests was completed short. They are resolved when it is archived. */
export const shortAlertsQuery = (scope: Scope, { uuid }: ClosedLoad): SQL<{ uuid: string }> =>
  openAlertsQuery(
    scope,
    openAboutShort(sql`IN (SELECT ${uuid} UNION ALL SELECT s.manifest_uuid FROM shipment_manifest s
      WHERE s.organization_uuid = ${scope.organization} AND s.shipment_uuid = ${uuid})`),
  );

/** A manifest or shipment of a unit. */
export interface LoadPart {
  uuid: string;
  externalIdentifier: string;
  publicToken: string | null;
  /** The JSON that its GET shows. */
  view: Json<object>;
  /** The number of its loading records. */
  recordsCount: number;
  /** A fingerprint of its records and their tracks. */
  records: string;
  /** The number of corrections since it was closed, which only grows. */
  correctionsCount: number;
}

const correctionsCount = (table: 'manifest' | 'shipment'): SQL => {
  const load = sql.raw(table);
  return sql`(SELECT count(*) FROM loading_correction c WHERE c.organization_uuid = ${load}.organization_uuid
    AND c.load_uuid = ${load}.uuid) AS "correctionsCount"`;
};

/** The reads that show the state of a unit, and so later changes: its shipment, and its manifests in order. */
export function askLoad(scope: Scope, { kind, uuid }: ClosedLoad) {
  const { organization } = scope;
  const manifests = sql<LoadPart>`SELECT manifest.uuid, manifest.external_identifier AS "externalIdentifier",
    manifest.public_token AS "publicToken", ${manifestView(WHOLE_MANIFEST)} AS view,
    (SELECT count(*) FROM asset_loading a
      WHERE a.organization_uuid = manifest.organization_uuid AND a.manifest_uuid = manifest.uuid) AS "recordsCount",
    (SELECT json_array(sum(a.update_date), count(t.uuid), sum(t.update_date), sum(t.damaged))
      FROM asset_loading a LEFT JOIN track t ON t.uuid = a.track_uuid
      WHERE a.organization_uuid = manifest.organization_uuid AND a.manifest_uuid = manifest.uuid) AS records,
    ${correctionsCount('manifest')}`;
  return {
    shipments:
      kind === 'SHIPMENT'
        ? sql<LoadPart>`SELECT shipment.uuid, shipment.external_identifier AS "externalIdentifier",
            shipment.public_token AS "publicToken", ${shipmentView(WHOLE_SHIPMENT)} AS view, 0 AS "recordsCount",
            '' AS records, ${correctionsCount('shipment')}
          FROM shipment WHERE shipment.uuid = ${uuid} AND shipment.organization_uuid = ${organization}`
        : undefined,
    manifests:
      kind === 'SHIPMENT'
        ? sql<LoadPart>`${manifests} FROM shipment_manifest s CROSS JOIN manifest ON manifest.uuid = s.manifest_uuid
            WHERE s.organization_uuid = ${organization} AND s.shipment_uuid = ${uuid} ORDER BY s.rowid`
        : sql<LoadPart>`${manifests} FROM manifest
            WHERE manifest.uuid = ${uuid} AND manifest.organization_uuid = ${organization}`,
  };
}

/** The state of a unit. */
export type LoadState = RowsOf<ReturnType<typeof askLoad>>;

/** A fingerprint of a unit. It covers everything that is copied of the unit. */
export const loadFingerprintOf = ({ shipments, manifests }: LoadState): string =>
  sha256Hex(JSON.stringify([shipments, manifests]));
