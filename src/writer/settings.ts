import { type SQL, sql } from 'drizzle-orm';

/** A custom field that shipments of an organization may carry. */
export interface ShipmentCustomField {
  fieldKey: string;
  fieldType: 'TEXT' | 'NUMBER';
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
  shipmentCustomFields: ShipmentCustomField[];
}

/** JSON of an organization as it is stored; `presentOrganization` makes the API's form of it. */
export const organizationView = sql<StoredOrganization>`json_object(
  'uuid', organization.uuid, 'name', organization.name, 'slug', organization.slug,
  'dispatchStrategy', dispatch_strategy, 'clientFeatureEnabled', client_feature_enabled,
  'markerAllocationMaximum', marker_allocation_maximum, 'markerCodeStart', marker_code_start,
  'requestsPerMinute', requests_per_minute, 'deviceOfflineAfterSeconds', device_offline_after_seconds,
  'shipmentCustomFields', json(shipment_custom_fields),
  'createDate', organization.create_date, 'updateDate', organization.update_date)`;

/** An organization's row as `organizationView` gives it. */
export interface StoredOrganization extends Omit<OrganizationSettings, 'clientFeatureEnabled'> {
  clientFeatureEnabled: 0 | 1;
  createDate: number;
  updateDate: number;
}

/** Read one organization; its own uuid is the scope. */
export function settingsQuery(uuid: string): SQL {
  return sql`SELECT ${organizationView} AS view FROM organization WHERE uuid = ${uuid}`;
}

/** The settings in a row of `settingsQuery`. */
export function toSettings(row: Record<string, unknown>): OrganizationSettings {
  const { createDate, updateDate, ...stored } = JSON.parse(row['view'] as string) as StoredOrganization;
  return { ...stored, clientFeatureEnabled: stored.clientFeatureEnabled === 1 };
}
