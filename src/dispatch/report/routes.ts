import { OpenAPIHono, z } from '@hono/zod-openapi';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { reads } from '../../core/http/read.ts';
import { int32 } from '../../core/http/schema.ts';
import { type AppEnv, principalOf } from '../../core/http/types.ts';
import { isDay } from '../../core/lib/zone.ts';
import { shipmentAccess } from '../load/shipment/answer.ts';
import { daysOf, GROUPS_MAXIMUM, REASONS_MAXIMUM, REPORT_DAYS_MAXIMUM, REPORT_GROUPS } from './rules.ts';
import { askReport, reportOf } from './store.ts';

const day = z
  .string()
  .refine(isDay, 'Use a day of the calendar, such as 2026-11-25.')
  .openapi({ format: 'date' });

/** Query of GET /report. */
const reportQuery = z
  .object({
    from: day.describe('First day, in the time zone of the organization'),
    to: day.describe(`Last day, included. A report has at most ${REPORT_DAYS_MAXIMUM} days`),
    groupBy: z.enum(REPORT_GROUPS).describe('Group shipments by day, week, month, carrier or gate'),
  })
  .superRefine((days, context) => {
    const count = daysOf(days);
    if (count >= 1 && count <= REPORT_DAYS_MAXIMUM) return;
    const message =
      count < 1
        ? `The last day is before the first day, ${days.from}.`
        : `A report has at most ${REPORT_DAYS_MAXIMUM} days. The chosen days are ${count}. Choose fewer.`;
    context.addIssue({ code: 'custom', message, path: ['to'] });
  });

const figure = (description: string) => z.int().describe(description);

const reportRowSchema = z
  .object({
    group: z
      .string()
      .nullable()
      .describe(
        'DAY: `2026-11-25`. WEEK: ISO week `2026-W48`. MONTH: `2026-11`. CARRIER: value of the custom field with ' +
          'this role. GATE: external identifier. Null: shipments without carrier or gate',
      ),
    shipmentsCompleted: figure('Shipments that were COMPLETED on these days'),
    shipmentsPlanned: figure('Completed shipments with a planned departure at completion'),
    shipmentsOnTime: figure('Shipments that were completed by their planned departure'),
    minutesLate: figure('Sum of minutes from planned departure to completion of late shipments'),
    loadingMinutes: figure('Sum of minutes from the first loaded pallet to completion'),
    dwellMinutes: figure(
      'Sum of minutes from the arrival of the truck to completion. Shipments without an arrival add nothing',
    ),
    gateMinutes: figure('Sum of minutes from IN_PROGRESS to completion, when the gate was in use'),
    palletsLoaded: figure('Pallets that are LOADED'),
    palletsWrong: figure(
      'Loading records of wrong pallets and unknown markers (WRONGLY_LOADED, UNKNOWN_LOADING) that left with the truck',
    ),
    palletsCaught: figure('Such records that were removed: the pallets were taken off'),
    shipmentsShort: figure('Shipments with a pallet that is NOT_LOADED or UNLOADED'),
    shortByReason: z
      .array(z.object({ reason: z.string(), count: int32 }))
      .describe(
        `Most frequent reasons for missing pallets, at most ${REASONS_MAXIMUM}. The other shipments of \`shipmentsShort\` have another reason or none`,
      ),
  })
  .openapi('ReportRow');

/** Response of GET /report. */
const reportSchema = z
  .object({
    content: z.array(reportRowSchema).describe('Groups with at least one completed shipment'),
    from: z.string(),
    to: z.string(),
    groupBy: z.enum(REPORT_GROUPS),
    truncated: z
      .literal(true)
      .optional()
      .describe(
        `Present if there are more than ${GROUPS_MAXIMUM} carriers or gates. The smallest are left out`,
      ),
  })
  .openapi('Report');

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/report`,
  operationId: 'getReport',
  tag: 'Report',
  summary: 'Get a report of completed shipments',
  description:
    'Returns sums of completed shipments by day, week, month, carrier or gate. A shipment counts on the day of its ' +
    'completion, in the time zone of the organization. Days, weeks and months are in order of time. Carriers and ' +
    'gates with most shipments come first. The minutes of each shipment are rounded down and then added up. ' +
    'Corrections of pallets and carriers of completed shipments change the figures. Archiving does not, and neither ' +
    'does another planned departure. Carriers that differ only in case or white space are one group, under their most ' +
    'frequent spelling. Manifests that are not attached to a shipment do not count.',
  access: shipmentAccess,
  query: reportQuery,
  responses: { 200: { description: 'The report', schema: reportSchema } },
  async handler(c, { query }) {
    const { timeZone } = principalOf(c).organization;
    const database = reads(c);
    const found = await database.ask(askReport(database, { ...query, zone: timeZone }));
    const { content, ...more } = reportOf(found, query.groupBy);
    const rows = content.map(({ shipmentsArrived: _, spellings: __, ...row }) => row);
    return c.json({ content: rows, ...more, ...query });
  },
});

export const reportRoutes = app;
