import { getCookie } from 'hono/cookie';
import type { z } from 'zod';
import { settingsOf } from '../../core/env.ts';
import { type AppContext, origin } from '../../core/http/types.ts';
import { ProblemError, refusalStatus } from '../../core/lib/problem.ts';
import { open, seal } from '../../core/lib/seal.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { cookieNamesOf, writeCookie } from './request.ts';

/** State that a browser sends back. It is sealed, so only this service can read or create it. */
interface SealedCookie {
  name: 'operator' | 'company' | 'passkey';
  /** Its purpose. */
  context: string;
  /** Whether requests from links of other sites come without the cookie. */
  strict?: true;
}

/** The sealed content. It is valid for one host, and for a limited time. */
interface Sealed {
  origin: string;
  expiresDate: number;
  value: unknown;
}

/** Store a sealed state in the browser for a limited time. */
export async function setSealedCookie(
  c: AppContext,
  { name, context, strict }: SealedCookie,
  value: object,
  lifeMs: number,
): Promise<void> {
  const state: Sealed = { origin: origin(c), expiresDate: Date.now() + lifeMs, value };
  const sealed = await seal(settingsOf(c.env).sealingKeys, context, JSON.stringify(state));
  writeCookie(c, cookieNamesOf(c)[name], sealed, lifeMs / SECOND_MS, strict ? 'Strict' : 'Lax');
}

/** Whether an error leaves the request undecided, so that it may be sent again. */
const isOpen = (error: unknown): boolean =>
  !(error instanceof ProblemError) || [429, 500, 503].includes(refusalStatus(error.refusal));

/**
 * Decide a request on the state that the browser sent back. The browser keeps the state until a success or a refusal.
 * After a 503 it can send the same request again.
 */
export async function onceBySealed<S extends z.ZodType, T>(
  c: AppContext,
  cookie: SealedCookie,
  schema: S,
  decide: (state: ReturnedState<S> | undefined) => Promise<T>,
): Promise<T> {
  const state = await readSealedCookie(c, cookie, schema);
  const forget = () => {
    const name = cookieNamesOf(c)[cookie.name];
    if (getCookie(c, name)) writeCookie(c, name, '', 0);
  };
  try {
    const decided = await decide(state);
    forget();
    return decided;
  } catch (error) {
    if (!isOpen(error)) forget();
    throw error;
  }
}

/** A state that a browser has sent back, and its expiry date. */
export interface ReturnedState<S extends z.ZodType> {
  value: z.output<S>;
  expiresDate: number;
}

/** The state that the browser sent back; undefined if it belongs to another host, is invalid or has expired. */
export async function readSealedCookie<S extends z.ZodType>(
  c: AppContext,
  { name, context }: SealedCookie,
  schema: S,
): Promise<ReturnedState<S> | undefined> {
  const sealed = getCookie(c, cookieNamesOf(c)[name]);
  if (!sealed) return undefined;
  const text = await open(settingsOf(c.env).sealingKeys, context, sealed).catch(() => undefined);
  if (text === undefined) return undefined;
  const state: Sealed = JSON.parse(text);
  if (state.origin !== origin(c) || state.expiresDate <= Date.now()) return undefined;
  // During a deployment a state may come from another version.
  const { data: value, success } = schema.safeParse(state.value);
  return success ? { value, expiresDate: state.expiresDate } : undefined;
}
