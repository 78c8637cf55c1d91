-- Calibration files of cameras. The bytes are objects in the bucket; this is what makes them a file.

CREATE TABLE calibration (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  hardware_id TEXT NOT NULL,
  calibration_type TEXT NOT NULL
    CHECK (calibration_type IN ('INTRINSIC', 'EXTRINSIC', 'DISTORTION', 'HAND_EYE', 'COLOR')),
  object_key TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX calibration_name ON calibration (organization_uuid, hardware_id, calibration_type);

-- Objects that no file names: not yet, or no longer. An object is named here or by a file, at every instant.
CREATE TABLE calibration_orphan (
  organization_uuid TEXT NOT NULL,
  object_key TEXT NOT NULL,
  create_date INTEGER NOT NULL,
  -- When somebody set out to delete the object: from then on no file may take it.
  claimed_date INTEGER,
  PRIMARY KEY (organization_uuid, object_key)
) STRICT;
CREATE INDEX calibration_orphan_create_date ON calibration_orphan (create_date);
