-- The manifest that has the pallets that stayed, and the manifest on which they stayed. Each names the other by uuid, so
-- both are found by primary key, also after one of them moved to the archive.
ALTER TABLE manifest ADD COLUMN back_order_uuid TEXT;
ALTER TABLE manifest ADD COLUMN back_order_of_uuid TEXT;

-- The reason that was given when the shipment was completed.
-- The version before works with this schema. It moves, exports and archives the columns with their rows.
ALTER TABLE shipment ADD COLUMN short_reason TEXT;
