import { type SQL, sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RowsOf } from '../../core/lib/asks.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { fold, singleBlanks } from '../../core/lib/text.ts';
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
  SPELLINGS_MAXIMUM,
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
  /** Wrong pallets and unknown markers that were taken off. */
  palletsCaught: number;
  shipmentsShort: number;
}

/** A group of a report, as the API shows it. */
export interface ReportRow extends Figures {
  /** A day, week or month, the carrier, or the external identifier of the gate. */
  group: string | null;
  shortByReason: { reason: string; count: number }[];
  /** All spellings of the carrier. Only pages need them, for lists of its shipments. */
  spellings?: string[];
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
    'palletsWrong', coalesce(sum(pallets_wrong), 0), 'palletsCaught', coalesce(sum(pallets_caught), 0), 'shipmentsShort', coalesce(sum(pallets_missing > 0), 0))`;

/** The reason without the note that may follow an offered reason. */
export const SHORT_REASON = sql`iif(substr(short_reason, 1, instr(short_reason, ':') - 1)
  IN (${sql.raw(OFFERED_REASONS.map((reason) => `'${reason}'`).join())}),
  substr(short_reason, 1, instr(short_reason, ':') - 1), short_reason)`;

/** Rows with a reason. These are the conditions of an index. */
const HAS_REASON = sql`pallets_missing > 0 AND short_reason IS NOT NULL`;

interface ReportRequest extends ReportDays {
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
      GROUP BY ${key} ORDER BY count(*) DESC, ${key} LIMIT ${(groupBy === 'CARRIER' ? SPELLINGS_MAXIMUM : GROUPS_MAXIMUM) + 1}`,
    reasons: sql<ReasonRow>`SELECT ${name} AS "group", ${SHORT_REASON} AS reason, count(*) AS count
      FROM shipment_figures INDEXED BY shipment_figures_short WHERE ${within} AND ${HAS_REASON}
      GROUP BY ${key}, 2 ORDER BY count DESC, reason LIMIT ${ALL_REASONS_MAXIMUM}`,
  };
}

/** A report, and whether it lacks the groups with the fewest shipments. */
interface Report {
  content: ReportRow[];
  truncated?: true;
}

/**
 * A report from its rows. Groups without a completed shipment are left out. Periods are never more than groups may be.
 * Spellings of a carrier that differ only in case or white space are one group (`carrierName`).
 */
export function reportOf(
  { figures, reasons }: RowsOf<ReturnType<typeof askReport>>,
  groupBy: ReportGroup,
): Report {
  const isByCarrier = groupBy === 'CARRIER';
  const keyOf = (group: string | null) => (isByCarrier && group !== null ? singleBlanks(fold(group)) : group);
  const content = [...Map.groupBy(figures.map(readFigures), ({ group }) => keyOf(group))]
    .map(([key, same]) => ({ key, row: mergedRow(same, isByCarrier) }))
    .filter(({ row }) => row.shipmentsCompleted > 0);
  if (isByCarrier) content.sort(({ row: one }, { row: other }) => byShipments(one, other));
  const rows = new Map(content.slice(0, GROUPS_MAXIMUM).map(({ key, row }) => [key, row]));
  for (const { group, reason, count } of reasons) {
    const { shortByReason = [] } = rows.get(keyOf(group)) ?? {};
    const same = shortByReason.find((other) => other.reason === reason);
    if (same) same.count += count;
    else shortByReason.push({ reason, count });
  }
  for (const row of rows.values()) {
    row.shortByReason.sort((one, other) => other.count - one.count);
    row.shortByReason.splice(REASONS_MAXIMUM);
  }
  const truncated =
    content.length > GROUPS_MAXIMUM || figures.length > (isByCarrier ? SPELLINGS_MAXIMUM : GROUPS_MAXIMUM);
  return { content: [...rows.values()], ...(truncated ? { truncated: true as const } : {}) };
}

const readFigures = ({ group, figures }: FiguresRow): Figures & { group: string | null } => ({
  group,
  ...parseJson(figures),
});

/** The sums of the same group. A gate may have the external identifier of a deleted gate. */
function mergedRow(
  [first, ...others]: readonly (Figures & { group: string | null })[],
  isByCarrier: boolean,
): ReportRow {
  const row: ReportRow = { ...first!, shortByReason: [] };
  for (const { group: _, ...sums } of others)
    for (const name of Object.keys(sums) as (keyof Figures)[]) row[name] += sums[name];
  if (!isByCarrier || first!.group === null) return row;
  const spellings = [first!, ...others].map(
    ({ group, shipmentsCompleted }) => [group!, shipmentsCompleted] as const,
  );
  return { ...row, group: carrierName(spellings), spellings: spellings.map(([spelling]) => spelling) };
}

/**
 * The most frequent spelling of a carrier, with single blanks. Among equally frequent ones it is the first one in the
 * order of code units.
 */
function carrierName(spellings: readonly (readonly [spelling: string, shipments: number])[]): string {
  const counts = new Map<string, number>();
  for (const [spelling, shipments] of spellings) {
    const name = singleBlanks(spelling);
    counts.set(name, (counts.get(name) ?? 0) + shipments);
  }
  const [[name] = ['']] = [...counts].sort(
    ([one, count], [other, otherCount]) => otherCount - count || ascending(one, other),
  );
  return name;
}

const ascending = (one: string, other: string): number => (one < other ? -1 : 1);

/** Carriers with most shipments first. */
const byShipments = (one: ReportRow, other: ReportRow): number =>
  other.shipmentsCompleted - one.shipmentsCompleted || ascending(one.group ?? '', other.group ?? '');

/**
 * The figures of a completed shipment. A trigger writes them. They stay when the shipment is archived. Dates are epoch
 * milliseconds, times are whole minutes.
 */
export const shipmentFigures = sqliteTable(
  'shipment_figures',
  {
    organizationUuid: text('organization_uuid').notNull(),
    closeDate: integer('close_date').notNull(),
    shipmentUuid: text('shipment_uuid').notNull(),
    carrier: text('carrier'),
    gateUuid: text('gate_uuid'),
    /** The planned departure. */
    plannedDate: integer('planned_date'),
    loadingMinutes: integer('loading_minutes').notNull(),
    dwellMinutes: integer('dwell_minutes').notNull(),
    gateMinutes: integer('gate_minutes').notNull(),
    palletsLoaded: integer('pallets_loaded').notNull(),
    /** Pallets that are NOT_LOADED or UNLOADED. */
    palletsMissing: integer('pallets_missing').notNull(),
    palletsWrong: integer('pallets_wrong').notNull(),
    shortReason: text('short_reason'),
    /** Invalid loading records that were removed: their pallets were taken off. */
    palletsCaught: integer('pallets_caught').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.closeDate, table.shipmentUuid] })],
);
