-- How many rows a list has: those that are not deleted, by organization, list and part (a status, where a list is asked
-- for by one; '' elsewhere). Triggers move it in the statement that moves a row, so that it is right whoever writes.
-- What there is already is counted once the triggers stand: what was written meanwhile is part of the count.
CREATE TABLE list_total (
  organization_uuid TEXT NOT NULL,
  list TEXT NOT NULL,
  part TEXT NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, list, part)
) STRICT, WITHOUT ROWID;

-- Orders of creation within a status, and orders of lists that had no index.
CREATE INDEX track_status ON track (organization_uuid, retirement, flagged, create_date, uuid)
  WHERE deleted_date IS NULL;
CREATE INDEX alert_status ON alert (organization_uuid, status, create_date, uuid);
CREATE INDEX operation_status ON operation (organization_uuid, status, create_date, uuid);
CREATE INDEX printing_batch_status ON printing_batch (organization_uuid, scanner_uuid, status, create_date, uuid)
  WHERE deleted_date IS NULL;
CREATE INDEX client_shown_name ON client (organization_uuid, display_name, uuid) WHERE deleted_date IS NULL;

CREATE TRIGGER manifest_total_insert AFTER INSERT ON manifest BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'manifest', NEW.manifest_status, 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER manifest_total_update AFTER UPDATE OF manifest_status, deleted_date ON manifest
WHEN OLD.manifest_status IS NOT NEW.manifest_status
  OR (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL)
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'manifest', OLD.manifest_status, -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'manifest', NEW.manifest_status, 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER manifest_total_delete AFTER DELETE ON manifest BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'manifest', OLD.manifest_status, -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT manifest.organization_uuid, 'manifest', manifest.manifest_status,
    count(*) FROM manifest WHERE manifest.deleted_date IS NULL GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER shipment_total_insert AFTER INSERT ON shipment BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'shipment', NEW.status, 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER shipment_total_update AFTER UPDATE OF status, deleted_date ON shipment
WHEN OLD.status IS NOT NEW.status
  OR (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL)
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'shipment', OLD.status, -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'shipment', NEW.status, 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER shipment_total_delete AFTER DELETE ON shipment BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'shipment', OLD.status, -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT shipment.organization_uuid, 'shipment', shipment.status,
    count(*) FROM shipment WHERE shipment.deleted_date IS NULL GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER track_total_insert AFTER INSERT ON track BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'track', NEW.retirement || ':' || NEW.flagged, 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER track_total_update AFTER UPDATE OF retirement, flagged, deleted_date ON track
WHEN OLD.retirement IS NOT NEW.retirement
  OR OLD.flagged IS NOT NEW.flagged
  OR (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL)
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'track', OLD.retirement || ':' || OLD.flagged, -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'track', NEW.retirement || ':' || NEW.flagged, 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER track_total_delete AFTER DELETE ON track BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'track', OLD.retirement || ':' || OLD.flagged, -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT track.organization_uuid, 'track', track.retirement || ':' || track.flagged,
    count(*) FROM track WHERE track.deleted_date IS NULL GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER alert_total_insert AFTER INSERT ON alert BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'alert', NEW.status, 1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER alert_total_update AFTER UPDATE OF status ON alert
WHEN OLD.status IS NOT NEW.status
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'alert', OLD.status, -1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'alert', NEW.status, 1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER alert_total_delete AFTER DELETE ON alert BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'alert', OLD.status, -1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT alert.organization_uuid, 'alert', alert.status,
    count(*) FROM alert WHERE TRUE GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER client_total_insert AFTER INSERT ON client BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'client', '', 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER client_total_update AFTER UPDATE OF deleted_date ON client
WHEN (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL)
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'client', '', -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'client', '', 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER client_total_delete AFTER DELETE ON client BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'client', '', -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT client.organization_uuid, 'client', '',
    count(*) FROM client WHERE client.deleted_date IS NULL GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER user_total_insert AFTER INSERT ON user BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'user', '', 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER user_total_update AFTER UPDATE OF deleted_date ON user
WHEN (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL)
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'user', '', -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'user', '', 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER user_total_delete AFTER DELETE ON user BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'user', '', -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT user.organization_uuid, 'user', '',
    count(*) FROM user WHERE user.deleted_date IS NULL GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER gate_total_insert AFTER INSERT ON gate BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'gate', '', 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER gate_total_update AFTER UPDATE OF deleted_date ON gate
WHEN (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL)
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'gate', '', -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'gate', '', 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER gate_total_delete AFTER DELETE ON gate BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'gate', '', -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT gate.organization_uuid, 'gate', '',
    count(*) FROM gate WHERE gate.deleted_date IS NULL GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER device_total_insert AFTER INSERT ON device BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'device:' || NEW.device_type, '', 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER device_total_update AFTER UPDATE OF deleted_date ON device
WHEN (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL)
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'device:' || OLD.device_type, '', -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'device:' || NEW.device_type, '', 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER device_total_delete AFTER DELETE ON device BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'device:' || OLD.device_type, '', -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT device.organization_uuid, 'device:' || device.device_type, '',
    count(*) FROM device WHERE device.deleted_date IS NULL GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER operation_total_insert AFTER INSERT ON operation BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'operation', NEW.status, 1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER operation_total_update AFTER UPDATE OF status ON operation
WHEN OLD.status IS NOT NEW.status
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'operation', OLD.status, -1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'operation', NEW.status, 1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER operation_total_delete AFTER DELETE ON operation BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'operation', OLD.status, -1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT operation.organization_uuid, 'operation', operation.status,
    count(*) FROM operation WHERE TRUE GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER printing_batch_total_insert AFTER INSERT ON printing_batch BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'printing_batch:' || NEW.scanner_uuid, NEW.status, 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER printing_batch_total_update AFTER UPDATE OF status, deleted_date ON printing_batch
WHEN OLD.status IS NOT NEW.status
  OR (OLD.deleted_date IS NULL) IS NOT (NEW.deleted_date IS NULL)
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'printing_batch:' || OLD.scanner_uuid, OLD.status, -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'printing_batch:' || NEW.scanner_uuid, NEW.status, 1
    WHERE NEW.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER printing_batch_total_delete AFTER DELETE ON printing_batch BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'printing_batch:' || OLD.scanner_uuid, OLD.status, -1
    WHERE OLD.deleted_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT printing_batch.organization_uuid, 'printing_batch:' || printing_batch.scanner_uuid, printing_batch.status,
    count(*) FROM printing_batch WHERE printing_batch.deleted_date IS NULL GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER webhook_delivery_total_insert AFTER INSERT ON webhook_delivery BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'webhook_delivery:' || NEW.webhook_uuid, '', 1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER webhook_delivery_total_delete AFTER DELETE ON webhook_delivery BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'webhook_delivery:' || OLD.webhook_uuid, '', -1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT webhook_delivery.organization_uuid, 'webhook_delivery:' || webhook_delivery.webhook_uuid, '',
    count(*) FROM webhook_delivery WHERE TRUE GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER calibration_total_insert AFTER INSERT ON calibration BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'calibration', '', 1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER calibration_total_delete AFTER DELETE ON calibration BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'calibration', '', -1 WHERE TRUE
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT calibration.organization_uuid, 'calibration', '',
    count(*) FROM calibration WHERE TRUE GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER credential_total_insert AFTER INSERT ON credential BEGIN
  INSERT INTO list_total SELECT NEW.organization_uuid, 'credential:' || NEW.kind, '', 1
    WHERE NEW.revoked_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER credential_total_update AFTER UPDATE OF revoked_date ON credential
WHEN (OLD.revoked_date IS NULL) IS NOT (NEW.revoked_date IS NULL)
BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'credential:' || OLD.kind, '', -1
    WHERE OLD.revoked_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
  INSERT INTO list_total SELECT NEW.organization_uuid, 'credential:' || NEW.kind, '', 1
    WHERE NEW.revoked_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER credential_total_delete AFTER DELETE ON credential BEGIN
  INSERT INTO list_total SELECT OLD.organization_uuid, 'credential:' || OLD.kind, '', -1
    WHERE OLD.revoked_date IS NULL
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT credential.organization_uuid, 'credential:' || credential.kind, '',
    count(*) FROM credential WHERE credential.revoked_date IS NULL GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;

CREATE TRIGGER organization_total_insert AFTER INSERT ON organization BEGIN
  INSERT INTO list_total SELECT '00000000-0000-0000-0000-000000000000', 'organization', '', 1
    WHERE NEW.uuid <> '00000000-0000-0000-0000-000000000000'
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
CREATE TRIGGER organization_total_delete AFTER DELETE ON organization BEGIN
  INSERT INTO list_total SELECT '00000000-0000-0000-0000-000000000000', 'organization', '', -1
    WHERE OLD.uuid <> '00000000-0000-0000-0000-000000000000'
    ON CONFLICT DO UPDATE SET total = total + excluded.total;
END;
INSERT INTO list_total SELECT '00000000-0000-0000-0000-000000000000', 'organization', '',
    count(*) FROM organization WHERE organization.uuid <> '00000000-0000-0000-0000-000000000000' GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET total = excluded.total;
