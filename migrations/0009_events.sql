-- What happened in an organization, one row for each change of a state that others are told of, without gaps. The last
-- row of an organization is never pruned: it is where the numbers go on.
CREATE TABLE event (
  organization_uuid TEXT NOT NULL,
  sequence_number INTEGER NOT NULL,
  uuid TEXT NOT NULL,
  event_type TEXT NOT NULL,
  event_date INTEGER NOT NULL,
  -- The background operation it belongs to.
  operation_uuid TEXT,
  entity_type TEXT NOT NULL,
  entity_uuid TEXT,
  entity_external_id TEXT,
  -- The resource as it was stored at that commit.
  data TEXT CHECK (data IS NULL OR json_valid(data)),
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  PRIMARY KEY (organization_uuid, sequence_number)
) STRICT;
CREATE INDEX event_date ON event (event_date);

-- The status that the last event about the gate told.
ALTER TABLE gate ADD COLUMN told_status TEXT NOT NULL DEFAULT 'AVAILABLE';
UPDATE gate SET told_status = CASE WHEN deleted_date IS NOT NULL THEN 'OUT_OF_SERVICE'
  WHEN EXISTS (SELECT 1 FROM manifest WHERE manifest.organization_uuid = gate.organization_uuid
    AND manifest.gate_uuid = gate.uuid AND manifest_status = 'IN_PROGRESS' AND manifest.deleted_date IS NULL)
  THEN 'LOADING' ELSE 'AVAILABLE' END;
