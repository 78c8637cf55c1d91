import { type SQL, sql } from 'drizzle-orm';
import { MAIN } from '../lib/databases.ts';
import { parseJson } from '../lib/json.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import { type Viewed, type ViewRow, view } from '../lib/view.ts';
import { organization, type WORKER_IDENTIFICATIONS } from './settings-table.ts';

/** What a value of a shipment's custom field is: DATE_TIME is ISO 8601 with an offset. */
export const FIELD_TYPES = ['TEXT', 'NUMBER', 'DATE_TIME'] as const;
/** What a field tells those who load: it is shown wherever they look. */
export const FIELD_ROLES = ['CARRIER', 'VEHICLE', 'PLANNED_DEPARTURE', 'SEAL'] as const;
export type FieldRole = (typeof FIELD_ROLES)[number];

/** A custom field that shipments of an organization may carry. */
export interface ShipmentCustomField {
  fieldKey: string;
  fieldType: (typeof FIELD_TYPES)[number];
  role: FieldRole | null;
}

/** The settings of an organization that decide how its requests are answered. */
export interface OrganizationSettings {
  uuid: string;
  name: string;
  slug: string;
  dispatchStrategy: 'MANIFEST' | 'SHIPMENT';
  clientFeatureEnabled: boolean;
  /** Codes one allocation may take. */
  markerAllocationMaximum: number;
  /** The first code of the organization. */
  markerCodeStart: number;
  requestsPerMinute: number;
  /** A device that was not heard of for longer is OFFLINE. */
  deviceOfflineAfterSeconds: number;
  /** After how many days what is closed goes to the archive; null for never. */
  retentionDays: number | null;
  /** The zone that times are shown in (IANA). */
  timeZone: string;
  /** Whether tablets of gates ask who works there, and how. */
  gateWorkerIdentification: (typeof WORKER_IDENTIFICATIONS)[number];
  shipmentCustomFields: ShipmentCustomField[];
  /** Since when the operator has it suspended (epoch milliseconds); null where it works. */
  suspendedDate: number | null;
  /** Whether cameras can be played at its gates. */
  sandbox: boolean;
}

/** JSON of an organization as it is stored; `presentOrganization` makes the API's form of it. */
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

/** What is answered to whoever comes with a credential or session of an organization that is suspended. */
export const SUSPENDED: Refusal = refusal('organizationSuspended', 'The organization is suspended.');

/** Read one organization; its own uuid is the scope. */
export function settingsQuery(uuid: string): SQL<ViewRow<typeof organizationView>> {
  return sql`SELECT ${organizationView} AS view FROM organization WHERE uuid = ${uuid}`;
}

/** The settings in a row of `settingsQuery`. */
export function toSettings(row: ViewRow<typeof organizationView>): OrganizationSettings {
  const { databaseName, createDate, updateDate, ...stored } = parseJson(row.view);
  return {
    ...stored,
    clientFeatureEnabled: stored.clientFeatureEnabled === 1,
    sandbox: stored.sandbox === 1,
  };
}
