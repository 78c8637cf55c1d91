import { Buffer } from 'node:buffer';
import { z } from '@hono/zod-openapi';
import { ProblemError } from '../lib/problem.ts';
import { validationRefusal } from './problem-items.ts';

/** The start of the next page of a list. */
export interface Cursor {
  sortBy: string;
  direction: 'ASC' | 'DESC';
  value: string | number;
  /** The tie breaker: a uuid or a row number. */
  key: string | number;
  pageNumber: number;
}

const cursorSchema = z.tuple([
  z.string(),
  z.enum(['ASC', 'DESC']),
  z.union([z.string(), z.number()]),
  z.union([z.uuid(), z.int()]),
  z.int().min(1),
]);

/** Serialise a cursor. It is opaque for callers. */
export function formatCursor({ sortBy, direction, value, key, pageNumber }: Cursor): string {
  return opaque([sortBy, direction, value, key, pageNumber]);
}

/** Serialise a position as an opaque text. */
export function opaque(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Parse a caller's cursor. @throws 400 for a text that this service did not create */
export function parseCursor(cursor: string): Cursor {
  const parsed = cursorSchema.safeParse(fromOpaque(cursor));
  if (!parsed.success) throw badCursor('The cursor does not come from this service.');
  const [sortBy, direction, value, key, pageNumber] = parsed.data;
  return { sortBy, direction, value, key, pageNumber };
}

/** The reverse of `opaque`; undefined for any other text. */
export function fromOpaque(text: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (x) =>
      x.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

export const badCursor = (message: string, field = 'cursor'): ProblemError =>
  new ProblemError(validationRefusal([{ field, code: 'validationFailed', message }]));
