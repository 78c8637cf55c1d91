-- What a gate is called in the supply chain: its GLN, which EPCIS events name it by.
ALTER TABLE gate ADD COLUMN gln TEXT;

-- What EPCIS tells of, in the order in which it was committed.
CREATE INDEX activity_epcis ON activity (organization_number, coalesce(entry_date, activity_date), number)
  WHERE activity_type IN ('LOADED', 'NOT_LOADED', 'UNLOADED', 'OFFLOADED', 'FLAGGED', 'UNFLAGGED');
CREATE INDEX shipment_completed ON shipment (organization_uuid, close_date, uuid)
  WHERE status = 'COMPLETED' AND deleted_date IS NULL;
CREATE INDEX manifest_completed ON manifest (organization_uuid, close_date, uuid)
  WHERE manifest_status = 'COMPLETED' AND deleted_date IS NULL;

-- Whether an organization is one to try things in: then cameras can be played at its gates.
ALTER TABLE organization ADD COLUMN sandbox INTEGER NOT NULL DEFAULT 0 CHECK (sandbox IN (0, 1));

-- What an operation is, where it is none of the kinds that `operation_type` may say.
ALTER TABLE operation ADD COLUMN kind TEXT;
