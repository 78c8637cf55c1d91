-- Users of an organization and what they may do.

CREATE TABLE authority (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  authority_name TEXT NOT NULL,
  -- Whether every organization has it from the start.
  internal INTEGER NOT NULL CHECK (internal IN (0, 1)),
  permissions TEXT NOT NULL CHECK (json_valid(permissions)),
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX authority_name ON authority (organization_uuid, authority_name);

-- What every organization has from the start. The trigger gives it to organizations to come, whichever version of the
-- service makes them; the INSERT to those that are there.
CREATE VIEW built_in_authority (authority_name, permissions) AS VALUES
  ('ADMINISTRATOR', '["BACKOFFICE_LOGIN","LOCAL_MANAGER_LOGIN","APP_LOGIN","FORKLIFT_APP_LOGIN","OPERATIONAL_APP_LOGIN","ROLE_MANAGEMENT","LOCAL_MANAGER_REMOTE_ACCESS","USER_MANAGEMENT_READ","USER_MANAGEMENT_WRITE","AGENT_MANAGEMENT_READ"]'),
  ('OPERATOR', '["BACKOFFICE_LOGIN","LOCAL_MANAGER_LOGIN","APP_LOGIN","OPERATIONAL_APP_LOGIN","AGENT_MANAGEMENT_READ"]'),
  ('FORKLIFT_OPERATOR', '["APP_LOGIN","FORKLIFT_APP_LOGIN"]'),
  ('VIEWER', '["BACKOFFICE_LOGIN","OPERATIONAL_APP_LOGIN"]');

-- The uuid is a version 7 of the organization's creation, random for each row.
CREATE TRIGGER organization_authority AFTER INSERT ON organization BEGIN
  INSERT INTO authority (uuid, organization_uuid, authority_name, internal, permissions, create_date, update_date)
  SELECT substr(printf('%012x', NEW.create_date), 1, 8) || '-' || substr(printf('%012x', NEW.create_date), 9) || '-7' ||
      substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + (random() & 3), 1) ||
      substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))),
    NEW.uuid, authority_name, 1, permissions, NEW.create_date, NEW.create_date
  FROM built_in_authority;
END;

INSERT INTO authority (uuid, organization_uuid, authority_name, internal, permissions, create_date, update_date)
SELECT substr(printf('%012x', create_date), 1, 8) || '-' || substr(printf('%012x', create_date), 9) || '-7' ||
    substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + (random() & 3), 1) ||
    substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))),
  uuid, authority_name, 1, permissions, create_date, create_date
FROM organization, built_in_authority;

CREATE TABLE user (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone_number TEXT,
  authority_uuid TEXT NOT NULL,
  -- `$scrypt$ln=…,r=…,p=…$salt$hash`; null while the user has no password.
  password_hash TEXT,
  -- Whether the password has to be changed at the next sign-in.
  password_change_required INTEGER NOT NULL CHECK (password_change_required IN (0, 1)),
  -- SHA-256 (hex) of the token of the one link that may set a password, and when that ends.
  invite_hash TEXT,
  invite_expires_date INTEGER,
  -- A session is of the epoch it was begun in; raising it ends all sessions.
  session_epoch INTEGER NOT NULL,
  folded_first_name TEXT NOT NULL,
  folded_last_name TEXT NOT NULL,
  folded_email TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  CHECK ((invite_hash IS NULL) = (invite_expires_date IS NULL)),
  CHECK (deleted_date IS NULL OR (password_hash IS NULL AND invite_hash IS NULL))
) STRICT;
CREATE UNIQUE INDEX user_email ON user (organization_uuid, folded_email) WHERE deleted_date IS NULL;
-- The link names no organization: its hash does.
CREATE UNIQUE INDEX user_invite_hash ON user (invite_hash) WHERE invite_hash IS NOT NULL;
CREATE INDEX user_create_date ON user (organization_uuid, create_date, uuid) WHERE deleted_date IS NULL;
