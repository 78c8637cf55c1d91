import { getCookie } from 'hono/cookie';
import type { z } from 'zod';
import { settingsOf } from '../env.ts';
import { type AppContext, origin } from '../http/types.ts';
import { open, seal } from '../lib/seal.ts';
import { SECOND_MS } from '../lib/time.ts';
import { give, namesOf } from './request.ts';

/** What a browser has to come back with, which nobody but this service reads or makes. */
interface SealedCookie {
  name: 'operator' | 'company' | 'passkey';
  /** What it is sealed for. */
  place: string;
  /** Whether links from other sites come without it. */
  strict?: true;
}

/** What is sealed: for one host, and for a while. */
interface Sealed {
  origin: string;
  expiresDate: number;
  value: unknown;
}

/** Have the browser take along what it has to come back with, for a while. */
export async function giveSealed(
  c: AppContext,
  { name, place, strict }: SealedCookie,
  value: object,
  lifeMs: number,
): Promise<void> {
  const kept: Sealed = { origin: origin(c), expiresDate: Date.now() + lifeMs, value };
  const sealed = await seal(settingsOf(c.env).sealingKeys, place, JSON.stringify(kept));
  give(c, namesOf(c)[name], sealed, lifeMs / SECOND_MS, strict ? 'Strict' : 'Lax');
}

/**
 * What the browser has come back with, once, and until when it could: undefined where that is not of this host, not ours, or
 * too old.
 */
export async function takeSealed<S extends z.ZodType>(
  c: AppContext,
  cookie: SealedCookie,
  schema: S,
): Promise<{ value: z.output<S>; expiresDate: number } | undefined> {
  const name = namesOf(c)[cookie.name];
  if (getCookie(c, name)) give(c, name, '', 0);
  return readSealed(c, cookie, schema);
}

/** The same where it can come back again until it is too old. */
export async function readSealed<S extends z.ZodType>(
  c: AppContext,
  { name, place }: SealedCookie,
  schema: S,
): Promise<{ value: z.output<S>; expiresDate: number } | undefined> {
  const sealed = getCookie(c, namesOf(c)[name]);
  if (!sealed) return undefined;
  const text = await open(settingsOf(c.env).sealingKeys, place, sealed).catch(() => undefined);
  if (text === undefined) return undefined;
  const kept: Sealed = JSON.parse(text);
  if (kept.origin !== origin(c) || kept.expiresDate <= Date.now()) return undefined;
  return { value: schema.parse(kept.value), expiresDate: kept.expiresDate };
}
