-- Signatures of shipments, and of manifests without a shipment. A row never changes. A later signature of the same role
-- supersedes it.
-- The version before works with this schema and does not use the table.
CREATE TABLE signature (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  -- The shipment or manifest.
  load_uuid TEXT NOT NULL,
  -- From 1 for each load, in the order of the signatures.
  number INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('DRIVER', 'LOADER', 'CONSIGNEE')),
  signer_name TEXT NOT NULL,
  -- JSON array of strokes. A stroke is an array of points [x, y] in a box of 1000 by 400.
  strokes TEXT NOT NULL CHECK (json_valid(strokes)),
  sign_date INTEGER NOT NULL,
  -- 1 if the load was completed before. Then a proof without this signature exists.
  after_close INTEGER NOT NULL CHECK (after_close IN (0, 1)),
  -- Display name of the caller. Empty for a user.
  author TEXT NOT NULL,
  author_uuid TEXT,
  create_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX signature_load ON signature (organization_uuid, load_uuid, number);
