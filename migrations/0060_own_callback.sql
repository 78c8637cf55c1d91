-- Whether the provider sends users back to a redirect URI of its own. Providers from before
-- this column are 0 until a user has signed in through their own URI.
ALTER TABLE identity_provider ADD COLUMN own_callback INTEGER NOT NULL DEFAULT 0 CHECK (own_callback IN (0, 1));
