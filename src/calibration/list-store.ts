import { sql } from 'drizzle-orm';
import { searchCondition } from '../http/list.ts';
import { type Sorting, totalOf } from '../http/list-statements.ts';
import { inList, type Scope } from '../lib/database.ts';
import { calibrationView } from './store.ts';

/** What the list can be sorted by. */
export const calibrationSorting: Sorting<'hardwareId' | 'createDate' | 'updateDate'> = {
  columns: {
    hardwareId: { expression: sql`calibration.hardware_id`, stable: true },
    createDate: { expression: sql`calibration.create_date`, stable: true },
    updateDate: { expression: sql`calibration.update_date`, stable: false },
  },
  default: { sortBy: 'hardwareId', direction: 'ASC' },
};

/** What the list can be filtered by. */
export interface CalibrationFilters {
  hardwareId?: readonly string[] | undefined;
  calibrationType?: readonly string[] | undefined;
  q?: string | undefined;
}

/** The organization's calibration files that meet the filters. */
export function calibrationSource({ organization }: Scope, query: CalibrationFilters) {
  return {
    from: sql`calibration`,
    table: 'calibration',
    conditions: [sql`calibration.organization_uuid = ${organization}`],
    count: totalOf(organization, 'calibration'),
    filters: [
      query.hardwareId && sql`calibration.hardware_id ${inList(query.hardwareId)}`,
      query.calibrationType && sql`calibration.calibration_type ${inList(query.calibrationType)}`,
      searchCondition([sql`lower(calibration.hardware_id)`], query.q),
    ],
    view: calibrationView,
    sorting: calibrationSorting,
  };
}
