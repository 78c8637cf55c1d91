-- The outcome of a scan, if the CHECK on scan.outcome does not list it. Then scan.outcome is NO_ACTIVE_MANIFEST, which the
-- version before can read.
ALTER TABLE scan ADD COLUMN result TEXT CHECK (result IN ('NOT_LOADED', 'SUPERSEDED'));

-- JSON object: for each camera that changed the loading status of the pallet, the latest scanDate of such a scan.
ALTER TABLE track ADD COLUMN camera_dates TEXT CHECK (json_valid(camera_dates));
