-- How long what is closed stays in the database, in days; null for ever.
ALTER TABLE organization ADD COLUMN retention_days INTEGER CHECK (retention_days BETWEEN 90 AND 3650);
CREATE INDEX organization_retention ON organization (uuid) WHERE retention_days IS NOT NULL;

-- Organizations in which the job of retention has something to do, and when it looks again.
CREATE TABLE retention_due (
  organization_uuid TEXT PRIMARY KEY NOT NULL,
  due_date INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX retention_due_date ON retention_due (due_date, organization_uuid);

-- What is closed for longest is looked for first.
CREATE INDEX manifest_close_date ON manifest (organization_uuid, close_date, uuid) WHERE close_date IS NOT NULL;
CREATE INDEX shipment_close_date ON shipment (organization_uuid, close_date, uuid) WHERE close_date IS NOT NULL;

-- A manifest or shipment that was closed so long ago that it is kept in the bucket; with the uuid that it had.
CREATE TABLE archive_entry (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  entity_type TEXT NOT NULL CHECK (entity_type IN ('MANIFEST', 'SHIPMENT')),
  external_identifier TEXT NOT NULL,
  folded_identifier TEXT NOT NULL,
  public_token TEXT,
  -- What it went with: the shipment of a manifest, else itself.
  unit_uuid TEXT NOT NULL,
  -- Which of the documents of that is its own, and where its loading records begin among those of it.
  place INTEGER NOT NULL,
  first_record INTEGER NOT NULL,
  -- 0 as long as rows of it are left in the database, which nothing shows any more.
  cleared INTEGER NOT NULL CHECK (cleared IN (0, 1)),
  close_date INTEGER NOT NULL,
  archive_date INTEGER NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER
) STRICT;
CREATE UNIQUE INDEX archive_entry_public_token ON archive_entry (public_token) WHERE public_token IS NOT NULL;
CREATE UNIQUE INDEX archive_entry_external_identifier
  ON archive_entry (organization_uuid, external_identifier, entity_type) WHERE deleted_date IS NULL;
CREATE INDEX archive_entry_close_date ON archive_entry (organization_uuid, close_date, uuid) WHERE deleted_date IS NULL;
CREATE INDEX archive_entry_clearing ON archive_entry (organization_uuid, uuid) WHERE cleared = 0;

CREATE TRIGGER archive_entry_total_insert AFTER INSERT ON archive_entry BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'archive_entry', NEW.entity_type, 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER archive_entry_total_delete AFTER DELETE ON archive_entry BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'archive_entry', OLD.entity_type, -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;

-- The objects in the bucket that the archive is made of.
CREATE TABLE archive_object (
  organization_uuid TEXT NOT NULL,
  unit_uuid TEXT NOT NULL,
  -- DOCUMENT: a manifest or shipment. RECORDS: loading records of all of them, in order. TRACKS: pallets that left with them.
  kind TEXT NOT NULL CHECK (kind IN ('DOCUMENT', 'RECORDS', 'TRACKS')),
  place INTEGER NOT NULL,
  object_key TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  -- Of its bytes, hexadecimal.
  sha256 TEXT NOT NULL,
  PRIMARY KEY (organization_uuid, unit_uuid, kind, place)
) STRICT, WITHOUT ROWID;

-- Marker codes of pallets in the archive: none is coupled again.
CREATE TABLE archived_marker (
  organization_uuid TEXT NOT NULL,
  marker_code INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, marker_code)
) STRICT, WITHOUT ROWID;
