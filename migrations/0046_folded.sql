-- What the box of all pages finds whatever its case. Null where `lower()` of SQLite, which knows a to z, says the same.
ALTER TABLE custom_field ADD COLUMN folded_value TEXT;
ALTER TABLE webhook ADD COLUMN folded_name TEXT;
