-- An organization lives in one of several databases. `DB` has a row of every organization, and by it knows where it lives;
-- every other database has rows of those that live, or have lived, in it.
ALTER TABLE organization ADD COLUMN residence TEXT NOT NULL DEFAULT 'HERE'
  CHECK (residence IN ('HERE', 'FROZEN', 'PLANNED', 'ARRIVING', 'ELSEWHERE'));
-- The binding of the database that it lives in; null for `DB`.
ALTER TABLE organization ADD COLUMN database_name TEXT;
-- Since when, in epoch milliseconds, two databases may not say the same of it; null where they do.
ALTER TABLE organization ADD COLUMN unsettled_date INTEGER;

-- Who may bring rows of it here while it is ARRIVING.
ALTER TABLE organization ADD COLUMN arrival_claim TEXT;

-- Routing tags, which secrets begin with: the end of the uuid.
CREATE INDEX organization_routing_tag ON organization (substr(uuid, -8));
CREATE INDEX organization_database_name ON organization (database_name);
CREATE INDEX organization_unsettled_date ON organization (unsettled_date) WHERE unsettled_date IS NOT NULL;

-- Whose secrets and tokens are that were made in `DB` before there were tags, and whose organization has left it. By
-- the hash where a hash is what is kept, else by the token.
CREATE TABLE untagged_secret (
  secret TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX untagged_secret_organization ON untagged_secret (organization_uuid);

-- What the operator has said of databases, in `DB`; nothing of one that takes organizations since it is there.
CREATE TABLE database_setting (
  database_name TEXT PRIMARY KEY NOT NULL,
  -- Whether organizations are given a place in it.
  open INTEGER NOT NULL CHECK (open IN (0, 1)),
  update_date INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- An organization begins with its authorities where it lives; its row in another database brings none along.
DROP TRIGGER organization_authority;
CREATE TRIGGER organization_authority AFTER INSERT ON organization WHEN NEW.residence = 'HERE' BEGIN
  INSERT INTO authority (uuid, organization_uuid, authority_name, internal, permissions, create_date, update_date)
  SELECT substr(printf('%012x', NEW.create_date), 1, 8) || '-' || substr(printf('%012x', NEW.create_date), 9) || '-7' ||
      substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + (random() & 3), 1) ||
      substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))),
    NEW.uuid, authority_name, 1, permissions, NEW.create_date, NEW.create_date
  FROM built_in_authority;
END;

-- What triggers make of rows travels itself: they leave an organization alone that is on its way here.
DROP TRIGGER asset_loading_added;
CREATE TRIGGER asset_loading_added AFTER INSERT ON asset_loading
WHEN NEW.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') BEGIN
  UPDATE manifest SET assets_count = assets_count + 1, loaded_count = loaded_count + (NEW.loading_status = 'LOADED')
  WHERE uuid = NEW.manifest_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING';
END;
DROP TRIGGER asset_loading_removed;
CREATE TRIGGER asset_loading_removed AFTER DELETE ON asset_loading
WHEN OLD.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') BEGIN
  UPDATE manifest SET assets_count = assets_count - 1, loaded_count = loaded_count - (OLD.loading_status = 'LOADED')
  WHERE uuid = OLD.manifest_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = OLD.organization_uuid) IS NOT 'ARRIVING';
END;
DROP TRIGGER asset_loading_marked;
CREATE TRIGGER asset_loading_marked AFTER UPDATE OF loading_status ON asset_loading
WHEN (OLD.loading_status = 'LOADED') <> (NEW.loading_status = 'LOADED') BEGIN
  UPDATE manifest SET loaded_count = loaded_count + (NEW.loading_status = 'LOADED') - (OLD.loading_status = 'LOADED')
  WHERE uuid = NEW.manifest_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING';
END;
DROP TRIGGER audit_log_loading_correction;
CREATE TRIGGER audit_log_loading_correction AFTER INSERT ON audit_log WHEN NEW.entity_type = 'ASSET_LOADING' BEGIN
  INSERT INTO loading_correction (organization_uuid, manifest_uuid, sequence_number)
  SELECT NEW.organization_uuid, a.manifest_uuid, NEW.sequence_number
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.uuid = NEW.entity_uuid AND a.organization_uuid = NEW.organization_uuid
    AND m.manifest_status IN ('COMPLETED', 'CANCELLED')
    AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING';
END;

-- An organization that is moved to another database, in `DB`; at most one at a time of each.
CREATE TABLE relocation (
  -- The operation that it is.
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  from_name TEXT NOT NULL,
  to_name TEXT NOT NULL,
  phase TEXT NOT NULL
    CHECK (phase IN ('EMPTYING', 'COPYING', 'CATCHING_UP', 'FROZEN', 'LEFT', 'CLEARING', 'ABANDONED', 'DONE')),
  -- How far it has come in its phase.
  progress TEXT NOT NULL CHECK (json_valid(progress)),
  -- Who carries it on.
  claim TEXT,
  error_code TEXT,
  error_message TEXT,
  -- When its phase began.
  phase_date INTEGER NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  finish_date INTEGER,
  CHECK ((finish_date IS NULL) = (phase <> 'DONE')),
  CHECK ((error_code IS NULL) = (error_message IS NULL))
) STRICT;
CREATE UNIQUE INDEX relocation_organization ON relocation (organization_uuid) WHERE finish_date IS NULL;
CREATE INDEX relocation_finish_date ON relocation (finish_date);
CREATE INDEX relocation_open ON relocation (update_date) WHERE finish_date IS NULL;

-- Rows of an organization that is moved which have changed since they were copied: filled by triggers that stand while it
-- is moved, emptied as they are copied again.
CREATE TABLE moved_row (
  organization_uuid TEXT NOT NULL,
  table_name TEXT NOT NULL,
  -- JSON array of what tells the row apart.
  row_key TEXT NOT NULL,
  -- Its rowid, where there is one: rows are copied in this order.
  position INTEGER NOT NULL,
  changes_count INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, table_name, row_key)
) STRICT, WITHOUT ROWID;
