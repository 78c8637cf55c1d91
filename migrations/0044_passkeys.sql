-- Passkeys (WebAuthn) of users: what is public of them. Each counts at the host that it was made at.
CREATE TABLE passkey (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  user_uuid TEXT NOT NULL,
  -- As authenticators name it, and the key in COSE, both in base64url.
  credential_id TEXT NOT NULL,
  public_key TEXT NOT NULL,
  -- Uses that the authenticator has counted; 0 of one that does not count.
  counter INTEGER NOT NULL,
  host TEXT NOT NULL,
  -- What its user calls it.
  name TEXT NOT NULL,
  last_used_date INTEGER,
  create_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX passkey_credential ON passkey (organization_uuid, credential_id);
CREATE INDEX passkey_user ON passkey (organization_uuid, user_uuid);

-- Challenges that were answered, for as long as they could be answered once more.
CREATE TABLE used_challenge (
  organization_uuid TEXT NOT NULL,
  -- SHA-256 (hex).
  challenge_hash TEXT NOT NULL,
  expires_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, challenge_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX used_challenge_expires ON used_challenge (organization_uuid, expires_date);
