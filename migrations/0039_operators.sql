-- Operators: named credentials of the service itself, made by the bootstrap key. They are of no organization, and stand in `DB`
-- only. What is stored of their secrets is what is stored of those of API keys.
CREATE TABLE operator (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL CHECK (organization_uuid = '00000000-0000-0000-0000-000000000000'),
  kind TEXT NOT NULL CHECK (kind = 'OPERATOR'),
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  expires_date INTEGER,
  revoked_date INTEGER,
  last_used_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE INDEX operator_create_date ON operator (organization_uuid, kind, create_date, uuid);

CREATE TABLE operator_secret (
  hash TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  credential_uuid TEXT NOT NULL,
  -- The end of the overlap for a secret that was rotated out; null for the current one.
  valid_until_date INTEGER,
  create_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX operator_secret_current ON operator_secret (organization_uuid, credential_uuid)
  WHERE valid_until_date IS NULL;
CREATE INDEX operator_secret_credential ON operator_secret (organization_uuid, credential_uuid);
