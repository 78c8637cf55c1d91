-- Indexes that find the rows of an organization that its other indexes leave out: exports, moves and erasures
-- must not read the rows of other organizations. Only the deletion of a row writes to them.
CREATE INDEX user_deleted ON user (organization_uuid) WHERE deleted_date IS NOT NULL;
CREATE INDEX client_deleted ON client (organization_uuid) WHERE deleted_date IS NOT NULL;
CREATE INDEX manifest_deleted ON manifest (organization_uuid) WHERE deleted_date IS NOT NULL;
CREATE INDEX shipment_deleted ON shipment (organization_uuid) WHERE deleted_date IS NOT NULL;
CREATE INDEX archive_entry_deleted ON archive_entry (organization_uuid) WHERE deleted_date IS NOT NULL;
CREATE INDEX gate_turn_ended ON gate_turn (organization_uuid) WHERE end_date IS NOT NULL;
