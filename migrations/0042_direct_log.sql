-- Records are written to their table now, not by way of the view: a correction of a loading record is kept either way.
DROP TRIGGER audit_log_loading_correction;
CREATE TRIGGER audit_record_loading_correction AFTER INSERT ON audit_record
WHEN (SELECT entity_type FROM audit_action WHERE number = NEW.action_number) = 'ASSET_LOADING' BEGIN
  INSERT INTO loading_correction (organization_uuid, manifest_uuid, sequence_number)
  SELECT a.organization_uuid, a.manifest_uuid, NEW.sequence_number
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.uuid = lower(substr(hex(NEW.entity_uuid), 1, 8) || '-' || substr(hex(NEW.entity_uuid), 9, 4) || '-'
      || substr(hex(NEW.entity_uuid), 13, 4) || '-' || substr(hex(NEW.entity_uuid), 17, 4) || '-'
      || substr(hex(NEW.entity_uuid), 21))
    AND m.manifest_status IN ('COMPLETED', 'CANCELLED')
    AND a.organization_uuid =
      (SELECT organization_uuid FROM organization_number WHERE number = NEW.organization_number)
    AND (SELECT residence FROM organization WHERE organization.uuid = a.organization_uuid) IS NOT 'ARRIVING';
END;

-- The last four of a uuid's sixteen bytes find its records as well.
DROP INDEX audit_record_entity_uuid;
CREATE INDEX audit_record_entity_uuid ON audit_record (organization_number, substr(entity_uuid, 13));
