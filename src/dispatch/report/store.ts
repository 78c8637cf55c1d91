import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { beginOf, dayAfter } from '../../core/lib/zone.ts';
import {
  ALL_REASONS_MAXIMUM,
  GROUPS_MAXIMUM,
  isByTime,
  OFFERED_REASONS,
  periodsOf,
  REASONS_MAXIMUM,
  type ReportDays,
  type ReportGroup,
  type TimeGroup,
} from './rules.ts';

/** The sums of a group of completed shipments. Minutes are sums, so that an average can be taken over any groups. */
export interface Figures {
  shipmentsCompleted: number;
  /** Shipments with a planned departure. Only these are on time or late. */
  shipmentsPlanned: number;
  shipmentsOnTime: number;
  minutesLate: number;
  loadingMinutes: number;
  dwellMinutes: number;
  /** Shipments with a time on site. Only pages need them, for an average. */
  shipmentsArrived: number;
  gateMinutes: number;
  palletsLoaded: number;
  palletsWrong: number;
  shipmentsShort: number;
}

/** A group of a report, as the API shows it. */
export interface ReportRow extends Figures {
  /** A day, week or month, the carrier, or the external identifier of the gate. */
  group: string | null;
  shortByReason: { reason: string; count: number }[];
}

/** The figures of a report: a group, and its sums. */
interface FiguresRow {
  group: string | null;
  figures: Json<Figures>;
}

interface ReasonRow {
  group: string | null;
  reason: string;
  count: number;
}

/** The sums over rows of `shipment_figures`, as JSON. */
export const SUMS = sql<
  Json<Figures>
>`json_object('shipmentsCompleted', count(*), 'shipmentsPlanned', count(planned_date),
    'shipmentsOnTime', coalesce(sum(close_date <= planned_date), 0),
    'minutesLate', coalesce(sum(max(close_date - planned_date, 0) / 60000), 0),
    'loadingMinutes', coalesce(sum(loading_minutes), 0), 'dwellMinutes', coalesce(sum(dwell_minutes), 0), 'shipmentsArrived', coalesce(sum(dwell_minutes > 0), 0),
    'gateMinutes', coalesce(sum(gate_minutes), 0), 'palletsLoaded', coalesce(sum(pallets_loaded), 0),
    'palletsWrong', coalesce(sum(pallets_wrong), 0), 'shipmentsShort', coalesce(sum(pallets_missing > 0), 0))`;

/** The reason without the note that may follow an offered reason. */
export const SHORT_REASON = sql`iif(substr(short_reason, 1, instr(short_reason, ':') - 1)
  IN (${sql.raw(OFFERED_REASONS.map((reason) => `'${reason}'`).join())}),
  substr(short_reason, 1, instr(short_reason, ':') - 1), short_reason)`;

/** Rows with a reason. These are the conditions of an index. */
const HAS_REASON = sql`pallets_missing > 0 AND short_reason IS NOT NULL`;

export interface ReportRequest extends ReportDays {
  groupBy: ReportGroup;
  /** The time zone of the site (IANA). */
  zone: string;
}

/** The reads of a report. Pass their rows to `reportOf`. */
export function askReport(
  scope: Scope,
  request: ReportRequest,
): { figures: SQL<FiguresRow>; reasons: SQL<ReasonRow> } {
  const { groupBy } = request;
  return isByTime(groupBy) ? askPeriods(scope, request, groupBy) : askNamed(scope, request, groupBy);
}

/** A report by time: one range of the table for each period, so that nothing is sorted. */
function askPeriods({ organization }: Scope, { zone, ...days }: ReportRequest, groupBy: TimeGroup) {
  const periods = periodsOf(groupBy, days, zone).map(({ group, from, until }) => [group, from, until]);
  const source = sql`json_each(${JSON.stringify(periods)}) p`;
  const within = sql`organization_uuid = ${organization}
    AND close_date >= p.value ->> 1 AND close_date < p.value ->> 2`;
  return {
    figures: sql<FiguresRow>`SELECT p.value ->> 0 AS "group",
        (SELECT ${SUMS} FROM shipment_figures WHERE ${within}) AS figures
      FROM ${source} ORDER BY p.key`,
    reasons: sql<ReasonRow>`SELECT p.value ->> 0 AS "group", ${SHORT_REASON} AS reason, count(*) AS count
      FROM ${source} CROSS JOIN shipment_figures INDEXED BY shipment_figures_short ON ${within}
      WHERE ${HAS_REASON} GROUP BY 1, 2 ORDER BY count DESC, reason LIMIT ${ALL_REASONS_MAXIMUM}`,
  };
}

/** A report by carrier or gate, those with most shipments first. */
function askNamed({ organization }: Scope, { zone, from, to }: ReportRequest, groupBy: 'CARRIER' | 'GATE') {
  const name =
    groupBy === 'CARRIER'
      ? sql`carrier`
      : sql`(SELECT external_identifier FROM gate WHERE gate.uuid = gate_uuid)`;
  const key = groupBy === 'CARRIER' ? sql`carrier` : sql`gate_uuid`;
  const within = sql`organization_uuid = ${organization}
    AND close_date >= ${beginOf(zone, from)} AND close_date < ${beginOf(zone, dayAfter(to, 1))}`;
  return {
    figures: sql<FiguresRow>`SELECT ${name} AS "group", ${SUMS} AS figures FROM shipment_figures WHERE ${within}
      GROUP BY ${key} ORDER BY count(*) DESC, ${key} LIMIT ${GROUPS_MAXIMUM + 1}`,
    reasons: sql<ReasonRow>`SELECT ${name} AS "group", ${SHORT_REASON} AS reason, count(*) AS count
      FROM shipment_figures INDEXED BY shipment_figures_short WHERE ${within} AND ${HAS_REASON}
      GROUP BY ${key}, 2 ORDER BY count DESC, reason LIMIT ${ALL_REASONS_MAXIMUM}`,
  };
}

/** A report, and whether it lacks the groups with the fewest shipments. */
export interface Report {
  content: ReportRow[];
  truncated?: true;
}

/** A report from its rows. Groups without a completed shipment are left out. Periods are never more than groups may be. */
export function reportOf({ figures, reasons }: RowsOf<ReturnType<typeof askReport>>): Report {
  const groups = new Map<string | null, ReportRow>();
  for (const row of figures.slice(0, GROUPS_MAXIMUM)) {
    const sums = parseJson(row.figures);
    if (sums.shipmentsCompleted === 0) continue;
    const same = groups.get(row.group);
    // A gate may have the external identifier of a deleted gate.
    if (same) for (const name of Object.keys(sums) as (keyof Figures)[]) same[name] += sums[name];
    else groups.set(row.group, { group: row.group, ...sums, shortByReason: [] });
  }
  for (const { group, reason, count } of reasons) {
    const { shortByReason = [] } = groups.get(group) ?? {};
    const same = shortByReason.find((other) => other.reason === reason);
    if (same) same.count += count;
    else if (shortByReason.length < REASONS_MAXIMUM) shortByReason.push({ reason, count });
  }
  const truncated = figures.length > GROUPS_MAXIMUM;
  return { content: [...groups.values()], ...(truncated ? { truncated: true as const } : {}) };
}
