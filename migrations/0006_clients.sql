-- Customers whose pallets are dispatched. Names are unique by their folded form (see src/lib/text.ts) among what is
-- not deleted.

CREATE TABLE client (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  display_name TEXT NOT NULL,
  external_id TEXT NOT NULL,
  folded_display_name TEXT NOT NULL,
  folded_external_id TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER
) STRICT;
CREATE UNIQUE INDEX client_display_name ON client (organization_uuid, folded_display_name)
  WHERE deleted_date IS NULL;
CREATE UNIQUE INDEX client_external_id ON client (organization_uuid, folded_external_id)
  WHERE deleted_date IS NULL;
CREATE INDEX client_create_date ON client (organization_uuid, create_date, uuid) WHERE deleted_date IS NULL;

-- The client whose pallet a track is; most have none, and those stay out of the index.
ALTER TABLE track ADD COLUMN client_uuid TEXT;
CREATE INDEX track_client ON track (organization_uuid, client_uuid, deleted_date) WHERE client_uuid IS NOT NULL;
