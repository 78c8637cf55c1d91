/** A table whose rows belong to organizations. */
export interface TenantRows {
  name: string;
  /** The key of its rows. If `ofOrganization`, it is unique only together with the organization. */
  key: readonly string[];
  ofOrganization?: true;
  /** Whether the insertion order of rows with the same first column of `parts` matters. */
  ordered?: true;
  /** For a view of a table to which rows are only appended. */
  storedIn?: StoredIn;
  /** Columns that are derived from other columns. */
  derived?: readonly string[];
  /** The column that names objects of the bucket, and the kind of their keys. */
  objects?: { column: string; keys: ObjectKeyKind };
  /** How an index finds the rows of one organization. By default the primary key does, in the order of `key`. */
  parts?: readonly Part[];
}

/** The table of a view. An insert through the view does not change existing rows. */
export interface StoredIn {
  table: string;
  /** The column of the view that ascends with its rows. */
  end: string;
  /** SQL of the number of the organization, and of the key, of a stored row `NEW` or `OLD`. */
  owner: (row: string) => string;
  key: (row: string) => string;
  /** An SQL condition by which an index finds the row `t` of the view with a key. */
  isAt: (key: string) => string;
}

/** Rows of a table that one index contains, and the columns of that index after the organization. None may be NULL. */
export interface Part {
  by: readonly string[];
  /** The condition of a partial index. */
  only?: { column: string; isNull: boolean };
}

/** The parts of a table with soft deletion: a partial index for existing rows, and another one for deleted rows. */
const existing = (column: string, by: readonly string[], others: readonly string[] = []): readonly Part[] => [
  { by, only: { column, isNull: true } },
  { by: others, only: { column, isNull: false } },
];

/**
 * A view of a table whose ids begin with the number of the organization (`core/writer/numbers.ts`). `id`: the column of the
 * view with the id.
 */
const numbered = (
  table: string,
  id: string,
  end: string,
): Pick<TenantRows, 'key' | 'ofOrganization' | 'storedIn' | 'parts'> => ({
  key: ['sequence_number'],
  ofOrganization: true,
  storedIn: {
    table,
    end,
    owner: (row) => `${row}.id >> 32`,
    key: (row) => `${row}.id & 4294967295`,
    isAt: (key) => `t.${id} = t.organization_number << 32 | (${key})`,
  },
  parts: [{ by: [id] }],
});

/**
 * The kinds of object keys in rows. `OWN`: the key has a prefix with the uuid of the organization. `ANY`: the key has
 * no such prefix. Only the row shows the owner of the object, and an import gives it a new key. `ABANDONED`: as `ANY`,
 * but the object will be deleted. The rows are neither exported nor imported.
 */
export type ObjectKeyKind = 'OWN' | 'ANY' | 'ABANDONED';

/**
 * All tables whose rows belong to one organization, except `organization` itself, in the order in which they are moved,
 * exported and erased.
 */
export const TENANT_ROWS: readonly TenantRows[] = [
  {
    name: 'command_log',
    ...numbered('log', 'log_id', 'last_number'),
    derived: ['log_id', 'last_number', 'organization_number'],
  },
  { name: 'store_rewind', key: ['sequence_number'], ofOrganization: true },
  { name: 'loading_correction', key: ['load_uuid', 'sequence_number'], ofOrganization: true },
  { name: 'idempotency', key: ['key'], ofOrganization: true },
  {
    name: 'event_log',
    ...numbered('event', 'event_id', 'sequence_number'),
    derived: ['event_id', 'organization_number'],
  },
  { name: 'authority', key: ['uuid'], parts: [{ by: ['authority_name'] }] },
  { name: 'user', key: ['uuid'], parts: existing('deleted_date', ['create_date', 'uuid']) },
  { name: 'session', key: ['uuid'], parts: [{ by: ['user_uuid'] }] },
  { name: 'saved_view', key: ['uuid'], parts: [{ by: ['user_uuid', 'list', 'name'] }] },
  { name: 'identity_provider', key: ['uuid'], parts: [{ by: [] }] },
  { name: 'identity', key: ['uuid'], parts: [{ by: ['user_uuid', 'issuer'] }] },
  { name: 'passkey', key: ['uuid'], parts: [{ by: ['user_uuid'] }] },
  { name: 'used_challenge', key: ['challenge_hash'], ofOrganization: true },
  { name: 'credential', key: ['uuid'], parts: [{ by: ['kind', 'create_date', 'uuid'] }] },
  { name: 'credential_secret', key: ['hash'], parts: [{ by: ['credential_uuid'] }] },
  { name: 'gate', key: ['uuid'], parts: [{ by: ['create_date', 'uuid'] }] },
  { name: 'gate_tablet', key: ['uuid'], parts: [{ by: ['gate_uuid', 'create_date'] }] },
  { name: 'gate_worker', key: ['uuid'], parts: [{ by: ['folded_name'] }] },
  { name: 'gate_turn', key: ['uuid'], parts: existing('end_date', ['tablet_uuid']) },
  { name: 'device', key: ['uuid'], parts: [{ by: ['device_type', 'create_date', 'uuid'] }] },
  {
    name: 'calibration',
    key: ['uuid'],
    parts: [{ by: ['hardware_id', 'calibration_type'] }],
    objects: { column: 'object_key', keys: 'ANY' },
  },
  {
    name: 'calibration_orphan',
    key: ['object_key'],
    ofOrganization: true,
    objects: { column: 'object_key', keys: 'ABANDONED' },
  },
  { name: 'client', key: ['uuid'], parts: existing('deleted_date', ['create_date', 'uuid']) },
  { name: 'marker_allocation', key: ['first_marker_code'], ofOrganization: true },
  { name: 'printing_batch', key: ['uuid'], parts: [{ by: ['first_marker_code'] }] },
  {
    name: 'track',
    key: ['uuid'],
    derived: ['status'],
    parts: existing('deleted_date', ['marker_code'], ['wms_id', 'uuid']),
  },
  { name: 'track_comment', key: ['uuid'], parts: [{ by: ['track_uuid', 'create_date', 'uuid'] }] },
  // Listed before `asset_loading`: its triggers would update each row before it is deleted.
  { name: 'shipment_figures', key: ['close_date', 'shipment_uuid'], ofOrganization: true },
  {
    name: 'custom_field',
    key: ['owner_uuid', 'field_key'],
    ofOrganization: true,
    ordered: true,
    derived: ['field_date'],
    parts: [{ by: ['owner_uuid'] }],
  },
  { name: 'asset_loading', key: ['uuid'], parts: [{ by: ['manifest_uuid', 'create_date', 'uuid'] }] },
  { name: 'manifest', key: ['uuid'], parts: existing('deleted_date', ['external_identifier'], ['uuid']) },
  { name: 'shipment', key: ['uuid'], parts: existing('deleted_date', ['external_identifier'], ['uuid']) },
  {
    name: 'shipment_manifest',
    key: ['manifest_uuid'],
    ofOrganization: true,
    ordered: true,
    parts: [{ by: ['shipment_uuid'] }],
  },
  { name: 'photo', key: ['uuid'], parts: [{ by: ['create_date', 'uuid'] }] },
  { name: 'signature', key: ['uuid'], parts: [{ by: ['load_uuid', 'number'] }] },
  { name: 'archive_entry', key: ['uuid'], parts: existing('deleted_date', ['close_date', 'uuid']) },
  {
    name: 'archive_object',
    key: ['unit_uuid', 'kind', 'place'],
    ofOrganization: true,
    objects: { column: 'object_key', keys: 'OWN' },
  },
  { name: 'archived_marker', key: ['marker_code'], ofOrganization: true },
  { name: 'scan', key: ['scan_id'], ofOrganization: true },
  { name: 'alert', key: ['uuid'], parts: [{ by: ['create_date', 'uuid'] }] },
  { name: 'alert_pallet', key: ['alert_uuid', 'wms_id', 'marker_code'], ofOrganization: true },
  // Listed before `webhook`: a deletion changes a count of its webhook, which a move then overwrites.
  { name: 'webhook_message', key: ['webhook_uuid', 'create_date', 'uuid'], ofOrganization: true },
  { name: 'webhook', key: ['uuid'], parts: [{ by: ['create_date', 'uuid'] }] },
  { name: 'webhook_delivery', key: ['uuid'], parts: [{ by: ['webhook_uuid', 'create_date', 'uuid'] }] },
  { name: 'mail_recipient', key: ['address'], ofOrganization: true },
  { name: 'operation', key: ['uuid'], parts: [{ by: ['create_date', 'uuid'] }] },
  { name: 'operation_part', key: ['operation_uuid', 'first_index'], ofOrganization: true },
  { name: 'dead_letter', key: ['uuid'], parts: [{ by: ['queue', 'message_id'] }] },
];

/** The tables whose rows are exported and imported. */
export const EXPORTED_ROWS: readonly TenantRows[] = TENANT_ROWS.filter(
  ({ objects }) => objects?.keys !== 'ABANDONED',
);

/** Other tables with data of organizations: they are derived, or have rows about several organizations. */
export const NOT_TENANT_ROWS = [
  'list_part',
  'recent_answer',
  'moved_row',
  'retention_due',
  'nightly_export_due',
  'departure_due',
  'sign_in_attempt',
  'ended_session',
  'operator',
  'operator_secret',
  'export',
  'export_row',
  'long_job',
  'organization_number',
];
