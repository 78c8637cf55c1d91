import { getTableColumns } from 'drizzle-orm';
import { quietFault } from '../../access/organization/quiet-rules.ts';
import { organizationCreateSchema } from '../../access/organization/schema.ts';
import { SHARED_HOSTS } from '../../core/http/hosts.ts';
import { isUuid7 } from '../../core/lib/id.ts';
import { isDateNumber } from '../../core/lib/time.ts';
import { organization, settingsColumns } from '../../core/writer/settings-table.ts';
import type { Values } from './kinds.ts';
import { type LineBudget, parseCell } from './line.ts';
import type { Fault } from './rows.ts';

const COLUMNS = Object.entries(getTableColumns(organization)).filter(([, { name }]) =>
  settingsColumns.includes(name),
);
const DATES = ['create_date', 'update_date', 'suspended_date'];
/** Settings that may be NULL: without a value, or with the default in older rows. */
const NULLABLE = ['retentionDays', 'labelSize', 'quietFrom', 'quietTo'];
const FLAGS = ['client_feature_enabled', 'sandbox'];

/** The first value in the row of an organization that POST /organization would not have taken. @throws `OverBudget` */
export function settingsFault(values: Values, budget: LineBudget): Fault | undefined {
  if (!isUuid7(String(values['uuid'])))
    return { column: 'uuid', why: 'is not a UUID version 7 in lower case' };
  for (const column of DATES) {
    const value = values[column] ?? null;
    const isFault = value === null ? column !== 'suspended_date' : !isDateNumber(value);
    if (isFault) return { column, why: 'is not a date of the years 0 to 9999' };
  }
  const settings = settingsOf(values, budget);
  const parsed = organizationCreateSchema.safeParse(settings);
  // In a request, null means the default. Only these columns may be NULL.
  const empty = Object.keys(settings).find((name) => settings[name] === null && !NULLABLE.includes(name));
  const quiet = parsed.success && quietFault(parsed.data) ? 'quietTo' : undefined;
  const wrong = empty ?? parsed.error?.issues[0]?.path[0] ?? quiet;
  if (!parsed.success || wrong !== undefined) {
    const column = COLUMNS.find(([name]) => name === wrong)?.[1].name ?? 'name';
    return { column, why: 'is not allowed for a new organization' };
  }
  if (SHARED_HOSTS.has(parsed.data.slug)) return { column: 'slug', why: 'is reserved' };
  return undefined;
}

/** The settings as the body of POST /organization has them. Missing settings have their default, as in the table. */
function settingsOf(values: Values, budget: LineBudget): Record<string, unknown> {
  const others = ['uuid', ...DATES];
  return Object.fromEntries(
    COLUMNS.filter(([, { name }]) => name in values && !others.includes(name)).map(([field, { name }]) => [
      field,
      FLAGS.includes(name)
        ? flagOf(values[name])
        : name === 'shipment_custom_fields'
          ? (parseCell(String(values[name]), budget) ?? null)
          : values[name],
    ]),
  );
}

const flagOf = (value: unknown): unknown => (value === 1 ? true : value === 0 ? false : null);
