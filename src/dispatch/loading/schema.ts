import { z } from '@hono/zod-openapi';
import { dateInput } from '../../core/http/dates.ts';
import { identifier, text, truncated } from '../../core/http/schema.ts';
import { assetLoadingSchema } from '../manifest/asset-schema.ts';
import { markerCodeSchema } from '../marker/schema.ts';
import { DIRECTIONS, SCAN_OUTCOMES } from './table.ts';

/** The statuses that can be set by hand. */
export const SETTABLE_STATUSES = ['LOADED', 'NOT_LOADED', 'UNLOADED'] as const;

/** Body of PATCH …/asset-loading/…/status. */
export const loadingStatusSchema = z
  .strictObject({
    status: z.enum(SETTABLE_STATUSES),
    gateExternalId: text(0, 255)
      .nullable()
      .optional()
      .describe('External id or UUID of a gate. Required for NOT_LOADED and UNLOADED, here or in the query'),
    comment: text(0, 1_000).nullable().optional().describe('Comment for the timeline of the pallet'),
  })
  .openapi('LoadingStatus');

/** Response of PATCH …/asset-loading/…/status. */
export const loadingChangedSchema = z
  .object({
    changed: z.array(assetLoadingSchema),
    unchanged: z.array(assetLoadingSchema).describe('Records that already had the status'),
    truncated: truncated.describe(
      'Present if there are more than 100 records; `GET …/asset-loading` lists all',
    ),
  })
  .openapi('LoadingChanged');

/** Maximum number of scans in one request. */
export const SCANS_MAXIMUM = 100;

/** Body of POST /gate/{gateExternalId}/scan. */
export const scanSchema = z
  .strictObject({
    scanId: text(1, 100).describe(
      'Id chosen by the caller. A repeat with the same marker and direction gets the first response and does nothing',
    ),
    markerCode: markerCodeSchema,
    direction: z.enum(DIRECTIONS),
    damaged: z.boolean().nullable().optional().describe('true flags the pallet'),
    scanDate: dateInput
      // A camera in 1969 has a wrong clock.
      .refine((milliseconds) => milliseconds >= 0, 'The date must not be before 1970.')
      .nullable()
      .optional()
      .openapi({ type: ['string', 'null'], format: 'date-time' })
      .describe('ISO 8601 with an offset, from 1970 on. Default: now. A future date counts as now'),
    cameraHardwareId: identifier
      .nullable()
      .optional()
      .describe('Identifies the camera. Default: the access token'),
  })
  .openapi('Scan');

/** Body of POST /gate/{gateExternalId}/scans. */
export const scansSchema = z
  .strictObject({ scans: z.array(scanSchema).min(1).max(SCANS_MAXIMUM) })
  .openapi('Scans');

/** The result of a scan. */
export const scanResultSchema = z
  .object({
    scanId: z.string(),
    outcome: z
      .enum(SCAN_OUTCOMES)
      .describe('NOT_LOADED: there was nothing to take off. SUPERSEDED: the scan is late'),
    recordUuid: z.uuid().nullable().describe('The loading record, also if the scan has deleted it'),
    manifestExternalId: z.string().nullable(),
    trackIdentifier: z.string().nullable().describe('WMS id of the pallet, if the marker is known'),
  })
  .openapi('ScanResult');

/** Response of POST /gate/{gateExternalId}/scans, in the order of the scans. */
export const scanResultsSchema = z.object({ results: z.array(scanResultSchema) }).openapi('ScanResults');
