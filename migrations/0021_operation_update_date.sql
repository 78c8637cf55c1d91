-- When an operation last got on. Of those from before it is when they ended, or were accepted.
ALTER TABLE operation ADD COLUMN update_date INTEGER;
