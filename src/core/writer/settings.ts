import { type SQL, sql } from 'drizzle-orm';
import { MAIN } from '../lib/databases.ts';
import { parseJson } from '../lib/json.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import type { QuietHours } from '../lib/quiet.ts';
import { type Viewed, type ViewRow, view } from '../lib/view.ts';
import { type LABEL_SIZES, organization, type WORKER_IDENTIFICATIONS } from './settings-table.ts';

/** The types of a shipment's custom fields. DATE_TIME is ISO 8601 with an offset. */
export const FIELD_TYPES = ['TEXT', 'NUMBER', 'DATE_TIME'] as const;
/** The roles of custom fields that matter for loading. Pages show such a field wherever they show the shipment. */
export const FIELD_ROLES = ['CARRIER', 'VEHICLE', 'PLANNED_DEPARTURE', 'SEAL'] as const;
export type FieldRole = (typeof FIELD_ROLES)[number];

/** A custom field that shipments of an organization may have. */
export interface ShipmentCustomField {
  fieldKey: string;
  fieldType: (typeof FIELD_TYPES)[number];
  role: FieldRole | null;
}

/** The settings of an organization that requests depend on. */
export interface OrganizationSettings {
  uuid: string;
  name: string;
  slug: string;
  dispatchStrategy: 'MANIFEST' | 'SHIPMENT';
  clientFeatureEnabled: boolean;
  /** The maximum number of codes per allocation. */
  markerAllocationMaximum: number;
  /** The first code of the organization. */
  markerCodeStart: number;
  requestsPerMinute: number;
  /** A device is OFFLINE after this long without a heartbeat. */
  deviceOfflineAfterSeconds: number;
  /** After how many days closed shipments and their records are archived; null for never. */
  retentionDays: number | null;
  /** The time zone that pages show times in (IANA). */
  timeZone: string;
  /** How tablets of gates identify workers, if at all. */
  gateWorkerIdentification: (typeof WORKER_IDENTIFICATIONS)[number];
  /** The size of pallet labels. */
  labelSize: (typeof LABEL_SIZES)[number];
  /** The daily quiet hours as `HH:MM` in the time zone; null for none. */
  quietFrom: string | null;
  quietTo: string | null;
  shipmentCustomFields: ShipmentCustomField[];
  /** When the operator suspended the organization (epoch milliseconds); null if it is active. */
  suspendedDate: number | null;
  /** Whether the camera simulator may be used at its gates. */
  sandbox: boolean;
}

/** The stored form of an organization as JSON. `presentOrganization` makes the API's form from it. */
export const organizationView = view({
  uuid: organization.uuid,
  name: organization.name,
  slug: organization.slug,
  dispatchStrategy: organization.dispatchStrategy,
  clientFeatureEnabled: organization.clientFeatureEnabled,
  markerAllocationMaximum: organization.markerAllocationMaximum,
  markerCodeStart: organization.markerCodeStart,
  requestsPerMinute: organization.requestsPerMinute,
  deviceOfflineAfterSeconds: organization.deviceOfflineAfterSeconds,
  retentionDays: organization.retentionDays,
  timeZone: organization.timeZone,
  gateWorkerIdentification: organization.gateWorkerIdentification,
  labelSize: sql<(typeof LABEL_SIZES)[number]>`coalesce(${organization.labelSize}, 'A4')`,
  quietFrom: organization.quietFrom,
  quietTo: organization.quietTo,
  shipmentCustomFields: sql<ShipmentCustomField[]>`(SELECT json_group_array(json_object(
      'fieldKey', json_extract(value, '$.fieldKey'), 'fieldType', json_extract(value, '$.fieldType'),
      'role', json_extract(value, '$.role')))
    FROM json_each(${organization.shipmentCustomFields}))`,
  suspendedDate: organization.suspendedDate,
  sandbox: organization.sandbox,
  databaseName: sql<string>`coalesce(${organization.databaseName}, ${sql.raw(`'${MAIN}'`)})`,
  createDate: organization.createDate,
  updateDate: organization.updateDate,
});
export type StoredOrganization = Viewed<typeof organizationView>;

/** The answer to every credential and session of a suspended organization. */
export const SUSPENDED: Refusal = refusal('organizationSuspended', 'The organization is suspended.');

/** The quiet hours of an organization; null for none. */
export const quietHoursOf = ({
  quietFrom,
  quietTo,
  timeZone,
}: Pick<OrganizationSettings, 'quietFrom' | 'quietTo' | 'timeZone'>): QuietHours | null =>
  quietFrom && quietTo ? { from: quietFrom, to: quietTo, timeZone } : null;

/** Read the organization with this uuid. */
export function settingsQuery(uuid: string): SQL<ViewRow<typeof organizationView>> {
  return sql`SELECT ${organizationView} AS view FROM organization WHERE uuid = ${uuid}`;
}

/** The settings from a row of `settingsQuery`. */
export function toSettings(row: ViewRow<typeof organizationView>): OrganizationSettings {
  const { databaseName, createDate, updateDate, ...stored } = parseJson(row.view);
  return {
    ...stored,
    clientFeatureEnabled: stored.clientFeatureEnabled === 1,
    sandbox: stored.sandbox === 1,
  };
}
