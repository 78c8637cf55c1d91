/** A table whose rows belong to organizations. */
export interface TenantRows {
  name: string;
  /** The key of its rows; together with the organization, where `ofOrganization`. */
  key: readonly string[];
  ofOrganization?: true;
  /** Whether the order in which rows were inserted matters. */
  ordered?: true;
  /** For a view, the table that has its rows, with `organization_number` in place of the uuid. */
  storedIn?: string;
  /** Columns that are derived from others. */
  derived?: readonly string[];
  /** The column that names objects of the bucket, and the keys in it. */
  objects?: { column: string; keys: ObjectKeys };
}

/**
 * The keys of objects that rows of a table name. `OWN`: below a prefix that contains the uuid of the organization.
 * `ANY`: anywhere, so only the row shows to whom the object belongs; an import gives them new keys. `ABANDONED`: the
 * same, and the object is about to be deleted; the rows are neither exported nor imported.
 */
export type ObjectKeys = 'OWN' | 'ANY' | 'ABANDONED';

/**
 * Everything that belongs to an organization except its own row, in the order in which it is moved, exported and
 * erased.
 */
export const TENANT_ROWS: readonly TenantRows[] = [
  {
    name: 'audit_log',
    key: ['sequence_number'],
    ofOrganization: true,
    storedIn: 'audit_record',
    derived: ['organization_number', 'changes'],
  },
  { name: 'store_rewind', key: ['sequence_number'], ofOrganization: true },
  { name: 'loading_correction', key: ['manifest_uuid', 'sequence_number'], ofOrganization: true },
  { name: 'idempotency', key: ['key'], ofOrganization: true },
  { name: 'event', key: ['sequence_number'], ofOrganization: true },
  { name: 'authority', key: ['uuid'] },
  { name: 'user', key: ['uuid'] },
  { name: 'session', key: ['uuid'] },
  { name: 'saved_view', key: ['uuid'] },
  { name: 'identity_provider', key: ['uuid'] },
  { name: 'identity', key: ['uuid'] },
  { name: 'passkey', key: ['uuid'] },
  { name: 'used_challenge', key: ['challenge_hash'], ofOrganization: true },
  { name: 'credential', key: ['uuid'] },
  { name: 'credential_secret', key: ['hash'] },
  { name: 'gate', key: ['uuid'] },
  { name: 'gate_tablet', key: ['uuid'] },
  { name: 'gate_worker', key: ['uuid'] },
  { name: 'gate_turn', key: ['uuid'] },
  { name: 'device', key: ['uuid'] },
  { name: 'calibration', key: ['uuid'], objects: { column: 'object_key', keys: 'ANY' } },
  {
    name: 'calibration_orphan',
    key: ['object_key'],
    ofOrganization: true,
    objects: { column: 'object_key', keys: 'ABANDONED' },
  },
  { name: 'client', key: ['uuid'] },
  { name: 'marker_allocation', key: ['first_marker_code'], ofOrganization: true },
  { name: 'printing_batch', key: ['uuid'] },
  { name: 'track', key: ['uuid'] },
  { name: 'track_comment', key: ['uuid'] },
  {
    name: 'track_activity',
    key: ['number'],
    ofOrganization: true,
    storedIn: 'activity',
    derived: ['track_key'],
  },
  {
    name: 'custom_field',
    key: ['owner_uuid', 'field_key'],
    ofOrganization: true,
    ordered: true,
    derived: ['field_date'],
  },
  { name: 'asset_loading', key: ['uuid'] },
  { name: 'manifest', key: ['uuid'] },
  { name: 'shipment', key: ['uuid'] },
  { name: 'shipment_manifest', key: ['manifest_uuid'], ofOrganization: true, ordered: true },
  { name: 'archive_entry', key: ['uuid'] },
  {
    name: 'archive_object',
    key: ['unit_uuid', 'kind', 'place'],
    ofOrganization: true,
    objects: { column: 'object_key', keys: 'OWN' },
  },
  { name: 'archived_marker', key: ['marker_code'], ofOrganization: true },
  { name: 'scan', key: ['scan_id'], ofOrganization: true },
  { name: 'alert', key: ['uuid'] },
  { name: 'webhook', key: ['uuid'] },
  { name: 'webhook_delivery', key: ['uuid'] },
  { name: 'operation', key: ['uuid'] },
  { name: 'operation_item', key: ['operation_uuid', 'item_index'], ofOrganization: true },
  { name: 'dead_letter', key: ['uuid'] },
];

/** The tables whose rows are exported and imported. */
export const EXPORTED_ROWS: readonly TenantRows[] = TENANT_ROWS.filter(
  ({ objects }) => objects?.keys !== 'ABANDONED',
);

/** Tables about organizations that are derived from others, or are about several. */
export const NOT_TENANT_ROWS = [
  'list_total',
  'moved_row',
  'retention_due',
  'sign_in_attempt',
  'ended_session',
  'untagged_secret',
  'operator',
  'operator_secret',
  'relocation',
  'export',
  'export_row',
  'organization_job',
  'organization_number',
];
