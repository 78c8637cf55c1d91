-- The log grows for ever: what happened to a thing, or at a time, is found without walking it. Other filters walk.
CREATE INDEX audit_log_event_date ON audit_log (organization_uuid, event_date);
CREATE INDEX audit_log_entity_uuid ON audit_log (organization_uuid, entity_uuid);
CREATE INDEX audit_log_entity_external_id ON audit_log (organization_uuid, entity_external_id);
