import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../core/http/link.ts';
import type { Database } from '../../core/lib/database.ts';
import { parseJson } from '../../core/lib/json.ts';
import { organizationsWhere } from '../../core/lib/look-up.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { isoDate, isoDateOrNull, SECOND_MS } from '../../core/lib/time.ts';
import type { ViewRow } from '../../core/lib/view.ts';
import type { OrganizationSettings } from '../../core/writer/settings.ts';
import type { GateReference } from '../gate/rules.ts';
import { gateExternalIdOf, gateReferenceView, presentGateReference } from '../gate/store.ts';
import type { DeviceState, Report } from './rules.ts';
import { type AGENT_TYPES, type DeviceType, device, type SCANNER_TYPES } from './table.ts';

/**
 * Returns an instant in epoch milliseconds. A device whose last heartbeat is older is shown as
 * OFFLINE.
 */
export function silentBefore(settings: OrganizationSettings, now: number): number {
  return now - settings.deviceOfflineAfterSeconds * SECOND_MS;
}

/** The status that is shown: the reported status, as long as the device sends heartbeats. */
export const deviceStatus = (silent: number) => sql<string>`CASE
  WHEN device.deleted_date IS NULL AND device.last_heartbeat_date >= ${silent} THEN device.reported_status
  WHEN device.deleted_date IS NOT NULL AND device.device_type = 'SCANNER' THEN 'DISABLED'
  ELSE 'OFFLINE' END`;

/** JSON of a device of any type. */
export const deviceView = (silent: number) => sql<StoredDevice>`json_object('uuid', device.uuid,
  'deviceType', device.device_type, 'name', device.name, 'serialNumber', device.serial_number,
  'scannerType', device.scanner_type, 'hostname', device.hostname, 'agentType', device.agent_type,
  'localManagerUuid', device.local_manager_uuid, 'softwareVersion', device.software_version,
  'status', ${deviceStatus(silent)}, 'lastError', device.last_error,
  'dates', json_object('lastHeartbeatDate', device.last_heartbeat_date, 'createDate', device.create_date,
    'updateDate', device.update_date, 'deletedDate', device.deleted_date),
  'gate', ${gateReferenceView(sql`device.organization_uuid`, sql`device.gate_uuid`)},
  'gatesCount', (SELECT count(*) FROM gate WHERE gate.organization_uuid = device.organization_uuid
    AND gate.local_manager_uuid = device.uuid AND gate.deleted_date IS NULL))`;

/** A row of `deviceView`. Dates are epoch milliseconds. */
export interface StoredDevice {
  uuid: string;
  deviceType: DeviceType;
  name: string;
  serialNumber: string | null;
  scannerType: (typeof SCANNER_TYPES)[number] | null;
  hostname: string | null;
  agentType: (typeof AGENT_TYPES)[number] | null;
  localManagerUuid: string | null;
  softwareVersion: string | null;
  status: string;
  lastError: string | null;
  dates: {
    lastHeartbeatDate: number | null;
    createDate: number;
    updateDate: number;
    deletedDate: number | null;
  };
  gate: GateReference | null;
  gatesCount: number;
}

/** Path segment of each type, in the API and in the operations pages. */
export const SEGMENTS = { SCANNER: 'scanner', LOCAL_MANAGER: 'local-manager', AGENT: 'agent' } as const;

/** A device as the API shows it. The fields depend on its type. */
export function presentDevice(links: string, stored: StoredDevice) {
  const { dates, localManagerUuid } = stored;
  const lastHeartbeatDate = isoDateOrNull(dates.lastHeartbeatDate);
  const shown = {
    uuid: stored.uuid,
    createDate: isoDate(dates.createDate),
    updateDate: isoDate(dates.updateDate),
    deepLink: deepLink(links, SEGMENTS[stored.deviceType], stored.uuid),
    name: stored.name,
    softwareVersion: stored.softwareVersion,
    status: stored.status,
    deleted: dates.deletedDate !== null,
  };
  switch (stored.deviceType) {
    case 'SCANNER': {
      const { serialNumber, scannerType } = stored;
      const gate = presentGateReference(links, stored.gate);
      return { ...shown, serialNumber, scannerType, gate, localManagerUuid, lastSeenDate: lastHeartbeatDate };
    }
    case 'LOCAL_MANAGER':
      return { ...shown, hostname: stored.hostname, lastHeartbeatDate, gatesCount: stored.gatesCount };
    case 'AGENT': {
      const { agentType, lastError } = stored;
      return { ...shown, agentType, localManagerUuid, lastHeartbeatDate, lastError };
    }
  }
}

/** The condition for one device that is not deleted. */
const identified = ({ organization }: Scope, deviceType: DeviceType, uuid: string): SQL => sql`
  device.organization_uuid = ${organization} AND device.uuid = ${uuid}
  AND device.device_type = ${deviceType} AND device.deleted_date IS NULL`;

/** Read the state of a device for a command. */
export const deviceStateQuery = (
  scope: Scope,
  deviceType: DeviceType,
  uuid: string,
  silent: number,
): SQL<FoundDevice> => sql`SELECT uuid, name, reported_status AS "reportedStatus", ${deviceStatus(silent)} AS "shownStatus",
  software_version AS "softwareVersion", last_error AS "lastError"
  FROM device WHERE ${identified(scope, deviceType, uuid)}`;

/** The state of a device that commands decide on. */
interface FoundDevice extends DeviceState {
  uuid: string;
  name: string;
}

export interface SilentDevice {
  uuid: string;
  deviceType: DeviceType;
  name: string;
  reportedStatus: string;
  /** Epoch milliseconds. */
  lastHeartbeatDate: number;
  /** The gate of a scanner; null for other types. */
  gateUuid: string | null;
  gateExternalId: string | null;
}

/** Devices that sent a heartbeat and are not stored as OFFLINE. An index has this condition. */
const IS_REPORTING = sql`device.deleted_date IS NULL AND device.reported_status <> 'OFFLINE'`;

/** Devices with a last heartbeat before a date, if their silence is not recorded yet. */
export const silentDevicesQuery = (
  { organization }: Scope,
  silent: number,
  limit: number,
): SQL<SilentDevice> => sql`SELECT uuid, device_type AS "deviceType", name, reported_status AS "reportedStatus",
    last_heartbeat_date AS "lastHeartbeatDate", gate_uuid AS "gateUuid",
    ${gateExternalIdOf(sql`device.organization_uuid`, sql`device.gate_uuid`)} AS "gateExternalId" FROM device
  WHERE device.organization_uuid = ${organization} AND ${IS_REPORTING} AND last_heartbeat_date < ${silent}
  ORDER BY last_heartbeat_date, uuid LIMIT ${limit}`;

/**
 * Record that devices fell silent. Heartbeats bypass the writer, so a heartbeat may have arrived
 * since the read. The column then refuses the value and the commit fails. The command reads the
 * silent devices again.
 */
export const storeSilence = (scope: Scope, uuids: readonly string[], silent: number, now: number): Write =>
  scope.update(
    device,
    {
      reportedStatus: sql`CASE WHEN last_heartbeat_date < ${silent} THEN 'OFFLINE' ELSE 'heard of meanwhile' END`,
      updateDate: now,
    },
    { uuids },
  );

/**
 * Organizations with devices that fell silent. The query uses the index of devices that send
 * heartbeats.
 */
export const silentOrganizations = (db: D1Database, now: number): Promise<string[]> =>
  organizationsWhere(
    db,
    sql`EXISTS (SELECT 1 FROM device WHERE device.organization_uuid = organization.uuid AND ${IS_REPORTING}
      AND last_heartbeat_date < ${now} - organization.device_offline_after_seconds * ${SECOND_MS})`,
  );

/** Local managers to choose from, by creation date, up to a limit. */
export const managerNamesQuery = (
  { organization }: Scope,
  limit: number,
): SQL<{ uuid: string; name: string }> => sql`SELECT uuid, name FROM device
  WHERE organization_uuid = ${organization} AND device_type = 'LOCAL_MANAGER' AND deleted_date IS NULL
  ORDER BY create_date DESC, uuid DESC LIMIT ${limit}`;

/** Returns a row if the scanner exists. */
export const scannerQuery = (scope: Scope, uuid: string): SQL =>
  sql`SELECT 1 FROM device WHERE ${identified(scope, 'SCANNER', uuid)}`;

/** The JSON of a device of a type. Deleted devices are left out. */
export const deviceViewQuery = (database: Scope, deviceType: DeviceType, uuid: string, silent: number) =>
  sql<
    ViewRow<SQL<StoredDevice>>
  >`SELECT ${deviceView(silent)} AS view FROM device WHERE ${identified(database, deviceType, uuid)}`;

/** The JSON of a device after the writes of a commit. */
export const deviceQuery = ({ organization }: Scope, uuid: string, silent: number): SQL<StoredDevice> =>
  sql`SELECT ${deviceView(silent)} FROM device WHERE organization_uuid = ${organization} AND uuid = ${uuid}`;

/** A heartbeat of a device. */
export interface Heartbeat extends Report {
  deviceType: DeviceType;
  uuid: string;
}

/** The later of the stored date and now. The date of the last heartbeat only moves forward. */
export const laterHeartbeat = (now: number): SQL => sql`max(coalesce(last_heartbeat_date, 0), ${now})`;

/**
 * Store a heartbeat without news (see `reportedChanges`). The statement itself checks that it has
 * no news, and only moves the date forward. So it needs neither the writer nor its fence.
 */
export function noteAlive(scope: Scope, beat: Heartbeat, silent: number, now: number): Write {
  return scope.update(
    device,
    { lastHeartbeatDate: laterHeartbeat(now) },
    sql`${identified(scope, beat.deviceType, beat.uuid)}
      AND reported_status = ${beat.status} AND ${deviceStatus(silent)} = ${beat.status}
      AND software_version IS coalesce(${beat.softwareVersion}, software_version)
      AND last_error IS coalesce(${beat.lastError}, last_error)`,
  );
}

/**
 * Like `noteAlive`, but returns the device afterwards. Undefined if the heartbeat has news or the
 * device is unknown.
 */
export async function readAlive(
  database: Database,
  beat: Heartbeat,
  silent: number,
  now: number,
): Promise<StoredDevice | undefined> {
  const row = await database.first(
    sql<
      ViewRow<SQL<StoredDevice>>
    >`${noteAlive(database, beat, silent, now)} RETURNING ${deviceView(silent)} AS view`,
  );
  return row && parseJson(row.view);
}
