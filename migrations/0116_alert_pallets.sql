-- The number of readings that an alert covers.
ALTER TABLE alert ADD COLUMN count INTEGER NOT NULL DEFAULT 1 CHECK (count >= 1);

-- The pallets and unknown markers that an open alert covers. They were read at a gate without work, or are aboard a load
-- that ended. A resolved alert covers nothing.
CREATE TABLE alert_pallet (
  organization_uuid TEXT NOT NULL,
  alert_uuid TEXT NOT NULL,
  -- Empty for an unknown marker.
  wms_id TEXT NOT NULL,
  -- 0 for a pallet without a marker.
  marker_code INTEGER NOT NULL,
  PRIMARY KEY (organization_uuid, alert_uuid, wms_id, marker_code)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_pallet_wms_id ON alert_pallet (organization_uuid, wms_id) WHERE wms_id <> '';
CREATE INDEX alert_pallet_marker_code ON alert_pallet (organization_uuid, marker_code) WHERE marker_code <> 0;
CREATE TRIGGER alert_pallet_resolved AFTER UPDATE OF status ON alert
WHEN NEW.status = 'RESOLVED' BEGIN
  DELETE FROM alert_pallet WHERE organization_uuid = NEW.organization_uuid AND alert_uuid = NEW.uuid;
END;

-- An open alert about readings at a gate is found by the gate alone.
DROP INDEX alert_open_gate;
CREATE INDEX alert_open_gate ON alert (organization_uuid, gate_uuid, alert_type) WHERE status = 'OPEN';

-- A load has one open alert about pallets that are still aboard.
DROP INDEX alert_open_load;
CREATE UNIQUE INDEX alert_open_load ON alert (organization_uuid, record_uuid, alert_type)
  WHERE status = 'OPEN' AND alert_type IN ('COMPLETED_SHORT', 'DEPARTURE_AT_RISK', 'DEPARTURE_LATE', 'PALLETS_ABOARD');
