import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { list, searchFilter } from '../../core/http/list.ts';
import { searchCondition } from '../../core/http/list-statements.ts';
import { several } from '../../core/http/schema.ts';
import { inList } from '../../core/lib/sql.ts';
import { CALIBRATION_TYPES } from './rules.ts';
import { hardwareId } from './schema.ts';
import { calibrationView } from './store.ts';

export const calibrationList = list({
  table: 'calibration',
  view: calibrationView,
  sorting: {
    columns: {
      hardwareId: { expression: sql`calibration.hardware_id`, stable: true },
      createDate: { expression: sql`calibration.create_date`, stable: true },
      updateDate: { expression: sql`calibration.update_date`, stable: false },
    },
    default: { sortBy: 'hardwareId', direction: 'ASC' },
  },
  filters: {
    hardwareId: several(hardwareId).optional().describe('Files of any of these cameras'),
    calibrationType: several(z.enum(CALIBRATION_TYPES)).optional().describe('Files of any of these types'),
    q: searchFilter,
  },
  rows({ organization }, query) {
    return {
      conditions: [sql`calibration.organization_uuid = ${organization}`],
      filtering: [
        query.hardwareId && sql`calibration.hardware_id ${inList(query.hardwareId)}`,
        query.calibrationType && sql`calibration.calibration_type ${inList(query.calibrationType)}`,
        searchCondition([sql`lower(calibration.hardware_id)`], query.q),
      ],
    };
  },
});
