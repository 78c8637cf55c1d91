-- Custom fields that hold a time: what is planned is found and ordered by it. Only what looks like one is parsed, since
-- SQLite would take other words of its own for a time. Null where the value is none.
ALTER TABLE custom_field ADD COLUMN field_date INTEGER GENERATED ALWAYS AS (
  CASE WHEN field_value GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*'
    THEN CAST(round(unixepoch(field_value, 'subsec') * 1000) AS INTEGER) END
) VIRTUAL;
CREATE INDEX custom_field_date ON custom_field (organization_uuid, field_key, field_date) WHERE field_date IS NOT NULL;

-- The zone that an organization's times are shown in (IANA).
ALTER TABLE organization ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
