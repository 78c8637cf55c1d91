import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../core/http/link.ts';
import { numberedIn } from '../../core/lib/date-search.ts';
import { uuidTime } from '../../core/lib/id.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { isoDate } from '../../core/lib/time.ts';
import type { ViewRow } from '../../core/lib/view.ts';
import { rowsByDate } from '../../core/writer/audit-table.ts';
import { auditView, type StoredAuditRecord } from '../../core/writer/audit-view.ts';
import { longChanges } from '../../core/writer/chain.ts';

/** One record by its uuid. The uuid begins with the record's date, so only records of about that date are searched. */
export const recordQuery = <V = StoredAuditRecord>(
  scope: Scope,
  uuid: string,
  view: SQL<V> = auditView as SQL<V>,
) => {
  const date = uuidTime(uuid);
  const dated = rowsByDate(scope);
  return sql<ViewRow<SQL<V>>>`SELECT ${view} AS view
    FROM audit_log WHERE organization_uuid = ${scope.organization} AND uuid = ${uuid} AND log_id IN
      (SELECT id FROM log WHERE ${dated.where} AND event_date = ${date}
        AND ${numberedIn(dated, { after: date, before: date })})`;
};

/** The last possible date (ECMA-262 section 21.4.1.1). */
const DATE_MAXIMUM_MS = 8_640_000_000_000_000;

/** An audit record as the API shows it. */
export function presentAuditRecord(links: string, stored: StoredAuditRecord) {
  // A row with an impossible date was altered. It is still shown, so that verifying the log can report it.
  const possible = Math.abs(stored.eventDate) <= DATE_MAXIMUM_MS;
  const eventDate = possible ? isoDate(stored.eventDate) : String(stored.eventDate);
  return {
    ...stored,
    changes: longChanges(stored.changes),
    eventDate,
    createDate: eventDate,
    updateDate: eventDate,
    deepLink: deepLink(links, 'audit-log', stored.uuid),
  };
}
