-- To find the organization that an object of the bucket belongs to.
CREATE INDEX calibration_object_key ON calibration (object_key);
CREATE INDEX calibration_orphan_object_key ON calibration_orphan (object_key);
