-- When the truck of a shipment arrived, and the name of its driver. The token of the public page of its driver: an open
-- shipment has one.
-- The version before works with this schema. It moves, exports and archives the columns with their rows.
ALTER TABLE shipment ADD COLUMN arrival_date INTEGER;
ALTER TABLE shipment ADD COLUMN driver_name TEXT;
ALTER TABLE shipment ADD COLUMN driver_token TEXT;
CREATE UNIQUE INDEX shipment_driver_token ON shipment (driver_token) WHERE driver_token IS NOT NULL;

-- Shipments that are open now get a token of 128 random bits after the routing tag of their organization.
UPDATE shipment SET driver_token = substr(organization_uuid, -8) || lower(hex(randomblob(16)))
  WHERE status IN ('TO_DO', 'IN_PROGRESS') AND deleted_date IS NULL;

-- The same for shipments that the version before creates, or that were exported by an earlier version.
CREATE TRIGGER shipment_driver_token_insert AFTER INSERT ON shipment
WHEN NEW.driver_token IS NULL AND NEW.status IN ('TO_DO', 'IN_PROGRESS') AND NEW.deleted_date IS NULL BEGIN
  UPDATE shipment SET driver_token = substr(NEW.organization_uuid, -8) || lower(hex(randomblob(16)))
    WHERE uuid = NEW.uuid;
END;
