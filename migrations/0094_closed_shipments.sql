-- The page of shipments shows open shipments first. Closed shipments follow, last closed first. This index has the closed
-- shipments of each status in that order. The version before works with this schema and does not use the index.
CREATE INDEX shipment_closed ON shipment (organization_uuid, status, close_date DESC, uuid)
  WHERE close_date IS NOT NULL AND deleted_date IS NULL;
