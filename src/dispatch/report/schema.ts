import { z } from '@hono/zod-openapi';
import { int32 } from '../../core/http/schema.ts';
import { isDay } from '../../core/lib/zone.ts';
import { daysOf, GROUPS_MAXIMUM, REASONS_MAXIMUM, REPORT_DAYS_MAXIMUM, REPORT_GROUPS } from './rules.ts';

const day = z
  .string()
  .refine(isDay, 'Use a day of the calendar, such as 2026-11-25.')
  .openapi({ format: 'date' });

/** Query of GET /report. */
export const reportQuery = z
  .object({
    from: day.describe('First day, in the time zone of the organization'),
    to: day.describe(`Last day. At most ${REPORT_DAYS_MAXIMUM} days, both included`),
    groupBy: z.enum(REPORT_GROUPS).describe('Period, or property of the shipment, that makes a group'),
  })
  .superRefine((days, context) => {
    const count = daysOf(days);
    if (count >= 1 && count <= REPORT_DAYS_MAXIMUM) return;
    const message =
      count < 1
        ? `The last day is before the first day, ${days.from}.`
        : `A report has at most ${REPORT_DAYS_MAXIMUM} days. These are ${count}.`;
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
    shipmentsPlanned: figure('Those with a planned departure'),
    shipmentsOnTime: figure('Those completed by their planned departure'),
    minutesLate: figure('From planned departure to completion, of the late shipments'),
    loadingMinutes: figure('From the first loaded pallet to completion'),
    dwellMinutes: figure('From the arrival of the truck to completion'),
    gateMinutes: figure('From IN_PROGRESS to completion: how long the gate was in use'),
    palletsLoaded: figure('Pallets that are LOADED'),
    palletsWrong: figure('Records that are WRONGLY_LOADED or UNKNOWN_LOADING'),
    shipmentsShort: figure('Shipments with a pallet that is NOT_LOADED or UNLOADED'),
    shortByReason: z
      .array(z.object({ reason: z.string(), count: int32 }))
      .describe(`Their most frequent reasons, at most ${REASONS_MAXIMUM}. Other short shipments have none`),
  })
  .openapi('ReportRow');

/** Response of GET /report. */
export const reportSchema = z
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
