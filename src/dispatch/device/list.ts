import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { includeDeletedFilter, type ListRows, list, searchFilter } from '../../core/http/list.ts';
import { searchCondition } from '../../core/http/list-statements.ts';
import { several, text, uuid } from '../../core/http/schema.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { gatesNamed } from '../gate/store.ts';
import { AGENT_STATUSES, LOCAL_MANAGER_STATUSES, SCANNER_STATUSES } from './schema.ts';
import { deviceStatus, deviceView } from './store.ts';
import { AGENT_TYPES, type DeviceType, SCANNER_TYPES } from './table.ts';

/**
 * The common part of all lists of devices. `heardDate` is the name that a type uses for the date of
 * the last heartbeat.
 */
const devices = (heardDate: 'lastSeenDate' | 'lastHeartbeatDate') => ({
  table: 'device',
  view: (_: Scope, silent: number) => deviceView(silent),
  sorting: {
    columns: {
      createDate: { expression: sql`device.create_date`, stable: true },
      updateDate: { expression: sql`device.update_date`, stable: false },
      name: { expression: sql`device.name`, stable: true },
      [heardDate]: { expression: sql`device.last_heartbeat_date`, stable: false },
    },
    default: { sortBy: 'createDate', direction: 'DESC' as const },
  },
});

const ofEveryType = { q: searchFilter, includeDeleted: includeDeletedFilter };
const localManagerUuid = several(uuid).optional().describe('With any of these local managers');

/**
 * The organization's devices of a type that match the filters. `silent` is a result of
 * `silentBefore`.
 */
const devicesOf = (
  deviceType: DeviceType,
  { organization }: Scope,
  silent: number,
  {
    status,
    q,
    includeDeleted,
  }: z.output<z.ZodObject<typeof ofEveryType>> & { status?: string[] | undefined },
  narrowing: (SQL | undefined)[],
): ListRows => ({
  conditions: [
    sql`device.organization_uuid = ${organization} AND device.device_type = ${deviceType}`,
    includeDeleted ? undefined : sql`device.deleted_date IS NULL`,
  ],
  filtering: [
    status && sql`${deviceStatus(silent)} ${inList(status)}`,
    ...narrowing,
    searchCondition(
      [sql`device.folded_name`, sql`device.folded_serial_number`, sql`device.folded_hostname`],
      q,
    ),
  ],
});

const managedBy = (managers: string[] | undefined): SQL | undefined =>
  managers && sql`device.local_manager_uuid ${inList(managers)}`;

export const scannerList = list({
  ...devices('lastSeenDate'),
  filters: {
    status: several(z.enum(SCANNER_STATUSES)).optional(),
    scannerType: several(z.enum(SCANNER_TYPES)).optional(),
    gateExternalId: several(text(1, 255))
      .optional()
      .describe('At any of these gates, by external id or UUID'),
    localManagerUuid,
    ...ofEveryType,
  },
  rows: (scope, query, silent: number) =>
    devicesOf('SCANNER', scope, silent, query, [
      query.scannerType && sql`device.scanner_type ${inList(query.scannerType)}`,
      query.gateExternalId && sql`device.gate_uuid ${gatesNamed(scope.organization, query.gateExternalId)}`,
      managedBy(query.localManagerUuid),
    ]),
});

export const localManagerList = list({
  ...devices('lastHeartbeatDate'),
  filters: { status: several(z.enum(LOCAL_MANAGER_STATUSES)).optional(), ...ofEveryType },
  rows: (scope, query, silent: number) => devicesOf('LOCAL_MANAGER', scope, silent, query, []),
});

export const agentList = list({
  ...devices('lastHeartbeatDate'),
  filters: {
    status: several(z.enum(AGENT_STATUSES)).optional(),
    agentType: several(z.enum(AGENT_TYPES)).optional(),
    localManagerUuid,
    ...ofEveryType,
  },
  rows: (scope, query, silent: number) =>
    devicesOf('AGENT', scope, silent, query, [
      query.agentType && sql`device.agent_type ${inList(query.agentType)}`,
      managedBy(query.localManagerUuid),
    ]),
});
