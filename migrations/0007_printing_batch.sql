-- Printing batches: blocks of marker codes that a scanner's print station turns into labels.

CREATE TABLE printing_batch (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  scanner_uuid TEXT NOT NULL,
  -- The caller's; unique among the organization's batches that are not deleted.
  external_identifier TEXT,
  folded_identifier TEXT,
  status TEXT NOT NULL CHECK (status IN ('CREATED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED')),
  label_format TEXT NOT NULL CHECK (label_format IN ('PNG', 'PDF', 'ZPL')),
  -- Both ends included; a block of marker_allocation.
  first_marker_code INTEGER NOT NULL,
  last_marker_code INTEGER NOT NULL,
  complete_date INTEGER,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  CHECK (first_marker_code BETWEEN 1 AND last_marker_code AND last_marker_code <= 9007199254740991),
  CHECK ((status = 'COMPLETED') = (complete_date IS NOT NULL)),
  CHECK ((external_identifier IS NULL) = (folded_identifier IS NULL))
) STRICT;
-- A block belongs to one batch, also after that batch is deleted.
CREATE UNIQUE INDEX printing_batch_first_marker_code ON printing_batch (organization_uuid, first_marker_code);
CREATE UNIQUE INDEX printing_batch_external_identifier ON printing_batch (organization_uuid, external_identifier)
  WHERE deleted_date IS NULL AND external_identifier IS NOT NULL;
CREATE INDEX printing_batch_create_date ON printing_batch (organization_uuid, scanner_uuid, create_date, uuid);
