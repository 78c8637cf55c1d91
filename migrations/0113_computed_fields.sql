-- So far, the triggers read all loading records of a completed shipment when one of its custom fields changed. Now they read
-- only the two fields that the figures need. The version before works with this schema.

-- The custom fields of shipments that reports need. A lookup by the uuid of a shipment reads the fields by their keys.
CREATE VIEW computed_fields AS SELECT s.uuid AS shipment_uuid,
  (SELECT f.field_value FROM organization o CROSS JOIN json_each(o.shipment_custom_fields) r
    CROSS JOIN custom_field f ON f.organization_uuid = s.organization_uuid AND f.owner_uuid = s.uuid
      AND f.field_key = r.value ->> 'fieldKey'
    WHERE o.uuid = s.organization_uuid AND r.value ->> 'role' = 'CARRIER') AS carrier,
  (SELECT f.field_date FROM organization o CROSS JOIN json_each(o.shipment_custom_fields) r
    CROSS JOIN custom_field f ON f.organization_uuid = s.organization_uuid AND f.owner_uuid = s.uuid
      AND f.field_key = r.value ->> 'fieldKey'
    WHERE o.uuid = s.organization_uuid AND r.value ->> 'role' = 'PLANNED_DEPARTURE') AS planned_date
FROM shipment s;

DROP VIEW computed_figures;
CREATE VIEW computed_figures AS SELECT s.organization_uuid AS organization, s.close_date, s.uuid AS shipment_uuid,
  (SELECT carrier FROM computed_fields WHERE computed_fields.shipment_uuid = s.uuid) AS carrier,
  s.gate_uuid,
  (SELECT planned_date FROM computed_fields WHERE computed_fields.shipment_uuid = s.uuid) AS planned_date,
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

DROP TRIGGER shipment_figures_field_added;
DROP TRIGGER shipment_figures_field_changed;
DROP TRIGGER shipment_figures_field_removed;
CREATE TRIGGER shipment_figures_field_added AFTER INSERT ON custom_field
WHEN EXISTS (SELECT 1 FROM shipment WHERE uuid = NEW.owner_uuid AND status = 'COMPLETED')
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET (carrier, planned_date) =
    (SELECT carrier, planned_date FROM computed_fields WHERE shipment_uuid = NEW.owner_uuid)
  WHERE (organization_uuid, close_date, shipment_uuid) IN
    (SELECT organization_uuid, close_date, uuid FROM shipment WHERE uuid = NEW.owner_uuid);
END;
CREATE TRIGGER shipment_figures_field_changed AFTER UPDATE OF field_value ON custom_field
WHEN OLD.field_value <> NEW.field_value
  AND EXISTS (SELECT 1 FROM shipment WHERE uuid = NEW.owner_uuid AND status = 'COMPLETED')
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET (carrier, planned_date) =
    (SELECT carrier, planned_date FROM computed_fields WHERE shipment_uuid = NEW.owner_uuid)
  WHERE (organization_uuid, close_date, shipment_uuid) IN
    (SELECT organization_uuid, close_date, uuid FROM shipment WHERE uuid = NEW.owner_uuid);
END;
CREATE TRIGGER shipment_figures_field_removed AFTER DELETE ON custom_field
WHEN EXISTS (SELECT 1 FROM shipment WHERE uuid = OLD.owner_uuid AND status = 'COMPLETED')
  AND (SELECT residence FROM organization WHERE organization.uuid = OLD.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET (carrier, planned_date) =
    (SELECT carrier, planned_date FROM computed_fields WHERE shipment_uuid = OLD.owner_uuid)
  WHERE (organization_uuid, close_date, shipment_uuid) IN
    (SELECT organization_uuid, close_date, uuid FROM shipment WHERE uuid = OLD.owner_uuid);
END;
