import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { list } from '../../../../core/http/list.ts';
import { text } from '../../../../core/http/schema.ts';
import type { Scope } from '../../../../core/lib/scope.ts';
import { inList } from '../../../../core/lib/sql.ts';
import { fold } from '../../../../core/lib/text.ts';
import type { Viewed } from '../../../../core/lib/view.ts';
import { beginOf, dayAfter, isDay } from '../../../../core/lib/zone.ts';
import { isNamed } from '../../../../core/writer/audit-table.ts';
import { numberOf } from '../../../../core/writer/numbers.ts';
import { AUDIT_FILTERS, AUDIT_SORTING, auditList } from '../../../../log/audit/list.ts';
import { ssccSpellings } from '../../../../pallet/gs1.ts';
import { readIdentifier } from '../../../../pallet/identifier.ts';
import { schemaText } from '../../../ui/parts/form-rules.ts';
import { namedRecordView } from './named-store.ts';

/** The audit log on its page: the API's list with names, and with filters for a person, a day and a pallet. */
export const auditPageList = list({
  ...auditList,
  view: namedRecordView as SQL<Viewed<typeof namedRecordView>>,
  sorting: AUDIT_SORTING,
  filters: {
    ...AUDIT_FILTERS,
    who: text(1, 255).optional(),
    when: z.string().refine(isDay, schemaText('noDay')).optional(),
    pallet: text(1, 255).optional(),
  },
  rows(scope, query, persons: boolean, zone: string) {
    const { who, when, pallet } = query;
    const [after, before] = when ? [beginOf(zone, when), beginOf(zone, dayAfter(when, 1))] : [];
    const { eventDateAfter = after, eventDateBefore = before } = query;
    const base = auditList.rows(scope, { ...query, eventDateAfter, eventDateBefore }, persons);
    return {
      ...base,
      filtering: [
        ...(base.filtering ?? []),
        who === undefined ? undefined : byActor(scope, who),
        pallet === undefined ? undefined : aboutPallet(scope, pallet),
      ],
      narrow: (base.narrow ?? false) || pallet !== undefined,
    };
  },
});

/** Actors whose name contains a text. A worker at a tablet is named after the tablet. */
const byActor = (
  scope: Scope,
  who: string,
): SQL => sql`audit_log.actor_number IN (SELECT number FROM audit_actor
  WHERE organization_number = ${numberOf(scope)}
    AND (instr(lower(actor_display_name), ${fold(who)}) > 0 OR instr(actor_display_name, ${who}) > 0))`;

/** Records about a pallet and its loading. An SSCC is found in each of its spellings. */
function aboutPallet(scope: Scope, typed: string): SQL {
  const { sscc } = readIdentifier(typed);
  const spellings = sscc === undefined ? [typed] : [typed, ...ssccSpellings(sscc)];
  const wmsId = sql`coalesce((SELECT wms_id FROM track WHERE organization_uuid = ${scope.organization}
    AND wms_id ${inList(spellings)} AND deleted_date IS NULL LIMIT 1), ${typed})`;
  return sql`${isNamed(scope, wmsId)} AND audit_log.entity_type IN ('TRACK', 'ASSET_LOADING')`;
}
