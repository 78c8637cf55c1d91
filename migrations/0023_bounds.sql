-- What a manifest counts is kept beside it, by triggers: whoever writes a record, whichever version of the service does.
ALTER TABLE manifest ADD COLUMN assets_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE manifest ADD COLUMN loaded_count INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER asset_loading_added AFTER INSERT ON asset_loading
WHEN NEW.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') BEGIN
  UPDATE manifest SET assets_count = assets_count + 1, loaded_count = loaded_count + (NEW.loading_status = 'LOADED')
  WHERE uuid = NEW.manifest_uuid;
END;

CREATE TRIGGER asset_loading_removed AFTER DELETE ON asset_loading
WHEN OLD.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') BEGIN
  UPDATE manifest SET assets_count = assets_count - 1, loaded_count = loaded_count - (OLD.loading_status = 'LOADED')
  WHERE uuid = OLD.manifest_uuid;
END;

CREATE TRIGGER asset_loading_marked AFTER UPDATE OF loading_status ON asset_loading
WHEN (OLD.loading_status = 'LOADED') <> (NEW.loading_status = 'LOADED') BEGIN
  UPDATE manifest SET loaded_count = loaded_count + (NEW.loading_status = 'LOADED') - (OLD.loading_status = 'LOADED')
  WHERE uuid = NEW.manifest_uuid;
END;

UPDATE manifest SET
  assets_count = (SELECT count(*) FROM asset_loading a
    WHERE a.organization_uuid = manifest.organization_uuid AND a.manifest_uuid = manifest.uuid
      AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')),
  loaded_count = (SELECT count(*) FROM asset_loading a
    WHERE a.organization_uuid = manifest.organization_uuid AND a.manifest_uuid = manifest.uuid
      AND a.loading_status = 'LOADED');

-- 1 once its manifest is closed or deleted, so that the few open manifests of a pallet are found among many closed ones.
ALTER TABLE asset_loading ADD COLUMN closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1));
UPDATE asset_loading SET closed = 1 WHERE manifest_uuid IN (SELECT uuid FROM manifest
  WHERE manifest_status IN ('COMPLETED', 'CANCELLED') OR deleted_date IS NOT NULL);
DROP INDEX asset_loading_wms_id;
CREATE INDEX asset_loading_wms_id ON asset_loading (organization_uuid, wms_id, closed, manifest_uuid DESC);
