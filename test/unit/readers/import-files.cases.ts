import { TENANT_ROWS } from '../../../src/access/database/tenant.ts';
import { OverBudget } from '../../../src/core/lib/reader.ts';
import { ObjectKeys } from '../../../src/storage/transfer/object-keys.ts';
import { casesOf } from './case.ts';

const UUID = '01936c9d-2c80-7000-8000-000000000017';
const CALIBRATION = TENANT_ROWS.find(({ name }) => name === 'calibration')!;

/** The objects that rows of an import name. The input is the number of rows. */
export default casesOf<number>({
  reader: 'objects of an export',
  needed: { files: 'as many rows as fit in an import' },
  read(count) {
    const keys = new ObjectKeys(UUID);
    try {
      for (let row = 0; row < count; row += 1)
        keys.take(CALIBRATION, { object_key: `${'x'.repeat(1_000)}${row}` });
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
    }
    return keys;
  },
  inputs: { 'as many rows as fit in an import': () => 400_000 },
});
