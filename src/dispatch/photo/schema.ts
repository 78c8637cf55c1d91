import { z } from '@hono/zod-openapi';
import { dateFilter } from '../../core/http/dates.ts';
import { common, dateTime, identifier, int32 } from '../../core/http/schema.ts';
import { isDateNumber } from '../../core/lib/time.ts';
import { authorSchema } from '../track/schema.ts';
import { CONTENT_TYPES, PHOTO_KINDS } from './rules.ts';

/** A photo as the API shows it. */
export const photoSchema = z
  .object({
    ...common,
    kind: z.enum(PHOTO_KINDS),
    link: z.url().describe('Public URL of the bytes. It needs no key, and works as long as the photo exists'),
    contentType: z.enum(CONTENT_TYPES),
    sizeBytes: z.int().min(1).describe('Size of the stored bytes, which have no metadata'),
    sha256: z.string().describe('SHA-256 of the stored bytes, hexadecimal'),
    width: int32.describe('Pixels, as viewers show the photo'),
    height: int32,
    takenDate: dateTime.nullable().describe('Null if the caller did not say it. `createDate` is the upload'),
    author: authorSchema,
    trackIdentifier: z.string().nullable().describe('WMS id of the pallet; null for another reference'),
    manifestExternalId: z.string().nullable(),
    shipmentExternalId: z.string().nullable(),
  })
  .openapi('Photo');

const ONE_REFERENCE = 'Send exactly one of trackIdentifier, manifestExternalId and shipmentExternalId.';

/** Query parameters of the operations that add a photo. */
export const newPhotoQuery = z
  .object({
    kind: z.enum(PHOTO_KINDS).describe('Subject of the photo'),
    takenDate: dateFilter
      .refine(isDateNumber, 'Use a date of the years 0 to 9999.')
      .optional()
      .describe(
        'When the photo was taken. Without an offset, it is a time of the site. Up to 5 minutes in the future counts ' +
          'as now. A later date is refused, and so is a date more than a day before the creation of the pallet or load',
      ),
    trackIdentifier: identifier.optional().describe('WMS id or UUID of a pallet'),
    manifestExternalId: identifier.optional().describe('External id or UUID of a manifest'),
    shipmentExternalId: identifier.optional().describe('External id or UUID of a shipment'),
  })
  .superRefine((query, context) => {
    const named = (['trackIdentifier', 'manifestExternalId', 'shipmentExternalId'] as const).filter(
      (name) => query[name] !== undefined,
    );
    if (named.length === 1) return;
    context.addIssue({ code: 'custom', path: [named[1] ?? 'trackIdentifier'], message: ONE_REFERENCE });
  });
