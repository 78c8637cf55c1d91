-- An organization lives in one of several databases. `DB` has a row of every organization, and by it knows where it lives;
-- every other database has rows of those that live, or have lived, in it.
ALTER TABLE organization ADD COLUMN residence TEXT NOT NULL DEFAULT 'HERE'
  CHECK (residence IN ('HERE', 'FROZEN', 'PLANNED', 'ARRIVING', 'ELSEWHERE'));
-- The binding of the database that it lives in; null for `DB`.
ALTER TABLE organization ADD COLUMN database_name TEXT;
-- Since when, in epoch milliseconds, two databases may not say the same of it; null where they do.
ALTER TABLE organization ADD COLUMN unsettled_date INTEGER;

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
