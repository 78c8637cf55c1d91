import { z } from '@hono/zod-openapi';
import { dateTime, orNull } from '../http/schema.ts';
import { markerCodeSchema, trackSchema } from '../track/schema.ts';

/** How the image of an allocated code is delivered. */
export const imageDelivery = z
  .enum(['BASE64', 'URL'])
  .default('BASE64')
  .describe('BASE64: the PNG inline; URL: where it stands, public and for ever');

/** One allocated code with its image, inline or by URL. */
export const markerEntry = {
  markerCode: markerCodeSchema,
  markerImage: z.string().optional().describe('Base64 of a 1-bit 600×600 PNG; for imageDelivery BASE64'),
  markerImageUrl: z.url().optional().describe('For imageDelivery URL'),
};

/** Answer of POST /marker-code/allocate. */
export const allocationSchema = z
  .object({ entries: z.array(z.object(markerEntry)).describe('In ascending order, without gaps') })
  .openapi('Allocation');

/** Answer of GET /marker-code/{code}. */
export const markerSchema = z
  .object({ markerCode: markerCodeSchema, allocatedDate: dateTime, track: orNull(trackSchema) })
  .openapi('Marker');
