-- Figures of completed shipments for reports: one row for each shipment, written when it is completed. They stay when the
-- shipment is archived. Times are minutes, rounded down.
-- The version before works with this schema: triggers write the rows.
CREATE TABLE shipment_figures (
  organization_uuid TEXT NOT NULL,
  close_date INTEGER NOT NULL,
  shipment_uuid TEXT NOT NULL,
  carrier TEXT,
  gate_uuid TEXT,
  planned_date INTEGER,
  loading_minutes INTEGER NOT NULL,
  dwell_minutes INTEGER NOT NULL,
  gate_minutes INTEGER NOT NULL,
  pallets_loaded INTEGER NOT NULL,
  pallets_missing INTEGER NOT NULL,
  pallets_wrong INTEGER NOT NULL,
  short_reason TEXT,
  PRIMARY KEY (organization_uuid, close_date, shipment_uuid)
) STRICT, WITHOUT ROWID;
-- The reasons of short shipments. They are few.
CREATE INDEX shipment_figures_short ON shipment_figures (organization_uuid, close_date)
  WHERE pallets_missing > 0 AND short_reason IS NOT NULL;

-- The same figures, computed from the shipment, its manifests and their records. Cancelled manifests do not count.
CREATE VIEW computed_figures AS SELECT s.organization_uuid AS organization, s.close_date, s.uuid AS shipment_uuid,
  (SELECT f.field_value FROM organization o CROSS JOIN json_each(o.shipment_custom_fields) r
    CROSS JOIN custom_field f ON f.organization_uuid = s.organization_uuid AND f.owner_uuid = s.uuid
      AND f.field_key = r.value ->> 'fieldKey'
    WHERE o.uuid = s.organization_uuid AND r.value ->> 'role' = 'CARRIER') AS carrier,
  s.gate_uuid,
  (SELECT f.field_date FROM organization o CROSS JOIN json_each(o.shipment_custom_fields) r
    CROSS JOIN custom_field f ON f.organization_uuid = s.organization_uuid AND f.owner_uuid = s.uuid
      AND f.field_key = r.value ->> 'fieldKey'
    WHERE o.uuid = s.organization_uuid AND r.value ->> 'role' = 'PLANNED_DEPARTURE') AS planned_date,
  coalesce(max(s.close_date - min(a.loading_date) FILTER (WHERE a.loading_status = 'LOADED'), 0) / 60000, 0)
    AS loading_minutes,
  coalesce(max(s.close_date - s.arrival_date, 0) / 60000, 0) AS dwell_minutes,
  coalesce(max(s.close_date - s.activate_date, 0) / 60000, 0) AS gate_minutes,
  count(*) FILTER (WHERE a.loading_status = 'LOADED') AS pallets_loaded,
  count(*) FILTER (WHERE a.loading_status IN ('NOT_LOADED', 'UNLOADED')) AS pallets_missing,
  count(*) FILTER (WHERE a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')) AS pallets_wrong,
  s.short_reason
FROM shipment s
  LEFT JOIN shipment_manifest m ON m.organization_uuid = s.organization_uuid AND m.shipment_uuid = s.uuid
  LEFT JOIN manifest ON manifest.uuid = m.manifest_uuid AND manifest.manifest_status <> 'CANCELLED'
  LEFT JOIN asset_loading a ON a.organization_uuid = s.organization_uuid AND a.manifest_uuid = manifest.uuid
WHERE s.status = 'COMPLETED' AND s.close_date IS NOT NULL
GROUP BY s.uuid;

-- In the commit that completes a shipment.
CREATE TRIGGER shipment_figures_completed AFTER UPDATE OF status ON shipment
WHEN NEW.status = 'COMPLETED' AND OLD.status <> 'COMPLETED'
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  INSERT INTO shipment_figures SELECT * FROM computed_figures WHERE shipment_uuid = NEW.uuid ON CONFLICT DO NOTHING;
END;

-- Corrections of closed records change the pallets. The times stay.
CREATE TRIGGER shipment_figures_corrected AFTER UPDATE OF loading_status ON asset_loading
WHEN OLD.loading_status <> NEW.loading_status
  AND (OLD.closed = 1 OR 'WRONGLY_LOADED' IN (OLD.loading_status, NEW.loading_status)
    OR 'UNKNOWN_LOADING' IN (OLD.loading_status, NEW.loading_status))
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET
    pallets_loaded = pallets_loaded + (NEW.loading_status = 'LOADED') - (OLD.loading_status = 'LOADED'),
    pallets_missing = pallets_missing + (NEW.loading_status IN ('NOT_LOADED', 'UNLOADED'))
      - (OLD.loading_status IN ('NOT_LOADED', 'UNLOADED')),
    pallets_wrong = pallets_wrong + (NEW.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING'))
      - (OLD.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING'))
  WHERE (organization_uuid, close_date, shipment_uuid) IN (SELECT s.organization_uuid, s.close_date, s.uuid
    FROM manifest CROSS JOIN shipment_manifest m ON m.organization_uuid = NEW.organization_uuid
      AND m.manifest_uuid = manifest.uuid
    CROSS JOIN shipment s ON s.uuid = m.shipment_uuid
    WHERE manifest.uuid = NEW.manifest_uuid AND manifest.manifest_status <> 'CANCELLED' AND s.status = 'COMPLETED');
END;
CREATE TRIGGER shipment_figures_invalid_added AFTER INSERT ON asset_loading
WHEN NEW.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET pallets_wrong = pallets_wrong + 1
  WHERE (organization_uuid, close_date, shipment_uuid) IN (SELECT s.organization_uuid, s.close_date, s.uuid
    FROM manifest CROSS JOIN shipment_manifest m ON m.organization_uuid = NEW.organization_uuid
      AND m.manifest_uuid = manifest.uuid
    CROSS JOIN shipment s ON s.uuid = m.shipment_uuid
    WHERE manifest.uuid = NEW.manifest_uuid AND manifest.manifest_status <> 'CANCELLED' AND s.status = 'COMPLETED');
END;
-- Records of archived manifests are deleted after their manifest. They change nothing.
CREATE TRIGGER shipment_figures_invalid_removed AFTER DELETE ON asset_loading
WHEN OLD.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  AND (SELECT residence FROM organization WHERE organization.uuid = OLD.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET pallets_wrong = pallets_wrong - 1
  WHERE (organization_uuid, close_date, shipment_uuid) IN (SELECT s.organization_uuid, s.close_date, s.uuid
    FROM manifest CROSS JOIN shipment_manifest m ON m.organization_uuid = OLD.organization_uuid
      AND m.manifest_uuid = manifest.uuid
    CROSS JOIN shipment s ON s.uuid = m.shipment_uuid
    WHERE manifest.uuid = OLD.manifest_uuid AND manifest.manifest_status <> 'CANCELLED' AND s.status = 'COMPLETED');
END;

-- Custom fields of a completed shipment may change: its carrier and its planned departure.
CREATE TRIGGER shipment_figures_field_added AFTER INSERT ON custom_field
WHEN EXISTS (SELECT 1 FROM shipment WHERE uuid = NEW.owner_uuid AND status = 'COMPLETED')
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET (carrier, planned_date) =
    (SELECT carrier, planned_date FROM computed_figures WHERE shipment_uuid = NEW.owner_uuid)
  WHERE (organization_uuid, close_date, shipment_uuid) IN
    (SELECT organization_uuid, close_date, uuid FROM shipment WHERE uuid = NEW.owner_uuid);
END;
CREATE TRIGGER shipment_figures_field_changed AFTER UPDATE OF field_value ON custom_field
WHEN OLD.field_value <> NEW.field_value
  AND EXISTS (SELECT 1 FROM shipment WHERE uuid = NEW.owner_uuid AND status = 'COMPLETED')
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET (carrier, planned_date) =
    (SELECT carrier, planned_date FROM computed_figures WHERE shipment_uuid = NEW.owner_uuid)
  WHERE (organization_uuid, close_date, shipment_uuid) IN
    (SELECT organization_uuid, close_date, uuid FROM shipment WHERE uuid = NEW.owner_uuid);
END;
CREATE TRIGGER shipment_figures_field_removed AFTER DELETE ON custom_field
WHEN EXISTS (SELECT 1 FROM shipment WHERE uuid = OLD.owner_uuid AND status = 'COMPLETED')
  AND (SELECT residence FROM organization WHERE organization.uuid = OLD.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET (carrier, planned_date) =
    (SELECT carrier, planned_date FROM computed_figures WHERE shipment_uuid = OLD.owner_uuid)
  WHERE (organization_uuid, close_date, shipment_uuid) IN
    (SELECT organization_uuid, close_date, uuid FROM shipment WHERE uuid = OLD.owner_uuid);
END;

-- Organizations that may have completed shipments without figures: completed before this migration, or copied or imported
-- by the version before. A job computes the missing figures, last completed first. The shipments before these are done.
CREATE TABLE figures_due (
  organization_uuid TEXT PRIMARY KEY NOT NULL,
  close_date INTEGER NOT NULL,
  shipment_uuid TEXT NOT NULL,
  due_date INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX figures_due_date ON figures_due (due_date, organization_uuid);
INSERT INTO figures_due SELECT uuid, 9007199254740991, '', 0 FROM organization
  WHERE residence <> 'ELSEWHERE' AND uuid <> '00000000-0000-0000-0000-000000000000';
CREATE TRIGGER figures_due_arrived AFTER UPDATE OF residence ON organization
WHEN OLD.residence = 'ARRIVING' AND NEW.residence = 'HERE' BEGIN
  INSERT INTO figures_due VALUES (NEW.uuid, 9007199254740991, '', 0)
    ON CONFLICT DO UPDATE SET close_date = excluded.close_date, shipment_uuid = '', due_date = 0;
END;

-- The version before erases an organization without these tables.
CREATE TRIGGER shipment_figures_erased AFTER DELETE ON organization BEGIN
  DELETE FROM shipment_figures WHERE organization_uuid = OLD.uuid;
  DELETE FROM figures_due WHERE organization_uuid = OLD.uuid;
END;
