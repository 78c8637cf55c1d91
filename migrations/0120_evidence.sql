-- Evidence of completed loads. Three parts: the names of a load at its completion, corrections, and the figures of reports.

-- The names that the proof of a completed load shows, as JSON: of the organization and the gate, and the keys of the
-- custom fields by their roles. Another name or role that is given later does not change a proof.
ALTER TABLE shipment ADD COLUMN proof_names TEXT CHECK (json_valid(proof_names));
ALTER TABLE manifest ADD COLUMN proof_names TEXT CHECK (json_valid(proof_names));

-- The load that a signature was given for, as JSON.
ALTER TABLE signature ADD COLUMN signed_for TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(signed_for));

-- Corrections are the audit records of all changes of a completed load that its proof shows: of its loading records, of
-- its fields with a role, and of its photos. One row for each load with such a proof.
DROP TRIGGER audit_record_loading_correction;
ALTER TABLE loading_correction RENAME COLUMN manifest_uuid TO load_uuid;

-- The audit records are inserted before the change. Records of cancelled manifests count, because EPCIS reads them, and
-- because the shipment of a cancelled manifest may be completed.
CREATE TRIGGER audit_record_correction AFTER INSERT ON audit_record
WHEN (SELECT entity_type FROM audit_action WHERE number = NEW.action_number) IN ('ASSET_LOADING', 'SHIPMENT')
  AND (SELECT residence FROM organization_number n CROSS JOIN organization ON organization.uuid = n.organization_uuid
    WHERE n.number = NEW.organization_number) IS NOT 'ARRIVING' BEGIN
  INSERT INTO loading_correction (organization_uuid, load_uuid, sequence_number)
  SELECT a.organization_uuid, a.manifest_uuid, NEW.sequence_number
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.uuid = lower(substr(hex(NEW.entity_uuid), 1, 8) || '-' || substr(hex(NEW.entity_uuid), 9, 4) || '-'
      || substr(hex(NEW.entity_uuid), 13, 4) || '-' || substr(hex(NEW.entity_uuid), 17, 4) || '-'
      || substr(hex(NEW.entity_uuid), 21))
    AND m.manifest_status IN ('COMPLETED', 'CANCELLED')
  UNION ALL SELECT s.organization_uuid, s.uuid, NEW.sequence_number FROM shipment s
  WHERE s.uuid = lower(substr(hex(NEW.entity_uuid), 1, 8) || '-' || substr(hex(NEW.entity_uuid), 9, 4) || '-'
      || substr(hex(NEW.entity_uuid), 13, 4) || '-' || substr(hex(NEW.entity_uuid), 17, 4) || '-'
      || substr(hex(NEW.entity_uuid), 21))
    AND s.status = 'COMPLETED'
    AND EXISTS (SELECT 1 FROM json_each(NEW.changes) c CROSS JOIN json_each(s.proof_names, '$.fields') f
      WHERE coalesce(c.value ->> 0, c.value ->> 'field') = 'customFields.' || f.value);
END;

-- The completed loads that show the photos of a pallet, a manifest or a shipment.
CREATE VIEW computed_photo_loads AS
  SELECT organization_uuid AS organization, uuid AS owner_uuid, external_identifier AS owner_identifier, uuid AS load_uuid
  FROM shipment WHERE status = 'COMPLETED'
  UNION ALL SELECT organization_uuid, uuid, external_identifier, uuid FROM manifest WHERE manifest_status = 'COMPLETED'
  UNION ALL SELECT a.organization_uuid, a.track_uuid, a.wms_id, m.uuid
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE m.manifest_status = 'COMPLETED' AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING');

-- A photo is inserted and deleted after its audit record. A row without such a record is erased, and no correction.
CREATE TRIGGER photo_correction_added AFTER INSERT ON photo
WHEN (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  INSERT INTO loading_correction (organization_uuid, load_uuid, sequence_number)
  SELECT l.organization, l.load_uuid, r.sequence_number FROM organization_number n
  CROSS JOIN audit_record r ON r.organization_number = n.number
    AND substr(r.entity_uuid, 13) = substr(unhex(NEW.uuid, '-'), 13) AND r.entity_uuid = unhex(NEW.uuid, '-')
    AND r.action_number = (SELECT number FROM audit_action WHERE action = 'PHOTO_ADDED' AND entity_type = 'PHOTO')
  CROSS JOIN computed_photo_loads l ON l.organization = n.organization_uuid AND l.owner_uuid = NEW.owner_uuid
    AND l.owner_identifier = NEW.owner_identifier
  WHERE n.organization_uuid = NEW.organization_uuid ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER photo_correction_deleted AFTER DELETE ON photo
WHEN (SELECT residence FROM organization WHERE organization.uuid = OLD.organization_uuid) IS NOT 'ARRIVING' BEGIN
  INSERT INTO loading_correction (organization_uuid, load_uuid, sequence_number)
  SELECT l.organization, l.load_uuid, r.sequence_number FROM organization_number n
  CROSS JOIN audit_record r ON r.organization_number = n.number
    AND substr(r.entity_uuid, 13) = substr(unhex(OLD.uuid, '-'), 13) AND r.entity_uuid = unhex(OLD.uuid, '-')
    AND r.action_number = (SELECT number FROM audit_action WHERE action = 'PHOTO_DELETED' AND entity_type = 'PHOTO')
  CROSS JOIN computed_photo_loads l ON l.organization = n.organization_uuid AND l.owner_uuid = OLD.owner_uuid
    AND l.owner_identifier = OLD.owner_identifier
  WHERE n.organization_uuid = OLD.organization_uuid ON CONFLICT DO NOTHING;
END;

-- The proof of a shipment shows the corrections of its manifests since its own completion.
CREATE TRIGGER loading_correction_of_shipment AFTER INSERT ON loading_correction
WHEN (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  INSERT INTO loading_correction (organization_uuid, load_uuid, sequence_number)
  SELECT s.organization_uuid, s.uuid, NEW.sequence_number FROM shipment_manifest m
  CROSS JOIN shipment s ON s.uuid = m.shipment_uuid
  WHERE m.organization_uuid = NEW.organization_uuid AND m.manifest_uuid = NEW.load_uuid AND s.status = 'COMPLETED'
  ON CONFLICT DO NOTHING;
END;

-- How often the loading records of a manifest have changed. A signature stores the number, to show later changes.
ALTER TABLE manifest ADD COLUMN record_changes INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER asset_loading_added;
DROP TRIGGER asset_loading_marked;
DROP TRIGGER asset_loading_removed;
CREATE TRIGGER asset_loading_added AFTER INSERT ON asset_loading BEGIN
  UPDATE manifest SET record_changes = record_changes + 1,
    assets_count = assets_count + (NEW.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')),
    loaded_count = loaded_count + (NEW.loading_status = 'LOADED')
  WHERE uuid = NEW.manifest_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING';
END;
CREATE TRIGGER asset_loading_marked AFTER UPDATE OF loading_status ON asset_loading
WHEN OLD.loading_status <> NEW.loading_status BEGIN
  UPDATE manifest SET record_changes = record_changes + 1,
    loaded_count = loaded_count + (NEW.loading_status = 'LOADED') - (OLD.loading_status = 'LOADED'),
    update_date = max(update_date, NEW.update_date)
  WHERE uuid = NEW.manifest_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING';
END;
CREATE TRIGGER asset_loading_removed AFTER DELETE ON asset_loading BEGIN
  UPDATE manifest SET record_changes = record_changes + 1,
    assets_count = assets_count - (OLD.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')),
    loaded_count = loaded_count - (OLD.loading_status = 'LOADED')
  WHERE uuid = OLD.manifest_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = OLD.organization_uuid) IS NOT 'ARRIVING';
END;

-- Wrong pallets and unknown markers that were taken off. A pallet that is taken off after completion counts, too.
ALTER TABLE shipment ADD COLUMN caught_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE shipment_figures ADD COLUMN pallets_caught INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER shipment_figures_caught AFTER UPDATE OF caught_count ON shipment
WHEN NEW.status = 'COMPLETED' AND OLD.caught_count <> NEW.caught_count
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET pallets_caught = NEW.caught_count
  WHERE organization_uuid = NEW.organization_uuid AND close_date = NEW.close_date AND shipment_uuid = NEW.uuid;
END;

-- The planned departure of a report is the one at completion. A carrier that is corrected later moves the shipment to
-- the figures of that carrier.
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
  s.short_reason,
  s.caught_count AS pallets_caught
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
  UPDATE shipment_figures SET carrier = (SELECT carrier FROM computed_fields WHERE shipment_uuid = NEW.owner_uuid)
  WHERE (organization_uuid, close_date, shipment_uuid) IN
    (SELECT organization_uuid, close_date, uuid FROM shipment WHERE uuid = NEW.owner_uuid);
END;
CREATE TRIGGER shipment_figures_field_changed AFTER UPDATE OF field_value ON custom_field
WHEN OLD.field_value <> NEW.field_value
  AND EXISTS (SELECT 1 FROM shipment WHERE uuid = NEW.owner_uuid AND status = 'COMPLETED')
  AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET carrier = (SELECT carrier FROM computed_fields WHERE shipment_uuid = NEW.owner_uuid)
  WHERE (organization_uuid, close_date, shipment_uuid) IN
    (SELECT organization_uuid, close_date, uuid FROM shipment WHERE uuid = NEW.owner_uuid);
END;
CREATE TRIGGER shipment_figures_field_removed AFTER DELETE ON custom_field
WHEN EXISTS (SELECT 1 FROM shipment WHERE uuid = OLD.owner_uuid AND status = 'COMPLETED')
  AND (SELECT residence FROM organization WHERE organization.uuid = OLD.organization_uuid) IS NOT 'ARRIVING' BEGIN
  UPDATE shipment_figures SET carrier = (SELECT carrier FROM computed_fields WHERE shipment_uuid = OLD.owner_uuid)
  WHERE (organization_uuid, close_date, shipment_uuid) IN
    (SELECT organization_uuid, close_date, uuid FROM shipment WHERE uuid = OLD.owner_uuid);
END;
