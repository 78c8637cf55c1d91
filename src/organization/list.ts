import { sql } from 'drizzle-orm';
import { list } from '../http/list.ts';
import { totalOf } from '../http/list-statements.ts';
import { livesSomewhere } from '../lib/look-up.ts';
import { organizationView } from '../writer/settings.ts';

/** All organizations of the service, read in the name of the operator. */
export const organizationList = list({
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
  filters: {},
  rows: ({ organization }) => ({
    conditions: [sql`organization.uuid <> ${organization}`, livesSomewhere],
    count: totalOf(organization, 'organization'),
  }),
});
