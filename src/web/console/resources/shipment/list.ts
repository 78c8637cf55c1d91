import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { list, type Section } from '../../../../core/http/list.ts';
import { several, text } from '../../../../core/http/schema.ts';
import { inList } from '../../../../core/lib/sql.ts';
import type { FieldRole } from '../../../../core/writer/settings.ts';
import { gatesNamed } from '../../../../dispatch/gate/store.ts';
import { IS_ASSET } from '../../../../dispatch/load/shared/asset-store.ts';
import { LOAD_STATUSES, type LoadStatus } from '../../../../dispatch/load/shared/status-rules.ts';
import {
  SHIPMENT_COLUMNS,
  SHIPMENT_FILTERS,
  SHIPMENT_SORTING,
  shipmentList,
} from '../../../../dispatch/load/shipment/list.ts';
import {
  BRIEF_EXTENT,
  roleDate,
  roleValue,
  type StoredShipment,
  shipmentView,
} from '../../../../dispatch/load/shipment/store.ts';
import { SHORT_REASON } from '../../../../dispatch/report/store.ts';

/**
 * The pallets of a shipment with problems. Missing pallets were left behind when it was completed.
 * Flagged pallets are counted while the shipment is open. A person or a camera has reported them.
 */
interface Exceptions {
  missing: number;
  wrong: number;
  unknown: number;
  flagged: number;
}

/** A row of the list of shipments. */
export type ListedShipment = StoredShipment & { exceptions: Exceptions };

/** Problems of open shipments that a dispatcher has to solve. There are few open shipments. */
export const ATTENTION = ['LATE', 'WRONG', 'NO_GATE'] as const;

/** Completed shipments with a planned departure, on time, late, or without some pallets: as a report counts them. */
export const OUTCOMES = ['PLANNED', 'ON_TIME', 'LATE', 'SHORT'] as const;

/** Shipments without a value. */
export const WITHOUT = ['CARRIER', 'GATE', 'SHORT_REASON'] as const;

/** Reads records by the index of statuses, so that records without problems are not read. */
const exceptions = sql`(SELECT json_object(
    'missing', count(*) FILTER (WHERE a.loading_status IN ('NOT_LOADED', 'UNLOADED')),
    'wrong', count(*) FILTER (WHERE a.loading_status = 'WRONGLY_LOADED'),
    'unknown', count(*) FILTER (WHERE a.loading_status = 'UNKNOWN_LOADING'))
  FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid AND m.manifest_status <> 'CANCELLED'
  CROSS JOIN asset_loading a ON a.organization_uuid = s.organization_uuid AND a.manifest_uuid = s.manifest_uuid
    AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING',
      iif(shipment.status = 'COMPLETED', 'NOT_LOADED', ''), iif(shipment.status = 'COMPLETED', 'UNLOADED', ''))
  WHERE s.organization_uuid = shipment.organization_uuid AND s.shipment_uuid = shipment.uuid)`;

/** The maximum number of flagged pallets that are searched, newest first. There should be few. */
const FLAGGED_MAXIMUM = 200;

/**
 * The number of flagged pallets of each shipment, by uuid. The query begins with the flagged pallets
 * and finds their shipments. It runs once for a page.
 */
const flaggedOf = (organization: string): SQL => sql`(SELECT json_group_object(shipment_uuid, pallets) FROM
  (SELECT s.shipment_uuid, count(*) AS pallets
    FROM (SELECT wms_id FROM (${sql.join(
      ['FLAGGED', 'SCHEDULED_FOR_RETIREMENT'].map(
        (
          status,
        ) => sql`SELECT * FROM (SELECT wms_id, create_date FROM track WHERE organization_uuid = ${organization}
          AND status = ${status} AND flagged = 1 AND deleted_date IS NULL
          ORDER BY create_date DESC LIMIT ${FLAGGED_MAXIMUM})`,
      ),
      sql` UNION ALL `,
    )}) ORDER BY create_date DESC LIMIT ${FLAGGED_MAXIMUM}) t
    CROSS JOIN asset_loading a ON a.organization_uuid = ${organization} AND a.wms_id = t.wms_id AND a.closed = 0
      AND a.${IS_ASSET}
    CROSS JOIN shipment_manifest s ON s.organization_uuid = ${organization} AND s.manifest_uuid = a.manifest_uuid
    GROUP BY s.shipment_uuid))`;

const wrongAboard = sql`EXISTS (SELECT 1 FROM shipment_manifest s CROSS JOIN asset_loading a
    ON a.organization_uuid = s.organization_uuid AND a.manifest_uuid = s.manifest_uuid
      AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  WHERE s.organization_uuid = shipment.organization_uuid AND s.shipment_uuid = shipment.uuid)`;

const needing = (attention: (typeof ATTENTION)[number]): SQL => {
  switch (attention) {
    case 'LATE':
      return sql`shipment.status IN ('IN_PROGRESS', 'TO_DO')
        AND ${roleDate('PLANNED_DEPARTURE', sql`shipment`)} < ${Date.now()}`;
    case 'WRONG':
      return sql`shipment.status = 'IN_PROGRESS' AND ${wrongAboard}`;
    case 'NO_GATE':
      return sql`shipment.status IN ('IN_PROGRESS', 'TO_DO') AND shipment.gate_uuid IS NULL`;
  }
};

const IN_REPORT: Record<(typeof OUTCOMES)[number], SQL> = {
  PLANNED: sql`planned_date IS NOT NULL`,
  ON_TIME: sql`close_date <= planned_date`,
  LATE: sql`close_date > planned_date`,
  SHORT: sql`pallets_missing > 0`,
};

/** SQL condition: the figures of the shipment for reports meet a condition. */
const inReport = (condition: SQL): SQL => sql`EXISTS (SELECT 1 FROM shipment_figures
  WHERE shipment_figures.organization_uuid = shipment.organization_uuid
    AND shipment_figures.close_date = shipment.close_date AND shipment_figures.shipment_uuid = shipment.uuid
    AND ${condition})`;

/** SQL condition: the shipment has no carrier, no gate, or no reason for missing pallets. */
export const lackCondition = (value: (typeof WITHOUT)[number]): SQL => {
  switch (value) {
    case 'CARRIER':
      return sql`${roleValue('CARRIER', sql`shipment`)} IS NULL`;
    case 'GATE':
      return sql`shipment.gate_uuid IS NULL`;
    case 'SHORT_REASON':
      return sql`shipment.short_reason IS NULL`;
  }
};

/** The key of the custom field with a role. */
const keyOf = (organization: string, role: FieldRole): SQL => sql`(SELECT
  json_extract(configured.value, '$.fieldKey') FROM organization
  CROSS JOIN json_each(organization.shipment_custom_fields) configured
  WHERE organization.uuid = ${organization} AND json_extract(configured.value, '$.role') = ${role})`;

/** SQL condition: the shipment is of one of these carriers. */
export const ofCarriers = (organization: string, carriers: readonly string[]): SQL =>
  sql`shipment.uuid IN (SELECT owner_uuid FROM custom_field WHERE organization_uuid = ${organization}
    AND field_key = ${keyOf(organization, 'CARRIER')} AND field_value ${inList(carriers)})`;

/** Larger than every date in epoch milliseconds. Three times this number is still an exact integer. */
const SECTION = 1_000_000_000_000_000;

/**
 * The position of a shipment by urgency. Open shipments come first, in the order of their departures. So late ones are
 * at the top. Then come open shipments without a departure, newest first, and closed ones, last closed first.
 */
const urgency = sql`CASE WHEN shipment.close_date IS NULL
  THEN coalesce(${roleDate('PLANNED_DEPARTURE', sql`shipment`)}, ${sql.raw(`${SECTION}`)} - shipment.create_date)
  ELSE ${sql.raw(`${2 * SECTION}`)} - shipment.close_date END`;

/**
 * The list by urgency in sections, for shipments with one of these statuses. The open shipments are sorted, because their
 * departures are in another table. An index has the closed shipments of each status in order.
 */
function byUrgency(statuses: readonly LoadStatus[] = LOAD_STATUSES): Section[] {
  const open = statuses.filter((status) => !CLOSED.includes(status));
  const openSection: Section = {
    where: sql`shipment.status ${inList(open)} AND shipment.close_date IS NULL`,
    order: { by: urgency, direction: 'ASC' },
  };
  const closedSections = CLOSED.filter((status) => statuses.includes(status)).map(
    (status): Section => ({
      where: sql`shipment.status = ${status} AND shipment.close_date IS NOT NULL`,
      order: { by: sql`shipment.close_date`, direction: 'DESC' },
    }),
  );
  return open.length > 0 ? [openSection, ...closedSections] : closedSections;
}

const CLOSED: readonly LoadStatus[] = ['COMPLETED', 'CANCELLED'];

/**
 * The list of shipments on the page: the API's list with further filters for the carrier and for
 * problems, and with an order by urgency. Sorted by departure, it uses the index of dates. It then
 * has only shipments with a departure.
 */
export const shipmentPageList = list({
  table: 'shipment',
  columns: SHIPMENT_COLUMNS,
  view: ({ organization }) => sql<ListedShipment>`json_insert(${shipmentView(BRIEF_EXTENT)},
    '$.exceptions', ${exceptions}, '$.exceptions.flagged',
    coalesce(${flaggedOf(organization)} ->> ('$."' || shipment.uuid || '"'), 0))`,
  sorting: {
    columns: {
      ...SHIPMENT_SORTING,
      departure: { expression: sql`c.field_date`, stable: false },
      urgency: { expression: urgency, stable: false },
    },
    default: { sortBy: 'urgency', direction: 'ASC' },
  },
  filters: {
    ...SHIPMENT_FILTERS,
    carrier: several(text(1, 1_000)).optional(),
    attention: z.enum(ATTENTION).optional(),
    outcome: z.enum(OUTCOMES).optional(),
    shortReason: several(text(1, 255)).optional(),
    without: z.enum(WITHOUT).optional(),
  },
  rows(scope, query) {
    const { organization } = scope;
    const base = shipmentList.rows(scope, { ...query, gate: undefined, 'sort.sortBy': undefined });
    const [own, ...conditions] = base.conditions;
    const { 'sort.sortBy': sortBy = 'urgency' } = query;
    const byDeparture = sortBy === 'departure';
    // A report links to the shipments of a year. An index has them in order, so each one is checked by the other filters.
    const isOfReport =
      (query.closeDateAfter ?? query.closeDateBefore) !== undefined &&
      (sortBy === 'urgency' || sortBy === 'closeDate');
    const isNarrow =
      Boolean(query.attention ?? query.updateDateAfter) ||
      (!isOfReport && Boolean(query.gate ?? query.carrier ?? query.closeDateAfter ?? query.closeDateBefore));
    return {
      ...base,
      sections: sortBy === 'urgency' && !isNarrow ? byUrgency(query.status) : undefined,
      ...(byDeparture
        ? {
            from: sql`custom_field c JOIN shipment ON shipment.uuid = c.owner_uuid`,
            conditions: [
              sql`c.organization_uuid = ${organization} AND c.field_key = ${keyOf(organization, 'PLANNED_DEPARTURE')}
                AND c.field_date IS NOT NULL AND ${own}`,
              ...conditions,
            ],
            count: undefined,
          }
        : {}),
      filtering: [
        ...(base.filtering ?? []),
        // The plus keeps SQLite from choosing the index of gates.
        query.gate &&
          sql`${sql.raw(isOfReport ? '+' : '')}shipment.gate_uuid ${gatesNamed(organization, query.gate)}`,
        query.carrier &&
          (isOfReport
            ? sql`${roleValue('CARRIER', sql`shipment`)} ${inList(query.carrier)}`
            : ofCarriers(organization, query.carrier)),
        query.outcome && inReport(IN_REPORT[query.outcome]),
        query.shortReason && inReport(sql`${SHORT_REASON} ${inList(query.shortReason)}`),
        query.without && lackCondition(query.without),
        query.attention && needing(query.attention),
      ],
      narrow: isNarrow || (!isOfReport && Boolean(query.status)),
    };
  },
});
