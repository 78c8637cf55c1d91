import { z } from '@hono/zod-openapi';
import { MARKER_CODE_MAXIMUM } from './rules.ts';

/** A marker code. */
export const markerCodeSchema = z.int().min(1).max(MARKER_CODE_MAXIMUM).openapi({ example: 1000000000 });

/** A marker code in a path. It is a canonical decimal, so that each image has one URL. */
export const pathCode = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine((value) => value <= MARKER_CODE_MAXIMUM);

/** How the image of an allocated code is delivered. */
export const imageDelivery = z
  .enum(['BASE64', 'URL'])
  .default('BASE64')
  .describe('BASE64: the PNG inline. URL: its public and permanent URL');

/** One allocated code with its image, inline or by URL. */
export const markerEntry = {
  markerCode: markerCodeSchema,
  markerImage: z.string().optional().describe('Base64 of a 1-bit 600×600 PNG, for imageDelivery BASE64'),
  markerImageUrl: z.url().optional().describe('URL of the image, for imageDelivery URL'),
};

/** Response of POST /marker-code/allocate. */
export const allocationSchema = z
  .object({ entries: z.array(z.object(markerEntry)).describe('In ascending order, without gaps') })
  .openapi('Allocation');
