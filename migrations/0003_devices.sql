-- Scanners, local managers and agents: what the operator provisioned, and what each reported last.

CREATE TABLE device (
  uuid TEXT PRIMARY KEY NOT NULL,
  organization_uuid TEXT NOT NULL,
  device_type TEXT NOT NULL CHECK (device_type IN ('SCANNER', 'LOCAL_MANAGER', 'AGENT')),
  name TEXT NOT NULL,
  -- Of a scanner.
  serial_number TEXT,
  scanner_type TEXT CHECK (scanner_type IN ('HANDHELD', 'FIXED', 'PRINT_STATION')),
  gate_uuid TEXT,
  -- Of a local manager.
  hostname TEXT,
  -- Of an agent.
  agent_type TEXT CHECK (agent_type IN ('PRINTER', 'WMS_CONNECTOR', 'CAMERA')),
  -- Of a scanner or an agent.
  local_manager_uuid TEXT,
  software_version TEXT,
  -- What the last heartbeat said; null before the first one.
  reported_status TEXT,
  last_error TEXT,
  -- In no index: a heartbeat that says nothing new writes this one row and nothing else.
  last_heartbeat_date INTEGER,
  folded_name TEXT NOT NULL,
  folded_serial_number TEXT,
  folded_hostname TEXT,
  create_date INTEGER NOT NULL,
  update_date INTEGER NOT NULL,
  deleted_date INTEGER,
  CHECK (device_type = 'SCANNER' OR coalesce(serial_number, scanner_type, gate_uuid) IS NULL),
  CHECK (device_type = 'LOCAL_MANAGER' OR hostname IS NULL),
  CHECK (device_type = 'AGENT' OR coalesce(agent_type, last_error) IS NULL),
  CHECK (device_type <> 'LOCAL_MANAGER' OR local_manager_uuid IS NULL),
  CHECK (reported_status IN ('ONLINE', 'OFFLINE')
    OR (device_type = 'LOCAL_MANAGER' AND reported_status = 'DEGRADED')
    OR (device_type = 'AGENT' AND reported_status = 'ERROR')),
  CHECK ((reported_status IS NULL) = (last_heartbeat_date IS NULL))
) STRICT;
CREATE INDEX device_create_date ON device (organization_uuid, device_type, create_date, uuid);

-- Only look-ups by local manager can use it.
CREATE INDEX gate_local_manager ON gate (organization_uuid, local_manager_uuid)
  WHERE local_manager_uuid IS NOT NULL AND deleted_date IS NULL;

-- A device that was not heard of for longer is shown as OFFLINE.
ALTER TABLE organization ADD COLUMN device_offline_after_seconds INTEGER NOT NULL DEFAULT 300;
