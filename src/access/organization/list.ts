import { sql } from 'drizzle-orm';
import { list, searchFilter } from '../../core/http/list.ts';
import { livesSomewhere } from '../../core/lib/look-up.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { organizationView } from '../../core/writer/settings.ts';

const SHOWN = {
  table: 'organization',
  view: organizationView,
  sorting: {
    columns: {
      createDate: { expression: sql`organization.create_date`, stable: true },
      updateDate: { expression: sql`organization.update_date`, stable: false },
      name: { expression: sql`organization.name`, stable: false },
      slug: { expression: sql`organization.slug`, stable: false },
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
} as const;

const rowsOf = ({ organization }: Scope) => ({
  conditions: [sql`organization.uuid <> ${organization}`, livesSomewhere],
});

/** All organizations of the service, for the operator. */
export const organizationList = list({ ...SHOWN, filters: {}, rows: rowsOf });

/** The same with a search by name and slug. The search scans all organizations, which are few enough. */
export const searchedOrganizations = list({
  ...SHOWN,
  filters: { q: searchFilter.default('*') },
  rows(scope, { q }) {
    // SQLite folds only a to z. Other letters must match exactly.
    const typed = q.toLowerCase();
    const contains = sql`(instr(organization.name, ${q}) > 0 OR instr(lower(organization.name), ${typed}) > 0
      OR instr(organization.slug, ${typed}) > 0)`;
    return { ...rowsOf(scope), filtering: [q === '*' ? undefined : contains] };
  },
});
