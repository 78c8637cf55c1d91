-- The log grows for ever: what happened to a thing, or at a time, is found without walking it. Other filters walk.
CREATE INDEX audit_log_event_date ON audit_log (organization_uuid, event_date);
CREATE INDEX audit_log_entity_uuid ON audit_log (organization_uuid, entity_uuid);
CREATE INDEX audit_log_entity_external_id ON audit_log (organization_uuid, entity_external_id);

-- An alert about a device that fell silent; a device has at most one that is open.
ALTER TABLE alert ADD COLUMN device_uuid TEXT;
CREATE UNIQUE INDEX alert_open_device ON alert (organization_uuid, device_uuid)
  WHERE device_uuid IS NOT NULL AND status = 'OPEN';

-- Devices that can fall silent: those that report and did not say themselves that they are OFFLINE. Without the date of
-- the heartbeat, which moves with every one: few rows to look at are cheaper than an index row written for each.
CREATE INDEX device_reporting ON device (organization_uuid)
  WHERE deleted_date IS NULL AND reported_status <> 'OFFLINE';
