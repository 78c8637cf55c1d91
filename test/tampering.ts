/** Statements that give each record of the log a row for itself, as the records of a long command have. */
export const ONE_RECORD_EACH = [
  `INSERT INTO log (id, event_date, actor_number, request_id, hashes, records)
    SELECT log.id + r.key, event_date, actor_number, request_id, substr(hashes, r.key * 32 + 1, 32), json_array(json(r.value))
    FROM log CROSS JOIN json_each(records) r WHERE r.key > 0`,
  `UPDATE log SET hashes = substr(hashes, 1, 32), records = json_array(records -> 0) WHERE json_array_length(records) > 1`,
];

/** Inserts a record `NEW` of the view `audit_log` as a row for itself. */
const INSERTION = `INSERT INTO audit_actor (organization_number, actor_type, actor_uuid, actor_display_name, ip_address,
      commitment, salt)
    SELECT o.number, NEW.actor_type, NEW.actor_uuid, NEW.actor_display_name, NEW.ip_address, unhex(NEW.actor_commitment),
      unhex(NEW.actor_salt) FROM organization_number o WHERE o.organization_uuid = NEW.organization_uuid;
  INSERT INTO log (id, event_date, actor_number, request_id, hashes, records)
    SELECT o.number << 32 | NEW.sequence_number, NEW.event_date, (SELECT max(number) FROM audit_actor), NEW.request_id,
      unhex(NEW.hash), json_array(json_array(NEW.action, NEW.entity_type, NEW.entity_uuid, NEW.entity_external_id,
        json(NEW.changes), json(NEW.person)))
    FROM organization_number o WHERE o.organization_uuid = NEW.organization_uuid;`;

/** Let a test change records of the audit log through its view. The service never does this. */
export const TAMPERING = [
  `CREATE TRIGGER IF NOT EXISTS audit_log_delete INSTEAD OF DELETE ON audit_log BEGIN
    DELETE FROM log WHERE id = OLD.log_id;
  END`,
  `CREATE TRIGGER IF NOT EXISTS audit_log_insert INSTEAD OF INSERT ON audit_log BEGIN ${INSERTION} END`,
  `CREATE TRIGGER IF NOT EXISTS audit_log_update INSTEAD OF UPDATE ON audit_log BEGIN
    DELETE FROM log WHERE id = OLD.log_id; ${INSERTION}
  END`,
];
