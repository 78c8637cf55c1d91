-- An organization that the operator has suspended: since when, in epoch milliseconds.
ALTER TABLE organization ADD COLUMN suspended_date INTEGER;

-- Exports that are under way, in the database that the organization lives in.
CREATE TABLE export (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  -- When it last took a page: one whose reader is gone is ended.
  renewed_date INTEGER NOT NULL
) STRICT;
CREATE INDEX export_organization ON export (organization_uuid);

-- Rows as they were when an export began, of those that have changed since: filled by triggers that stand while it is under
-- way. A row that was not there has null.
CREATE TABLE export_row (
  export_uuid TEXT NOT NULL,
  organization_uuid TEXT NOT NULL,
  table_name TEXT NOT NULL,
  -- Its rowid then, where there is one.
  position INTEGER NOT NULL,
  -- JSON array of what tells the row apart.
  row_key TEXT NOT NULL,
  -- JSONB array of its columns.
  was BLOB,
  PRIMARY KEY (export_uuid, table_name, row_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX export_row_position ON export_row (export_uuid, table_name, position);

-- What brings an organization into a deployment or takes it out of it, in `DB`; at most one at a time of each.
CREATE TABLE organization_job (
  -- The operation that it is.
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  slug TEXT NOT NULL,
  operation_type TEXT NOT NULL CHECK (operation_type IN ('ORGANIZATION_IMPORT', 'ORGANIZATION_ERASURE')),
  phase TEXT NOT NULL CHECK (phase IN ('IMPORTING', 'ARRIVING', 'CLEARING', 'DONE')),
  -- What it is to do: JSON.
  input TEXT NOT NULL CHECK (json_valid(input)),
  -- How far it has come in its phase.
  progress TEXT NOT NULL CHECK (json_valid(progress)),
  -- Who carries it on.
  claim TEXT,
  error_code TEXT,
  error_message TEXT,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  finish_date INTEGER,
  CHECK ((finish_date IS NULL) = (phase <> 'DONE')),
  CHECK ((error_code IS NULL) = (error_message IS NULL))
) STRICT;
CREATE UNIQUE INDEX organization_job_organization ON organization_job (organization_uuid) WHERE finish_date IS NULL;
CREATE INDEX organization_job_open ON organization_job (update_date) WHERE finish_date IS NULL;

-- An organization that `DB` knows to live nowhere, as it is about to be brought in or taken out, is in no list.
DROP TRIGGER organization_total_insert;
CREATE TRIGGER organization_total_insert AFTER INSERT ON organization
WHEN NOT (NEW.residence = 'ARRIVING' AND NEW.database_name IS NULL) BEGIN
  INSERT INTO list_total SELECT '00000000-0000-0000-0000-000000000000', 'organization', '', 1
    WHERE NEW.uuid <> '00000000-0000-0000-0000-000000000000'
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
DROP TRIGGER organization_total_delete;
CREATE TRIGGER organization_total_delete AFTER DELETE ON organization
WHEN NOT (OLD.residence = 'ARRIVING' AND OLD.database_name IS NULL) BEGIN
  INSERT INTO list_total SELECT '00000000-0000-0000-0000-000000000000', 'organization', '', -1
    WHERE OLD.uuid <> '00000000-0000-0000-0000-000000000000'
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER organization_total_update AFTER UPDATE OF residence, database_name ON organization
WHEN (OLD.residence = 'ARRIVING' AND OLD.database_name IS NULL)
  <> (NEW.residence = 'ARRIVING' AND NEW.database_name IS NULL) BEGIN
  INSERT INTO list_total SELECT '00000000-0000-0000-0000-000000000000', 'organization', '',
      (OLD.residence = 'ARRIVING' AND OLD.database_name IS NULL)
        - (NEW.residence = 'ARRIVING' AND NEW.database_name IS NULL)
    WHERE NEW.uuid <> '00000000-0000-0000-0000-000000000000'
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;

-- Deliveries that are not settled, for what is told of the backlog.
CREATE INDEX webhook_delivery_pending ON webhook_delivery (webhook_uuid, create_date) WHERE due_date IS NOT NULL;
