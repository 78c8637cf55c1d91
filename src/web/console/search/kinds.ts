import { type SQL, sql } from 'drizzle-orm';
import { emailKey } from '../../../access/user/email-rules.ts';
import { latestRows } from '../../../core/http/list-statements.ts';
import { inList } from '../../../core/lib/sql.ts';
import { fold } from '../../../core/lib/text.ts';
import { LOAD_STATUSES } from '../../../dispatch/load/shared/status-rules.ts';
import { foldedRole, roleDate, roleValue } from '../../../dispatch/load/shipment/store.ts';
import { isUntracked, openManifests } from '../../../dispatch/loading/store.ts';
import { TRACK_STATUSES } from '../../../dispatch/track/rules.ts';
import { type Candidates, spelledAs } from '../../../dispatch/track/store.ts';
import type { Key } from '../../../messages/messages.ts';
import type { Reading } from '../../../pallet/identifier.ts';
import type { Right } from '../../ui/parts/rights.ts';

/** A result of a search. */
export interface Hit {
  /** The path of its page below `/app`. */
  resource: string;
  uuid: string;
  name: string;
  /** Its status, or null for a kind without status. */
  state: string | null;
  /** Another distinguishing text; for a pallet the code of its marker. */
  note: string | number | null;
  /** Planned departure of a shipment in epoch milliseconds; or null. */
  departs: number | null;
}

/** The text to search for. */
export interface WantedHit {
  reading: Reading;
  /** Texts that may be an identifier of any kind. */
  ids: readonly string[];
  /** The texts and numbers that find pallets. */
  pallets: Candidates;
  /** The typed text, without invisible characters and surrounding blanks. */
  text: string;
}

/** The table of a kind. It has the same name as the kind. */
type KindName = Extract<Key, `findKind.${string}`> extends `findKind.${infer Name}` ? Name : never;

/** A kind of things that the search finds. */
export interface Kind {
  right: Right;
  feature?: 'SHIPMENT' | 'CLIENT';
  /** The list page with all matches. */
  list: string;
  table: KindName;
  /** SQL: the columns of a `Hit`. */
  columns: SQL;
  /** SQL condition: the row can be found. */
  live: SQL;
  /** SQL conditions: the identifier equals this text. Each one has its own index. */
  named(wanted: WantedHit, organization: string): (SQL | undefined)[];
  /** The folded texts in which a part is searched. */
  texts: SQL[];
  /** Whether it has custom fields; their whole values are searched. */
  hasFields?: true;
  /** The column for the order of the latest rows, which has an index. */
  date?: SQL;
  /** SQL: the rows in which a part of an identifier is searched, if they are not the latest rows of the table. */
  rows?(organization: string): SQL;
}

const called = (organization: string, column: SQL, values: readonly (string | number)[]): SQL =>
  sql`organization_uuid = ${organization} AND ${column} ${inList(values)}`;
/** SQL condition: of the tracks with one WMS id, the live one or else the latest. */
const latest = sql`uuid = (SELECT t.uuid FROM track t
  WHERE t.organization_uuid = track.organization_uuid AND t.wms_id = track.wms_id AND t.deleted_date IS NULL
  ORDER BY t.retirement = 'RETIRED', t.create_date DESC LIMIT 1)`;
const nothing = sql`NULL`;
const hit = (resource: SQL, name: SQL, state = nothing, note = nothing, departs = nothing): SQL =>
  sql`${resource} AS resource, uuid, ${name} AS name, ${state} AS state, ${note} AS note, ${departs} AS departs`;
/** How many of the newest completed manifests the search reads for a part of the id of a pallet without a marker. */
const COMPLETED_MAXIMUM = 500;
const latestCompleted = (organization: string): SQL => sql`SELECT uuid FROM manifest
  WHERE organization_uuid = ${organization} AND manifest_status = 'COMPLETED' AND deleted_date IS NULL
  ORDER BY create_date DESC LIMIT ${COMPLETED_MAXIMUM}`;
const NAMING_ROLES = ['CARRIER', 'VEHICLE', 'SEAL'] as const;
/** SQL: carrier, vehicle and seal of a shipment, or an empty text. */
const roleTexts = sql`concat_ws(' · ', ${sql.join(
  NAMING_ROLES.map((role) => roleValue(role, sql`shipment`)),
  sql`, `,
)})`;
const undeleted = sql`deleted_date IS NULL`;

/** All kinds, in the order in which results are shown. */
export const KINDS: readonly Kind[] = [
  {
    right: 'see',
    list: '/app/track',
    table: 'track',
    columns: hit(sql`'track'`, sql`wms_id`, sql`status`, sql`marker_code`),
    live: undeleted,
    named: ({ pallets: { ids, folded, markers } }, organization) => [
      ...spelledAs(ids, folded).map(
        (isSpelled) => sql`organization_uuid = ${organization} AND ${isSpelled} AND ${latest}`,
      ),
      markers.length === 0 ? undefined : called(organization, sql`marker_code`, markers),
    ],
    texts: [sql`folded_wms_id`, sql`CAST(marker_code AS TEXT)`],
    hasFields: true,
    rows: (organization) => latestRows('track', organization, TRACK_STATUSES),
  },
  {
    right: 'see',
    list: '/app/asset',
    table: 'asset_loading',
    columns: hit(sql`'asset'`, sql`wms_id`, sql`loading_status`),
    live: isUntracked(sql`asset_loading`),
    named: ({ ids }, organization) => [called(organization, sql`wms_id`, ids)],
    texts: [sql`lower(wms_id)`],
    rows: (organization) => sql`SELECT a.* FROM (SELECT * FROM (${openManifests(organization)})
        UNION ALL SELECT * FROM (${latestCompleted(organization)})) m CROSS JOIN asset_loading a
        ON a.organization_uuid = ${organization} AND a.manifest_uuid = m.uuid`,
  },
  {
    right: 'see',
    list: '/app/manifest',
    table: 'manifest',
    columns: hit(sql`'manifest'`, sql`external_identifier`, sql`manifest_status`),
    live: undeleted,
    named: ({ ids }, organization) => [called(organization, sql`external_identifier`, ids)],
    texts: [sql`folded_identifier`],
    hasFields: true,
    rows: (organization) => latestRows('manifest', organization, LOAD_STATUSES),
  },
  {
    right: 'see',
    feature: 'SHIPMENT',
    list: '/app/shipment',
    table: 'shipment',
    columns: hit(
      sql`'shipment'`,
      sql`external_identifier`,
      sql`status`,
      sql`nullif(${roleTexts}, '')`,
      roleDate('PLANNED_DEPARTURE', sql`shipment`),
    ),
    live: undeleted,
    named: ({ ids, text }, organization) => [
      called(organization, sql`external_identifier`, ids),
      // Carrier, vehicle or seal.
      sql`+organization_uuid = ${organization} AND uuid IN (SELECT s.uuid FROM organization o
          JOIN json_each(o.shipment_custom_fields) configured ON json_extract(configured.value, '$.role') IS NOT NULL
          CROSS JOIN custom_field ON custom_field.organization_uuid = o.uuid
            AND field_key = json_extract(configured.value, '$.fieldKey') AND field_value = ${text}
          CROSS JOIN shipment s ON s.uuid = owner_uuid
        WHERE o.uuid = ${organization})`,
    ],
    texts: [
      sql`folded_identifier`,
      sql`folded_notes`,
      ...NAMING_ROLES.map((role) => foldedRole(role, sql`shipment`)),
    ],
    hasFields: true,
    rows: (organization) => latestRows('shipment', organization, LOAD_STATUSES),
  },
  {
    right: 'see',
    list: '/app/gate',
    table: 'gate',
    columns: hit(
      sql`'gate'`,
      sql`external_identifier`,
      sql`NULL`,
      sql`iif(name = external_identifier, NULL, name)`,
    ),
    live: undeleted,
    named: ({ ids }, organization) => [called(organization, sql`external_identifier`, ids)],
    texts: [sql`folded_identifier`, sql`folded_name`],
  },
  {
    right: 'see',
    feature: 'CLIENT',
    list: '/app/client',
    table: 'client',
    columns: hit(sql`'client'`, sql`display_name`, sql`NULL`, sql`external_id`),
    live: undeleted,
    named: ({ ids }, organization) => [
      called(organization, sql`folded_external_id`, ids.map(fold)),
      called(organization, sql`folded_display_name`, ids.map(fold)),
    ],
    texts: [sql`folded_display_name`, sql`folded_external_id`],
  },
  {
    right: 'see',
    list: '/app/archive',
    table: 'archive_entry',
    columns: hit(sql`'archive'`, sql`external_identifier`, sql`entity_type`),
    live: undeleted,
    named: ({ ids }, organization) => [called(organization, sql`external_identifier`, ids)],
    texts: [sql`folded_identifier`],
    date: sql`close_date`,
  },
  {
    right: 'seeOffice',
    list: '/app/printing-batch',
    table: 'printing_batch',
    columns: hit(sql`'printing-batch'`, sql`external_identifier`, sql`status`),
    live: sql`deleted_date IS NULL AND external_identifier IS NOT NULL`,
    named: ({ ids }, organization) => [called(organization, sql`external_identifier`, ids)],
    texts: [sql`folded_identifier`],
  },
  {
    right: 'seeDevices',
    list: '/app/scanner',
    table: 'device',
    columns: hit(sql`lower(replace(device_type, '_', '-'))`, sql`name`, sql`NULL`, sql`serial_number`),
    live: undeleted,
    named: () => [],
    texts: [sql`folded_name`, sql`folded_serial_number`, sql`folded_hostname`],
  },
  {
    right: 'seeOffice',
    list: '/app/webhook',
    table: 'webhook',
    columns: hit(
      sql`'webhook'`,
      sql`name`,
      sql`CASE WHEN active = 1 THEN 'ACTIVE' WHEN disabled_reason IS NULL THEN 'PAUSED' ELSE 'DISABLED' END`,
      sql`url`,
    ),
    live: sql`TRUE`,
    // An organization has few of these.
    named: ({ ids }, organization) => [called(organization, sql`name`, ids)],
    texts: [sql`coalesce(folded_name, lower(name))`, sql`lower(url)`],
  },
  {
    right: 'seeUsers',
    list: '/app/user',
    table: 'user',
    columns: hit(sql`'user'`, sql`first_name || ' ' || last_name`, sql`NULL`, sql`email`),
    live: undeleted,
    named: ({ ids }, organization) => [called(organization, sql`folded_email`, ids.map(emailKey))],
    texts: [sql`folded_first_name`, sql`folded_last_name`, sql`folded_email`, sql`lower(email)`],
  },
];
