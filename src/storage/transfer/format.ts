import { z } from '@hono/zod-openapi';
import { isUuid7 } from '../../core/lib/id.ts';

/** The format name in an export. */
export const FORMAT = 'warehouse-dispatch-organization';
/** The version of the format. */
export const VERSION = 1;
/** Media type of an export: a JSON text on each line. */
export const NDJSON = 'application/x-ndjson';
/** The longest first line, in bytes. The totals of all lists are stored with the request, in one value of D1. */
export const HEADER_BYTES_MAXIMUM = 1_500_000;
/** The maximum number of bytes of an object in one line. */
export const PIECE_BYTES = 512 * 1024;

type ListTotal = [list: string, part: string, total: number];
const isListTotal = (item: unknown): item is ListTotal =>
  Array.isArray(item) &&
  item.length === 3 &&
  typeof item[0] === 'string' &&
  typeof item[1] === 'string' &&
  typeof item[2] === 'number';

/** The first line. */
export const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** The organization as GET shows it; other versions may have other fields. */
  organization: z.looseObject({ uuid: z.string().refine(isUuid7), slug: z.string(), name: z.string() }),
  /** The number of the last record of its log. */
  sequenceNumber: z.int().min(0),
  exportDate: z.iso.datetime(),
  /** A fingerprint that shows whether another deployment has the same SEALING_KEY. */
  sealingKey: z.string(),
  listTotals: z.custom<ListTotal[]>((list) => Array.isArray(list) && list.every(isListTotal)),
});
export type Header = z.output<typeof headerSchema>;

const value = z.union([z.string(), z.number(), z.null()]);

/** A row of a table by its columns, the beginning of an object, a piece of it, or the last line. */
export const lineSchema = z.union([
  z.strictObject({ table: z.string(), values: z.record(z.string(), value) }),
  z.strictObject({
    object: z.string(),
    sizeBytes: z.int().min(0),
    httpMetadata: z.record(z.string(), z.string()),
    customMetadata: z.record(z.string(), z.string()),
  }),
  z.strictObject({ object: z.string(), data: z.base64() }),
  /** The number of lines before it, and the SHA-256 (hex) of their bytes. */
  z.strictObject({ count: z.int(), sha256: z.string() }),
  /** The last line of a part, if the export continues in the next answer. */
  z.strictObject({ count: z.int(), sha256: z.string(), next: z.string() }),
]);
export type Line = z.output<typeof lineSchema>;

/** Serialise a line. */
export const lineOf = (content: Header | Line): string => `${JSON.stringify(content)}\n`;
