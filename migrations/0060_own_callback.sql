-- Whether the provider sends users back to a redirect URI of its own. Providers from before there was one are 0 until
-- somebody has signed in by theirs.
ALTER TABLE identity_provider ADD COLUMN own_callback INTEGER NOT NULL DEFAULT 0 CHECK (own_callback IN (0, 1));
