/**
 * Lets a test change records of the audit log through its view. The service never does this. An update deletes the record
 * and inserts the new one.
 */
export const TAMPERING = `CREATE TRIGGER IF NOT EXISTS audit_log_update INSTEAD OF UPDATE ON audit_log BEGIN
  DELETE FROM audit_log WHERE organization_uuid = OLD.organization_uuid AND sequence_number = OLD.sequence_number;
  INSERT INTO audit_log (organization_uuid, sequence_number, uuid, event_date, action, actor_type, actor_uuid,
    actor_display_name, entity_type, entity_uuid, entity_external_id, changes, request_id, ip_address, previous_hash, hash,
    actor_commitment, actor_salt, person)
  VALUES (NEW.organization_uuid, NEW.sequence_number, NEW.uuid, NEW.event_date, NEW.action, NEW.actor_type, NEW.actor_uuid,
    NEW.actor_display_name, NEW.entity_type, NEW.entity_uuid, NEW.entity_external_id, NEW.changes, NEW.request_id,
    NEW.ip_address, NEW.previous_hash, NEW.hash, NEW.actor_commitment, NEW.actor_salt, NEW.person);
END`;
