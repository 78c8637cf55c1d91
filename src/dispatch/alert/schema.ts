import { z } from '@hono/zod-openapi';
import { common, dateTime, int32, orNull } from '../../core/http/schema.ts';
import { gateReferenceSchema } from '../gate/schema.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES, ALERT_TYPES } from './table.ts';

/** An alert as the API shows it. */
export const alertSchema = z
  .object({
    ...common,
    alertType: z.enum(ALERT_TYPES),
    severity: z.enum(ALERT_SEVERITIES).describe('CRITICAL: a pallet may leave on the wrong truck'),
    status: z.enum(ALERT_STATUSES),
    message: z.string(),
    count: int32
      .min(1)
      .describe(
        'Number of readings that the alert covers. Readings of further pallets at a gate where nothing is being loaded increase it, without a further event',
      ),
    gate: orNull(gateReferenceSchema),
    trackIdentifier: z.string().nullable(),
    markerCode: z.int().nullable(),
    manifestExternalId: z.string().nullable(),
    shipmentExternalId: z.string().nullable(),
    recordUuid: z
      .uuid()
      .nullable()
      .describe('Loading record, webhook, shipment or manifest that the alert is about'),
    deviceUuid: z
      .uuid()
      .nullable()
      .describe('Scanner, local manager, agent or tablet that the alert is about'),
    raisedDate: dateTime,
    resolvedDate: dateTime.nullable(),
  })
  .openapi('AlertEvent');
