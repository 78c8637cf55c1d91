import { Buffer } from 'node:buffer';
import { z } from '@hono/zod-openapi';
import { isUuid7 } from '../../core/lib/id.ts';

const placeSchema = z.object({
  /** The snapshot, and the database that it is in. */
  snapshot: z.string().refine(isUuid7),
  databaseName: z.string(),
  /** The ends of its append-only tables. */
  ends: z.record(z.string(), z.int().min(0)),
  /** The index of the table, and the place in it. After the last table come the objects. */
  table: z.int().min(0),
  place: z.object({
    part: z.int().min(0).max(1),
    after: z
      .array(z.union([z.string(), z.number()]))
      .max(5)
      .readonly(),
  }),
  /** The key of the last object that was read. */
  object: z.string().optional(),
});

/** The place at which the next request continues an export. */
export type ExportPlace = z.output<typeof placeSchema>;

/** The longest text of a place. */
export const PLACE_LENGTH_MAXIMUM = 8_000;

/** Encode a place for a query parameter. */
export const placeText = (place: ExportPlace): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/** Decode a place from a query parameter. Undefined if the text is not an encoded place. */
export function placeOf(text: string): ExportPlace | undefined {
  try {
    return placeSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return undefined;
  }
}
