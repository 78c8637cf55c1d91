-- What a webhook is sent: events as the log shows them, or EPCIS documents of what happened to pallets.
ALTER TABLE webhook ADD COLUMN format TEXT NOT NULL DEFAULT 'EVENT' CHECK (format IN ('EVENT', 'EPCIS_2_0'));

-- Tracks that are deleted, by their pallets: what happened to those is still told.
CREATE INDEX track_deleted_wms_id ON track (organization_uuid, wms_id) WHERE deleted_date IS NOT NULL;

-- The place in a trace of the request that an event came of, if it had one: its deliveries go on there.
ALTER TABLE event ADD COLUMN traceparent TEXT;
