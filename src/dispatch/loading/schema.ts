import { z } from '@hono/zod-openapi';
import { dateInput } from '../../core/http/dates.ts';
import { identifier, list, text, truncated } from '../../core/http/schema.ts';
import { assetLoadingSchema } from '../load/manifest/schema.ts';
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

/** The longest text of a label, in characters. */
const IDENTIFIER_MAXIMUM = 512;

/** Maximum number of scans in one request. */
const SCANS_MAXIMUM = 100;

/** Body of POST /gate/{gateExternalId}/scan. */
export const scanSchema = z
  .strictObject({
    scanId: text(1, 100).describe(
      'Id chosen by the caller. A repeat with the same `markerCode` or `identifier` and the same direction gets the first ' +
        'response and does nothing',
    ),
    markerCode: markerCodeSchema
      .nullable()
      .optional()
      .describe('The code of a marker. Send either `markerCode` or `identifier`'),
    identifier: text(1, IDENTIFIER_MAXIMUM)
      .nullable()
      .optional()
      .describe(
        'The text of any label, as a hand scanner or camera read it: an SSCC in any GS1 form, a WMS id, the code of a ' +
          'marker. Send either `markerCode` or `identifier`',
      ),
    direction: z.enum(DIRECTIONS),
    damaged: z.boolean().nullable().optional().describe('true flags the pallet'),
    scanDate: dateInput
      .nullable()
      .optional()
      .openapi({ type: ['string', 'null'], format: 'date-time' })
      .describe(
        'ISO 8601 with an offset. Default: now. Up to 5 minutes in the future counts as now. A later date, or a date ' +
          'more than 30 days ago, is replaced by the time of receipt, and the timeline says so',
      ),
    cameraHardwareId: identifier
      .nullable()
      .optional()
      .describe('Identifies the camera. Default: the access token'),
  })
  .refine(
    ({ markerCode = null, identifier = null }) => (markerCode === null) !== (identifier === null),
    'A scan has either a markerCode or an identifier.',
  )
  .openapi('Scan');

/** Body of POST /gate/{gateExternalId}/scans. */
export const scansSchema = z.strictObject({ scans: list(scanSchema, 1, SCANS_MAXIMUM) }).openapi('Scans');

/** The result of a scan. */
export const scanResultSchema = z
  .object({
    scanId: z.string(),
    outcome: z
      .enum(SCAN_OUTCOMES)
      .describe(
        'NOT_LOADED: there was nothing to take off. SUPERSEDED: the scan is late. NOT_RECOGNIZED: the identifier is no ' +
          'known pallet, no SSCC and no marker of the organization, so nothing was recorded',
      ),
    recordUuid: z.uuid().nullable().describe('The loading record, also if the scan has deleted it'),
    manifestExternalId: z.string().nullable(),
    trackIdentifier: z
      .string()
      .nullable()
      .describe(
        'WMS id of the pallet. The 18 digits of an SSCC that is no known pallet. Null for an unknown marker',
      ),
  })
  .openapi('ScanResult');

/** Response of POST /gate/{gateExternalId}/scans, in the order of the scans. */
export const scanResultsSchema = z.object({ results: z.array(scanResultSchema) }).openapi('ScanResults');
