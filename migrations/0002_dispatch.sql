-- Shipments, the invalid loadings and alerts that scans bring, and what a timeline says of both.

CREATE TABLE shipment (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED')),
  gate_uuid TEXT,
  notes TEXT,
  activate_date INTEGER,
  close_date INTEGER,
  -- Names the public pages of a completed shipment.
  public_token TEXT,
  folded_identifier TEXT NOT NULL,
  folded_notes TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  CHECK (status <> 'IN_PROGRESS' OR gate_uuid IS NOT NULL),
  CHECK ((status = 'COMPLETED') = (public_token IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX shipment_external_identifier ON shipment (organization_uuid, external_identifier)
  WHERE deleted_date IS NULL;
CREATE INDEX shipment_create_date ON shipment (organization_uuid, create_date, uuid) WHERE deleted_date IS NULL;
CREATE INDEX shipment_update_date ON shipment (organization_uuid, update_date, uuid) WHERE deleted_date IS NULL;
CREATE INDEX shipment_status ON shipment (organization_uuid, status, create_date, uuid) WHERE deleted_date IS NULL;
CREATE INDEX shipment_gate ON shipment (organization_uuid, gate_uuid, status) WHERE deleted_date IS NULL;

-- Which manifests a shipment has, in the order in which they were attached (rowid). The primary key is what keeps
-- a manifest out of a second shipment.
CREATE TABLE shipment_manifest (
  organization_uuid TEXT NOT NULL,
  manifest_uuid TEXT NOT NULL,
  shipment_uuid TEXT NOT NULL,
  PRIMARY KEY (organization_uuid, manifest_uuid)
) STRICT;
CREATE INDEX shipment_manifest_shipment ON shipment_manifest (organization_uuid, shipment_uuid);

-- The code that was read, on a record of an invalid loading.
ALTER TABLE asset_loading ADD COLUMN marker_code INTEGER;
CREATE INDEX asset_loading_marker_code ON asset_loading (organization_uuid, marker_code, manifest_uuid)
  WHERE marker_code IS NOT NULL;

ALTER TABLE track_activity ADD COLUMN shipment_external_id TEXT;

-- What a camera read, once for each scanId of its caller, with the answer that a repeat gets.
CREATE TABLE scan (
  organization_uuid TEXT NOT NULL,
  scan_id TEXT NOT NULL,
  gate_uuid TEXT NOT NULL,
  marker_code INTEGER NOT NULL,
  direction TEXT NOT NULL CHECK (direction IN ('LOAD', 'UNLOAD', 'OFFLOAD')),
  damaged INTEGER NOT NULL CHECK (damaged IN (0, 1)),
  scan_date INTEGER NOT NULL,
  camera_hardware_id TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN
    ('LOADED', 'UNLOADED', 'OFFLOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING', 'NO_ACTIVE_MANIFEST')),
  record_uuid TEXT,
  manifest_external_id TEXT,
  track_identifier TEXT,
  create_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, scan_id)
) STRICT;
CREATE INDEX scan_create_date ON scan (create_date);

CREATE TABLE alert (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  alert_type TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('WARNING', 'CRITICAL')),
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'RESOLVED')),
  message TEXT NOT NULL,
  gate_uuid TEXT,
  track_identifier TEXT,
  marker_code INTEGER,
  manifest_external_id TEXT,
  shipment_external_id TEXT,
  record_uuid TEXT,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  resolved_date INTEGER,
  CHECK ((status = 'RESOLVED') = (resolved_date IS NOT NULL))
) STRICT;
CREATE INDEX alert_create_date ON alert (organization_uuid, create_date, uuid);
CREATE INDEX alert_open_gate ON alert (organization_uuid, gate_uuid, alert_type, marker_code) WHERE status = 'OPEN';
CREATE INDEX alert_record ON alert (organization_uuid, record_uuid) WHERE record_uuid IS NOT NULL;
