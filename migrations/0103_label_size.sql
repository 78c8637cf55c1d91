-- The size of pallet labels. Null means A4, the only size before.
ALTER TABLE organization ADD COLUMN label_size TEXT
  CHECK (label_size IN ('A4', 'LETTER', 'A6', 'INCH_4X6'));
