-- Public pages are found by their token alone.
CREATE UNIQUE INDEX shipment_public_token ON shipment (public_token) WHERE public_token IS NOT NULL;
CREATE UNIQUE INDEX manifest_public_token ON manifest (public_token) WHERE public_token IS NOT NULL;

-- Where the log tells of changes to loading records after their manifest was closed: what was corrected by hand, taken
-- off at its destination, or cleared from the floor. Proofs of shipment are numbered by them. A trigger, so that none is
-- missed, whatever command and whatever version of the service makes it; the log is written before the records are.
CREATE TABLE loading_correction (
  organization_uuid TEXT NOT NULL,
  manifest_uuid TEXT NOT NULL,
  sequence_number INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, manifest_uuid, sequence_number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER audit_log_loading_correction AFTER INSERT ON audit_log WHEN NEW.entity_type = 'ASSET_LOADING' BEGIN
  INSERT INTO loading_correction (organization_uuid, manifest_uuid, sequence_number)
  SELECT NEW.organization_uuid, a.manifest_uuid, NEW.sequence_number
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.uuid = NEW.entity_uuid AND a.organization_uuid = NEW.organization_uuid
    AND m.manifest_status IN ('COMPLETED', 'CANCELLED');
END;

-- Those that were made before; of records that are gone nobody can tell where they were.
INSERT INTO loading_correction (organization_uuid, manifest_uuid, sequence_number)
SELECT l.organization_uuid, a.manifest_uuid, l.sequence_number
FROM manifest m CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
CROSS JOIN audit_log l ON l.organization_uuid = a.organization_uuid AND l.entity_uuid = a.uuid
WHERE m.close_date IS NOT NULL AND l.entity_type = 'ASSET_LOADING' AND l.event_date > m.close_date;
