-- Dates are epoch milliseconds (UTC). Every tenant's row carries its organization, first in every index.
-- There are no cascades: rows leave only by statements of the service.

CREATE TABLE organization (
  uuid TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  dispatch_strategy TEXT NOT NULL CHECK (dispatch_strategy IN ('MANIFEST', 'SHIPMENT')),
  client_feature_enabled INTEGER NOT NULL CHECK (client_feature_enabled IN (0, 1)),
  marker_allocation_maximum INTEGER NOT NULL,
  marker_code_start INTEGER NOT NULL,
  requests_per_minute INTEGER NOT NULL,
  shipment_custom_fields TEXT NOT NULL CHECK (json_valid(shipment_custom_fields)),
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX organization_slug ON organization (slug);
CREATE INDEX organization_create_date ON organization (create_date, uuid);

-- API keys and access tokens. Their secrets stand in credential_secret as SHA-256 only.
CREATE TABLE credential (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('API_KEY', 'ACCESS_TOKEN')),
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  expires_date INTEGER,
  revoked_date INTEGER,
  last_used_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE INDEX credential_create_date ON credential (organization_uuid, kind, create_date, uuid);

CREATE TABLE credential_secret (
  hash TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  credential_uuid TEXT NOT NULL,
  -- The end of the overlap for a secret that was rotated out; null for the current one.
  valid_until_date INTEGER,
  create_date INTEGER NOT NULL
) STRICT;
CREATE INDEX credential_secret_credential ON credential_secret (organization_uuid, credential_uuid);
CREATE UNIQUE INDEX credential_secret_current ON credential_secret (organization_uuid, credential_uuid)
  WHERE valid_until_date IS NULL;

CREATE TABLE idempotency (
  organization_uuid TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  command_id TEXT NOT NULL,
  body TEXT,
  refusal TEXT,
  create_date INTEGER NOT NULL,
  expires_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, key)
) STRICT;
CREATE INDEX idempotency_expires_date ON idempotency (expires_date);

CREATE TABLE audit_log (
  organization_uuid TEXT NOT NULL,
  sequence_number INTEGER NOT NULL,
  uuid TEXT NOT NULL,
  event_date INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  actor_uuid TEXT,
  actor_display_name TEXT NOT NULL,
  entity_type TEXT NOT NULL,
  entity_uuid TEXT NOT NULL,
  entity_external_id TEXT,
  changes TEXT NOT NULL CHECK (json_valid(changes)),
  request_id TEXT NOT NULL,
  ip_address TEXT,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (organization_uuid, sequence_number)
) STRICT, WITHOUT ROWID;

CREATE TABLE gate (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  name TEXT NOT NULL,
  local_manager_uuid TEXT,
  folded_identifier TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER
) STRICT;
CREATE UNIQUE INDEX gate_external_identifier ON gate (organization_uuid, external_identifier)
  WHERE deleted_date IS NULL;
CREATE INDEX gate_create_date ON gate (organization_uuid, create_date, uuid);

CREATE TABLE marker_allocation (
  organization_uuid TEXT NOT NULL,
  first_marker_code INTEGER NOT NULL,
  last_marker_code INTEGER NOT NULL,
  allocated_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, first_marker_code),
  CHECK (first_marker_code BETWEEN 1 AND last_marker_code AND last_marker_code <= 9007199254740991)
) STRICT, WITHOUT ROWID;

CREATE TABLE manifest (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  manifest_status TEXT NOT NULL
    CHECK (manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED')),
  gate_uuid TEXT,
  activate_date INTEGER,
  close_date INTEGER,
  -- Names the public pages of a completed manifest.
  public_token TEXT,
  folded_identifier TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  CHECK (manifest_status <> 'IN_PROGRESS' OR gate_uuid IS NOT NULL),
  CHECK ((manifest_status = 'COMPLETED') = (public_token IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX manifest_external_identifier ON manifest (organization_uuid, external_identifier)
  WHERE deleted_date IS NULL;
CREATE INDEX manifest_create_date ON manifest (organization_uuid, create_date, uuid) WHERE deleted_date IS NULL;
CREATE INDEX manifest_update_date ON manifest (organization_uuid, update_date, uuid) WHERE deleted_date IS NULL;
CREATE INDEX manifest_status ON manifest (organization_uuid, manifest_status, create_date, uuid)
  WHERE deleted_date IS NULL;
CREATE INDEX manifest_gate ON manifest (organization_uuid, gate_uuid, manifest_status) WHERE deleted_date IS NULL;

-- One row for each asset of a manifest, from the start, NOT_LOADED. The track of an open manifest's asset is
-- found by its WMS id; closing the manifest writes it down. Rows of invalid loadings (a pallet that does not
-- belong there, a marker nobody knows) stand beside the assets and may lack a WMS id.
CREATE TABLE asset_loading (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  manifest_uuid TEXT NOT NULL,
  wms_id TEXT,
  loading_status TEXT NOT NULL CHECK (loading_status IN
    ('NOT_LOADED', 'LOADED', 'UNLOADED', 'OFFLOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING')),
  track_uuid TEXT,
  gate_uuid TEXT,
  loading_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  CHECK (wms_id IS NOT NULL OR loading_status = 'UNKNOWN_LOADING')
) STRICT;
CREATE UNIQUE INDEX asset_loading_asset ON asset_loading (organization_uuid, manifest_uuid, wms_id)
  WHERE loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING');
CREATE INDEX asset_loading_manifest ON asset_loading (organization_uuid, manifest_uuid, create_date, uuid);
CREATE INDEX asset_loading_status ON asset_loading (organization_uuid, manifest_uuid, loading_status);
CREATE INDEX asset_loading_wms_id ON asset_loading (organization_uuid, wms_id, manifest_uuid);

CREATE TABLE custom_field (
  organization_uuid TEXT NOT NULL,
  owner_uuid TEXT NOT NULL,
  field_key TEXT NOT NULL,
  field_value TEXT NOT NULL,
  PRIMARY KEY (organization_uuid, owner_uuid, field_key)
) STRICT;
-- Without the owner: an index that covers all columns is what SQLite would walk for the fields of one owner.
CREATE INDEX custom_field_value ON custom_field (organization_uuid, field_key, field_value);

CREATE TABLE track (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  wms_id TEXT NOT NULL,
  marker_code INTEGER NOT NULL,
  retirement TEXT NOT NULL CHECK (retirement IN ('NONE', 'SCHEDULED', 'RETIRED')),
  flagged INTEGER NOT NULL CHECK (flagged IN (0, 1)),
  damaged INTEGER NOT NULL CHECK (damaged IN (0, 1)),
  couple_date INTEGER NOT NULL,
  retire_date INTEGER,
  last_seen_date INTEGER,
  last_gate_uuid TEXT,
  folded_wms_id TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER
) STRICT;
CREATE UNIQUE INDEX track_live_wms_id ON track (organization_uuid, wms_id)
  WHERE deleted_date IS NULL AND retirement <> 'RETIRED';
CREATE UNIQUE INDEX track_marker_code ON track (organization_uuid, marker_code) WHERE deleted_date IS NULL;
CREATE INDEX track_wms_id ON track (organization_uuid, wms_id, create_date) WHERE deleted_date IS NULL;
CREATE INDEX track_scheduled ON track (organization_uuid, wms_id) WHERE retirement = 'SCHEDULED';
CREATE INDEX track_create_date ON track (organization_uuid, create_date, uuid) WHERE deleted_date IS NULL;

CREATE TABLE track_comment (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  track_uuid TEXT NOT NULL,
  additional_info TEXT NOT NULL,
  attachments TEXT NOT NULL CHECK (json_valid(attachments)),
  author TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE INDEX track_comment_track ON track_comment (organization_uuid, track_uuid, create_date, uuid);

CREATE TABLE track_activity (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  track_uuid TEXT NOT NULL,
  activity_type TEXT NOT NULL,
  gate_uuid TEXT,
  manifest_external_id TEXT,
  author TEXT NOT NULL,
  details TEXT,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE INDEX track_activity_track ON track_activity (organization_uuid, track_uuid, create_date, uuid);
