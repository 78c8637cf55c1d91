import { getCookie } from 'hono/cookie';
import type { z } from 'zod';
import { settingsOf } from '../env.ts';
import { type AppContext, origin } from '../http/types.ts';
import { open, seal } from '../lib/seal.ts';
import { SECOND_MS } from '../lib/time.ts';
import { give, namesOf } from './request.ts';

/** State that a browser has to send back, sealed so that only this service can read or make it. */
interface SealedCookie {
  name: 'operator' | 'company' | 'passkey';
  /** Its purpose. */
  place: string;
  /** Whether requests from other sites' links come without it. */
  strict?: true;
}

/** The sealed content: for one host, and for a limited time. */
interface Sealed {
  origin: string;
  expiresDate: number;
  value: unknown;
}

/** Give the browser a sealed state for a limited time. */
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
 * The state that the browser sent back, and until when it is valid. It can be used once; undefined where it is of
 * another host, invalid or expired.
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

/** The same, for a state that can be used repeatedly until it expires. */
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
  const { data } = schema.safeParse(kept.value);
  return data === undefined ? undefined : { value: data, expiresDate: kept.expiresDate };
}
