import { sql } from 'drizzle-orm';
import type { Write } from '../../core/lib/scope.ts';
import { inList, sqlUuid } from '../../core/lib/sql.ts';
import type { ChangePart, Context } from '../../core/writer/command.ts';
import { nextEventId } from '../../core/writer/numbers.ts';
import { EVENT_COLUMNS } from '../../log/event/store.ts';
import { gateStatus, gateView } from './store.ts';

/** A part of a change, and the gates whose status it may change. */
export interface AtGates {
  part: ChangePart;
  gates: readonly (string | null)[];
}

/** The parts of a change, and one more part with the events of the gates whose status changes. */
export const tellingGates = (context: Context, parts: readonly (ChangePart | AtGates)[]): ChangePart[] => [
  ...parts.map((one) => ('part' in one ? one.part : one)),
  {
    writes: [],
    audit: [],
    events: tellGates(
      context,
      parts.flatMap((one) => ('part' in one ? one.gates : [])),
    ),
  },
];

/** Emit an event for each gate whose status differs from its last event. */
export function tellGates(
  { scope, now, traceparent }: Pick<Context, 'scope' | 'now' | 'traceparent'>,
  gateUuids: readonly (string | null)[],
): Write[] {
  const named = [...new Set(gateUuids.filter((uuid) => uuid !== null))];
  if (named.length === 0) return [];
  const changed = sql`+gate.organization_uuid = ${scope.organization} AND gate.uuid ${inList(named)}
    AND gate.told_status <> ${gateStatus}`;
  return [
    sql`INSERT INTO event ${EVENT_COLUMNS}
      SELECT ${nextEventId(scope, sql`row_number() OVER (ORDER BY gate.uuid)`)},
        ${sqlUuid(now)}, 'GATE_STATUS_CHANGED', ${now}, NULL, 'GATE', gate.uuid, gate.external_identifier,
        ${gateView}, NULL, ${traceparent}
      FROM gate WHERE ${changed}`,
    sql`UPDATE gate SET told_status = ${gateStatus} WHERE ${changed}`,
  ];
}
