-- When the departures of an organization are checked next (epoch milliseconds, 0 for now). The schedule wakes only
-- organizations that are due. Triggers bring the date forward, so departures that the version before changes count, too.
-- The version before works with this schema and checks no departures.
CREATE TABLE departure_due (
  organization_uuid TEXT PRIMARY KEY NOT NULL,
  due_date INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX departure_due_date ON departure_due (due_date, organization_uuid);

-- The planned departure that an alert is about. Null for other alerts, and after the departure no longer applied.
ALTER TABLE alert ADD COLUMN planned_date INTEGER;
CREATE UNIQUE INDEX alert_open_load ON alert (organization_uuid, record_uuid, alert_type)
  WHERE status = 'OPEN' AND alert_type IN ('COMPLETED_SHORT', 'DEPARTURE_AT_RISK', 'DEPARTURE_LATE');

-- A departure of an open shipment is set, moved or removed.
CREATE TRIGGER custom_field_departure_insert AFTER INSERT ON custom_field
WHEN NEW.field_date IS NOT NULL BEGIN
  INSERT INTO departure_due SELECT NEW.organization_uuid, iif(h.status = 'IN_PROGRESS', 0, NEW.field_date)
    FROM shipment h CROSS JOIN organization o ON o.uuid = h.organization_uuid
    WHERE h.uuid = NEW.owner_uuid AND h.status IN ('TO_DO', 'IN_PROGRESS') AND h.deleted_date IS NULL
      AND o.residence = 'HERE' AND EXISTS (SELECT 1 FROM json_each(o.shipment_custom_fields)
        WHERE value ->> 'role' = 'PLANNED_DEPARTURE' AND value ->> 'fieldKey' = NEW.field_key)
    ON CONFLICT DO UPDATE SET due_date = excluded.due_date WHERE excluded.due_date < departure_due.due_date;
END;
CREATE TRIGGER custom_field_departure_update AFTER UPDATE OF field_value ON custom_field
WHEN OLD.field_date IS NOT NEW.field_date BEGIN
  INSERT INTO departure_due SELECT NEW.organization_uuid, 0
    FROM shipment h CROSS JOIN organization o ON o.uuid = h.organization_uuid
    WHERE h.uuid = NEW.owner_uuid AND h.status IN ('TO_DO', 'IN_PROGRESS') AND h.deleted_date IS NULL
      AND o.residence = 'HERE' AND EXISTS (SELECT 1 FROM json_each(o.shipment_custom_fields)
        WHERE value ->> 'role' = 'PLANNED_DEPARTURE' AND value ->> 'fieldKey' = NEW.field_key)
    ON CONFLICT DO UPDATE SET due_date = 0 WHERE departure_due.due_date > 0;
END;
CREATE TRIGGER custom_field_departure_delete AFTER DELETE ON custom_field
WHEN OLD.field_date IS NOT NULL BEGIN
  INSERT INTO departure_due SELECT OLD.organization_uuid, 0
    FROM shipment h CROSS JOIN organization o ON o.uuid = h.organization_uuid
    WHERE h.uuid = OLD.owner_uuid AND h.status IN ('TO_DO', 'IN_PROGRESS') AND h.deleted_date IS NULL
      AND o.residence = 'HERE' AND EXISTS (SELECT 1 FROM json_each(o.shipment_custom_fields)
        WHERE value ->> 'role' = 'PLANNED_DEPARTURE' AND value ->> 'fieldKey' = OLD.field_key)
    ON CONFLICT DO UPDATE SET due_date = 0 WHERE departure_due.due_date > 0;
END;

-- Loading of a shipment with a departure starts, or a shipment with an open alert is closed or deleted.
CREATE TRIGGER shipment_departure_update AFTER UPDATE OF status, deleted_date ON shipment
WHEN OLD.status IS NOT NEW.status OR OLD.deleted_date IS NOT NEW.deleted_date BEGIN
  INSERT INTO departure_due SELECT o.uuid, 0 FROM organization o
    WHERE o.uuid = NEW.organization_uuid AND o.residence = 'HERE' AND iif(
      NEW.status = 'IN_PROGRESS' AND NEW.deleted_date IS NULL,
      EXISTS (SELECT 1 FROM json_each(o.shipment_custom_fields) CROSS JOIN custom_field c
        ON c.organization_uuid = o.uuid AND c.owner_uuid = NEW.uuid AND c.field_key = value ->> 'fieldKey'
        WHERE value ->> 'role' = 'PLANNED_DEPARTURE' AND c.field_date IS NOT NULL),
      EXISTS (SELECT 1 FROM alert WHERE organization_uuid = o.uuid AND record_uuid = NEW.uuid AND +status = 'OPEN'
        AND +alert_type IN ('DEPARTURE_AT_RISK', 'DEPARTURE_LATE')))
    ON CONFLICT DO UPDATE SET due_date = 0 WHERE departure_due.due_date > 0;
END;

-- Another field becomes the departure, or the organization arrives in this database or leaves it.
CREATE TRIGGER organization_departure_update AFTER UPDATE OF shipment_custom_fields, residence ON organization
WHEN OLD.residence IS NOT NEW.residence OR OLD.shipment_custom_fields IS NOT NEW.shipment_custom_fields BEGIN
  DELETE FROM departure_due WHERE organization_uuid = NEW.uuid AND NEW.residence NOT IN ('HERE', 'FROZEN');
  INSERT INTO departure_due SELECT NEW.uuid, 0 WHERE NEW.residence = 'HERE'
      AND instr(OLD.shipment_custom_fields || NEW.shipment_custom_fields, 'PLANNED_DEPARTURE') > 0
    ON CONFLICT DO UPDATE SET due_date = 0 WHERE departure_due.due_date > 0;
END;
CREATE TRIGGER organization_departure_delete AFTER DELETE ON organization BEGIN
  DELETE FROM departure_due WHERE organization_uuid = OLD.uuid;
END;

-- Open shipments of now.
INSERT INTO departure_due SELECT uuid, 0 FROM organization
  WHERE residence = 'HERE' AND instr(shipment_custom_fields, 'PLANNED_DEPARTURE') > 0;
