-- The daily quiet hours of an organization as HH:MM in its time zone. Null means none.
ALTER TABLE organization ADD COLUMN quiet_from TEXT;
ALTER TABLE organization ADD COLUMN quiet_to TEXT;
