CREATE TABLE shipment (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization TEXT NOT NULL,
  status TEXT NOT NULL,
  activate_date INTEGER,
  close_date INTEGER,
  update_date INTEGER NOT NULL
) STRICT;

CREATE TABLE manifest (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization TEXT NOT NULL,
  shipment_uuid TEXT NOT NULL,
  status TEXT NOT NULL,
  gate TEXT NOT NULL,
  activate_date INTEGER,
  close_date INTEGER,
  update_date INTEGER NOT NULL
) STRICT;
CREATE INDEX manifest_shipment ON manifest (organization, shipment_uuid);

CREATE TABLE loading_record (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization TEXT NOT NULL,
  manifest_uuid TEXT NOT NULL,
  wms_id TEXT NOT NULL,
  loading_status TEXT NOT NULL,
  track_uuid TEXT,
  loading_date INTEGER,
  update_date INTEGER NOT NULL
) STRICT;
CREATE INDEX loading_record_manifest ON loading_record (organization, manifest_uuid);
CREATE INDEX loading_record_wms_id ON loading_record (organization, wms_id);

ALTER TABLE track ADD COLUMN last_seen_date INTEGER;

CREATE TABLE scan (
  organization TEXT NOT NULL,
  scan_id TEXT NOT NULL,
  marker_code INTEGER NOT NULL,
  direction TEXT NOT NULL,
  record_uuid TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  PRIMARY KEY (organization, scan_id)
) STRICT;

CREATE TABLE event (
  organization TEXT NOT NULL,
  sequence_number INTEGER NOT NULL,
  event_type TEXT NOT NULL,
  event_date INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (organization, sequence_number)
) STRICT;

CREATE TABLE alert (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization TEXT NOT NULL,
  record_uuid TEXT NOT NULL,
  message TEXT NOT NULL,
  create_date INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_create_date ON alert (organization, create_date);
CREATE INDEX alert_record ON alert (organization, record_uuid);
