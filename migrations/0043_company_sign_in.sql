-- Where the users of an organization sign in: its OpenID provider, one at most. The client secret is sealed.
CREATE TABLE identity_provider (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_secret TEXT NOT NULL,
  -- Whether a password signs in, too: always, until somebody has signed in by the provider as it is set.
  password_sign_in INTEGER NOT NULL CHECK (password_sign_in IN (0, 1)),
  proven_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  CHECK (password_sign_in = 1 OR proven_date IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX identity_provider_organization ON identity_provider (organization_uuid);

-- Whom a provider's subject is: found by the verified e-mail address the first time, and by this afterwards.
CREATE TABLE identity (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  user_uuid TEXT NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  create_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX identity_subject ON identity (organization_uuid, issuer, subject);
CREATE UNIQUE INDEX identity_user ON identity (organization_uuid, user_uuid, issuer);
