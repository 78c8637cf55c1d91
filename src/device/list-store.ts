import { sql } from 'drizzle-orm';
import { type Sorting, totalOf } from '../http/list-statements.ts';
import type { Scope } from '../lib/database.ts';
import { type DeviceFilters, deviceConditions, deviceView } from './store.ts';
import type { DeviceType } from './table.ts';

/** What a list of devices can be sorted by; types call the date on which they were last heard of by names of their own. */
export const deviceSorting = (heardDate: 'lastSeenDate' | 'lastHeartbeatDate'): Sorting<string> => ({
  columns: {
    createDate: { expression: sql`device.create_date`, stable: true },
    updateDate: { expression: sql`device.update_date`, stable: false },
    name: { expression: sql`device.name`, stable: true },
    [heardDate]: { expression: sql`device.last_heartbeat_date`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
});

/** The organization's devices of a type that meet the filters. */
export function deviceSource(
  database: Scope,
  deviceType: DeviceType,
  silent: number,
  filters: DeviceFilters,
  sorting: Sorting<string>,
) {
  return {
    from: sql`device`,
    table: 'device',
    ...deviceConditions(database, deviceType, silent, filters),
    count: filters.includeDeleted ? undefined : totalOf(database.organization, `device:${deviceType}`),
    view: deviceView(silent),
    sorting,
  };
}
