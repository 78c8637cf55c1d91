-- Fewer index entries for each pallet. D1 bills an entry like a row.
-- The version before works with this schema. Some of its queries read more rows of one manifest or one pallet.

-- An index cost each asset two entries only to keep it unique in its manifest. A trigger finds the other asset by the
-- index by WMS id. The text of the error is the same, so the writer decides the command again, as before.
CREATE TRIGGER asset_loading_unique_insert BEFORE INSERT ON asset_loading
WHEN NEW.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: asset_loading.organization_uuid, asset_loading.manifest_uuid, asset_loading.wms_id')
  FROM asset_loading WHERE organization_uuid = NEW.organization_uuid AND wms_id = NEW.wms_id AND closed IN (0, 1)
    AND manifest_uuid = NEW.manifest_uuid AND loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND uuid <> NEW.uuid;
END;
CREATE TRIGGER asset_loading_unique_update BEFORE UPDATE OF manifest_uuid, wms_id, loading_status ON asset_loading
WHEN NEW.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  AND (OLD.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    OR (OLD.manifest_uuid, OLD.wms_id) IS NOT (NEW.manifest_uuid, NEW.wms_id)) BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: asset_loading.organization_uuid, asset_loading.manifest_uuid, asset_loading.wms_id')
  FROM asset_loading WHERE organization_uuid = NEW.organization_uuid AND wms_id = NEW.wms_id AND closed IN (0, 1)
    AND manifest_uuid = NEW.manifest_uuid AND loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND uuid <> NEW.uuid;
END;
DROP INDEX asset_loading_asset;

-- Only the few invalid loadings have an entry by status. The assets of a manifest are read with the manifest.
CREATE INDEX asset_loading_invalid ON asset_loading (organization_uuid, manifest_uuid)
  WHERE loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING');
DROP INDEX asset_loading_status;

-- The same for pallets. The index by WMS id finds the other pallet.
CREATE TRIGGER track_unique_insert BEFORE INSERT ON track
WHEN NEW.deleted_date IS NULL AND NEW.retirement <> 'RETIRED' BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: track.organization_uuid, track.wms_id')
  FROM track WHERE organization_uuid = NEW.organization_uuid AND wms_id = NEW.wms_id AND deleted_date IS NULL
    AND retirement <> 'RETIRED' AND uuid <> NEW.uuid;
END;
CREATE TRIGGER track_unique_update BEFORE UPDATE OF wms_id, retirement, deleted_date ON track
WHEN NEW.deleted_date IS NULL AND NEW.retirement <> 'RETIRED'
  AND (OLD.deleted_date IS NOT NULL OR OLD.retirement = 'RETIRED' OR OLD.wms_id <> NEW.wms_id) BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: track.organization_uuid, track.wms_id')
  FROM track WHERE organization_uuid = NEW.organization_uuid AND wms_id = NEW.wms_id AND deleted_date IS NULL
    AND retirement <> 'RETIRED' AND uuid <> NEW.uuid;
END;
DROP INDEX track_live_wms_id;

-- The index of all closed loads has the same order as the one of completed loads.
DROP INDEX manifest_completed;
DROP INDEX shipment_completed;

-- Loading a pallet moves the update date of its manifest together with the count.
DROP TRIGGER asset_loading_marked;
CREATE TRIGGER asset_loading_marked AFTER UPDATE OF loading_status ON asset_loading
WHEN (OLD.loading_status = 'LOADED') <> (NEW.loading_status = 'LOADED') BEGIN
  UPDATE manifest SET loaded_count = loaded_count + (NEW.loading_status = 'LOADED') - (OLD.loading_status = 'LOADED'),
    update_date = max(update_date, NEW.update_date)
  WHERE uuid = NEW.manifest_uuid
    AND (SELECT residence FROM organization WHERE organization.uuid = NEW.organization_uuid) IS NOT 'ARRIVING';
END;
