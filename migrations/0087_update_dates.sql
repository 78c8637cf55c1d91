-- The update date of an open load changes with every scan, so it is in no index. Open loads are found by their status,
-- closed ones by their close date. Only loads that were changed after they closed have an entry.
-- The version before works with this schema. Its filter by update date then reads the loads of the organization.
DROP INDEX manifest_update_date;
CREATE INDEX manifest_changed_late ON manifest (organization_uuid, update_date)
  WHERE update_date > close_date AND deleted_date IS NULL;
DROP INDEX shipment_update_date;
CREATE INDEX shipment_changed_late ON shipment (organization_uuid, update_date)
  WHERE update_date > close_date AND deleted_date IS NULL;

-- Entries of timelines are numbered in the order of commits, so events of EPCIS are found by number.
DROP INDEX activity_epcis;
