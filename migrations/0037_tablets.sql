-- Devices that belong to a gate: paired by a link that is used once, and at work until they are revoked.
CREATE TABLE gate_tablet (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  gate_uuid TEXT NOT NULL,
  name TEXT NOT NULL,
  -- SHA-256 (hex) of the link's token: with 144 random bits it needs no slow hash. It stays, for who opens the link again.
  link_hash TEXT NOT NULL,
  link_expires_date INTEGER NOT NULL,
  -- Who made the link.
  paired_by_uuid TEXT NOT NULL,
  -- SHA-256 (hex) of the token in the cookie; null until the link is used.
  token_hash TEXT,
  paired_date INTEGER,
  last_seen_date INTEGER,
  revoked_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX gate_tablet_link_hash ON gate_tablet (link_hash);
CREATE UNIQUE INDEX gate_tablet_token_hash ON gate_tablet (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX gate_tablet_gate ON gate_tablet (organization_uuid, gate_uuid, create_date);
CREATE INDEX gate_tablet_revoked ON gate_tablet (revoked_date) WHERE revoked_date IS NOT NULL;

-- People who work at such devices, where their organization wants to know who it is.
CREATE TABLE gate_worker (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  -- HMAC-SHA-256 (hex) of what they scan or type, by a key of the deployment: without that, nobody finds it by trying.
  code_hash TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX gate_worker_name ON gate_worker (organization_uuid, folded_name);
CREATE UNIQUE INDEX gate_worker_code_hash ON gate_worker (organization_uuid, code_hash);

-- When who worked at which device: what waited on it is told by these whose it is.
CREATE TABLE gate_turn (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  tablet_uuid TEXT NOT NULL,
  worker_uuid TEXT NOT NULL,
  -- As the worker was called then.
  worker_name TEXT NOT NULL,
  last_used_date INTEGER NOT NULL,
  end_date INTEGER,
  create_date INTEGER NOT NULL
) STRICT;
-- A tablet has one at most that has not ended.
CREATE UNIQUE INDEX gate_turn_open ON gate_turn (organization_uuid, tablet_uuid) WHERE end_date IS NULL;
CREATE INDEX gate_turn_create_date ON gate_turn (create_date);

-- Whether tablets of gates ask who works there, and how.
ALTER TABLE organization ADD COLUMN gate_worker_identification TEXT NOT NULL DEFAULT 'NONE'
  CHECK (gate_worker_identification IN ('NONE', 'BADGE', 'PIN'));
