-- Photos of pallets, manifests and shipments. The bytes are objects of the bucket below organization/{uuid}/photo/.
-- owner_uuid and owner_identifier name the pallet, manifest or shipment, also after it moved to the archive.
-- The version before works with this schema and does not use the table.
CREATE TABLE photo (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  owner_type TEXT NOT NULL CHECK (owner_type IN ('TRACK', 'MANIFEST', 'SHIPMENT')),
  owner_uuid TEXT NOT NULL,
  owner_identifier TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('DAMAGE', 'LOAD', 'SEAL', 'OTHER')),
  public_token TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  taken_date INTEGER,
  author TEXT NOT NULL,
  author_uuid TEXT,
  create_date INTEGER NOT NULL
) STRICT;
CREATE INDEX photo_create_date ON photo (organization_uuid, create_date, uuid);
CREATE INDEX photo_owner ON photo (organization_uuid, owner_uuid);
CREATE INDEX photo_owner_identifier ON photo (organization_uuid, owner_identifier);
CREATE UNIQUE INDEX photo_public_token ON photo (public_token);

CREATE TRIGGER photo_total_insert AFTER INSERT ON photo BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'photo', '', 1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER photo_total_delete AFTER DELETE ON photo BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'photo', '', -1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
