-- Sessions of users in the operations pages, and how often strangers tried.

CREATE TABLE session (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  user_uuid TEXT NOT NULL,
  -- SHA-256 (hex) of the token in the cookie: with 192 random bits it needs no slow hash.
  token_hash TEXT NOT NULL,
  -- The user's epoch when it was begun: it ends when the user's is another.
  session_epoch INTEGER NOT NULL,
  -- What the browser said it was and where it came from, for its user to tell sessions apart.
  user_agent TEXT NOT NULL,
  ip_address TEXT,
  last_seen_date INTEGER NOT NULL,
  expires_date INTEGER NOT NULL,
  create_date INTEGER NOT NULL
) STRICT;
-- The cookie names no organization: its hash does.
CREATE UNIQUE INDEX session_token_hash ON session (token_hash);
CREATE INDEX session_user ON session (organization_uuid, user_uuid);
CREATE INDEX session_expires_date ON session (expires_date);

-- Sign-ins that failed, under the nil UUID: what was typed may name no organization.
CREATE TABLE sign_in_attempt (
  organization_uuid TEXT NOT NULL,
  -- SHA-256 (hex) of an address, or of an address and an account.
  attempt_key TEXT NOT NULL,
  failed_count INTEGER NOT NULL,
  -- When its counting begins anew.
  expires_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, attempt_key)
) STRICT;
CREATE INDEX sign_in_attempt_expires_date ON sign_in_attempt (expires_date);

-- The list of operations, as people look at it.
CREATE INDEX operation_create_date ON operation (organization_uuid, create_date, uuid);
