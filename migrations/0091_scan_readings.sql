-- JSON object: for each camera that changed the loading status of the pallet, the latest scanDate of such a scan.
ALTER TABLE track ADD COLUMN camera_dates TEXT CHECK (json_valid(camera_dates));
