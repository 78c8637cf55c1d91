import { z } from '@hono/zod-openapi';
import { ProblemError } from '../lib/problem.ts';
import { validationRefusal } from './problem.ts';

/** Where a walk along a list goes on. */
export interface Cursor {
  sortBy: string;
  direction: 'ASC' | 'DESC';
  value: string | number;
  /** What breaks ties: a uuid, or the number of a row. */
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

/** A cursor as callers get it: opaque to them. */
export function formatCursor({ sortBy, direction, value, key, pageNumber }: Cursor): string {
  return opaque([sortBy, direction, value, key, pageNumber]);
}

/** A place in a list as callers get it. */
export function opaque(place: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(place));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** A cursor that a caller sent. @throws 400 for what this service never gave. */
export function parseCursor(cursor: string): Cursor {
  const parsed = cursorSchema.safeParse(fromOpaque(cursor));
  if (!parsed.success) throw badCursor('The cursor is not one that this service gave.');
  const [sortBy, direction, value, key, pageNumber] = parsed.data;
  return { sortBy, direction, value, key, pageNumber };
}

/** What `opaque` was made of; undefined for anything else. */
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

/** The refusal of a cursor. */
export const badCursor = (message: string, field = 'cursor'): ProblemError =>
  new ProblemError(validationRefusal([{ field, code: 'validationFailed', message }]));
