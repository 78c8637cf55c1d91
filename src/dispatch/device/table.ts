import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const DEVICE_TYPES = ['SCANNER', 'LOCAL_MANAGER', 'AGENT'] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];
export const SCANNER_TYPES = ['HANDHELD', 'FIXED', 'PRINT_STATION'] as const;
export const AGENT_TYPES = ['PRINTER', 'WMS_CONNECTOR', 'CAMERA'] as const;
/** The statuses that devices report. Each type uses some of them. */
export const REPORTED_STATUSES = ['ONLINE', 'OFFLINE', 'DEGRADED', 'ERROR'] as const;

/** A scanner, local manager or agent. Dates are epoch milliseconds. */
export const device = sqliteTable('device', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  deviceType: text('device_type', { enum: DEVICE_TYPES }).notNull(),
  name: text('name').notNull(),
  serialNumber: text('serial_number'),
  scannerType: text('scanner_type', { enum: SCANNER_TYPES }),
  gateUuid: text('gate_uuid'),
  hostname: text('hostname'),
  agentType: text('agent_type', { enum: AGENT_TYPES }),
  localManagerUuid: text('local_manager_uuid'),
  softwareVersion: text('software_version'),
  /** The status of the last heartbeat; null before the first heartbeat. */
  reportedStatus: text('reported_status', { enum: REPORTED_STATUSES }),
  lastError: text('last_error'),
  lastHeartbeatDate: integer('last_heartbeat_date'),
  /** Folded texts that `q` searches. */
  foldedName: text('folded_name').notNull(),
  foldedSerialNumber: text('folded_serial_number'),
  foldedHostname: text('folded_hostname'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});
