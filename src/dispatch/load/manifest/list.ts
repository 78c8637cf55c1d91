import { z } from '@hono/zod-openapi';
import { type Column, type SQL, sql } from 'drizzle-orm';
import { dateFilter } from '../../../core/http/dates.ts';
import { includeDeletedFilter, list, type SortColumn, searchFilter } from '../../../core/http/list.ts';
import { dateRange, listParts, searchCondition, totalOf } from '../../../core/http/list-statements.ts';
import { several, text } from '../../../core/http/schema.ts';
import { inList } from '../../../core/lib/sql.ts';
import { ownersOf } from '../../custom-field/store.ts';
import { gatesNamed } from '../../gate/store.ts';
import { changedSince } from '../shared/asset-store.ts';
import { LOAD_STATUSES } from '../shared/status-rules.ts';
import { eachFact, FACT_NAMES, factOf, type ManifestFact } from './rules.ts';
import { manifestView } from './store.ts';
import { manifest } from './table.ts';
import { BRIEF_LOOK } from './validation-store.ts';

/** Whether a filter leaves out the usual value of a fact, which an index leaves out, too. */
const isRare = (name: ManifestFact, values: readonly string[] | undefined): boolean =>
  values !== undefined && !values.includes(factOf(name).unset);

/** The condition of a filter by a fact. */
const factCondition = (name: ManifestFact, values: readonly string[] | undefined): SQL | undefined =>
  values &&
  sql`${manifest[name]} ${inList(values)} ${
    isRare(name, values) ? sql`AND ${manifest[name]} <> ${sql.raw(`'${factOf(name).unset}'`)}` : sql``
  }`;

/** The place of a value among choices, so that a list can be in the order of their meaning. */
const rankOf = (column: Column, choices: readonly string[]): SQL =>
  sql`CASE ${column} ${sql.join(
    choices.map((choice, rank) => sql`WHEN ${sql.raw(`'${choice}'`)} THEN ${sql.raw(String(rank))}`),
    sql` `,
  )} END`;

/** `key:value` of a custom field. The key may contain colons, too. */
const fieldFilter = text(2, 1_101)
  .regex(
    /^.+:/s,
    'Write the filter as key:value. A single parameter is split at commas. For a value with a comma, send the same parameter twice.',
  )
  .openapi({ type: 'string', example: 'carrier:Speedy Express' });

export const manifestList = list({
  table: 'manifest',
  view: manifestView(BRIEF_LOOK),
  sorting: {
    columns: {
      createDate: { expression: sql`manifest.create_date`, stable: true },
      updateDate: { expression: sql`manifest.update_date`, stable: false },
      externalIdentifier: { expression: sql`manifest.external_identifier`, stable: true },
      manifestStatus: { expression: sql`manifest.manifest_status`, stable: false },
      activateDate: { expression: sql`manifest.activate_date`, stable: false },
      closeDate: { expression: sql`manifest.close_date`, stable: false },
      ...eachFact<Record<ManifestFact, SortColumn>>(({ choices }, name) => ({
        expression: rankOf(manifest[name], choices),
        stable: false,
      })),
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    manifestStatus: several(z.enum(LOAD_STATUSES)).optional(),
    gateExternalId: several(text(1, 255)).optional().describe('Assigned to any of these gates'),
    ...eachFact<Record<ManifestFact, z.ZodOptional<z.ZodType<string[], string | string[]>>>>(
      ({ choices, about }) => several(z.enum(choices)).optional().describe(about),
    ),
    q: searchFilter,
    activateDateAfter: dateFilter.optional(),
    activateDateBefore: dateFilter.optional(),
    closeDateAfter: dateFilter.optional(),
    closeDateBefore: dateFilter.optional(),
    customField: several(fieldFilter)
      .optional()
      .describe(
        '`key:value`; with several values, all must match. `a:b:c` matches the key `a` with the value `b:c`, and the ' +
          'key `a:b` with the value `c`',
      ),
    includeDeleted: includeDeletedFilter,
  },
  rows({ organization }, query) {
    const status = sql`manifest.manifest_status`;
    const parts = listParts(status, query.manifestStatus);
    const changed = query.includeDeleted ? undefined : query.updateDateAfter;
    const byUuid = query.customField !== undefined || changed !== undefined;
    return {
      conditions: [
        // The plus makes SQLite look up manifests by the uuids that a filter gives.
        sql`${byUuid ? sql`+` : sql``}manifest.organization_uuid = ${organization}`,
        query.includeDeleted ? undefined : sql`manifest.deleted_date IS NULL`,
      ],
      parts,
      every: query.includeDeleted ? undefined : listParts(status, LOAD_STATUSES),
      count: query.includeDeleted ? undefined : totalOf(organization, 'manifest', parts),
      filtering: [
        query.gateExternalId && sql`manifest.gate_uuid ${gatesNamed(organization, query.gateExternalId)}`,
        ...FACT_NAMES.map((name) => factCondition(name, query[name])),
        searchCondition([sql`manifest.folded_identifier`], query.q),
        dateRange(sql`manifest.activate_date`, query.activateDateAfter, query.activateDateBefore),
        dateRange(sql`manifest.close_date`, query.closeDateAfter, query.closeDateBefore),
        query.customField && sql`manifest.uuid ${ownersOf(organization, query.customField)}`,
        changed === undefined
          ? undefined
          : sql`manifest.uuid IN ${changedSince(organization, 'manifest', changed)}`,
      ],
      narrow: Boolean(
        FACT_NAMES.some((name) => isRare(name, query[name])) ||
          query.manifestStatus ||
          query.gateExternalId ||
          byUuid ||
          query.closeDateAfter ||
          query.closeDateBefore,
      ),
    };
  },
});
