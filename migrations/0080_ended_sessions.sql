-- Sessions of operators that were signed out, kept until their cookies would have expired.
CREATE TABLE ended_session (
  organization_uuid TEXT NOT NULL CHECK (organization_uuid = '00000000-0000-0000-0000-000000000000'),
  -- SHA-256 (hex) of the id in the cookie.
  session_hash TEXT NOT NULL,
  expires_date INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, session_hash)
) STRICT;
CREATE INDEX ended_session_expires_date ON ended_session (expires_date);
