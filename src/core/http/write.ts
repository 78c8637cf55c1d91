import { newUuid } from '../lib/id.ts';
import { missing } from '../lib/missing.ts';
import { ProblemError, type ProblemItem, refusal } from '../lib/problem.ts';
import { traceparentOf } from '../lib/trace.ts';
import type { Actor } from '../writer/chain.ts';
import { execute } from '../writer/client.ts';
import type { Command } from '../writer/command.ts';
import { inTurn } from './permit.ts';
import { digestInPortions } from './portions.ts';
import { validationRefusal } from './problem-items.ts';
import { type AppContext, callerAddress, principalOf, target } from './types.ts';

/** A committed or replayed answer of the writer: the parsed stored JSON. */
export interface Written<T> {
  body: T;
  replayed: boolean;
}

/**
 * The metadata of a command: the idempotency key and payload, which give repeats of a request one effect, and the
 * reason.
 */
export interface Submission {
  /** The key for which a repeat gets the stored answer; null for none. */
  readonly key: string | null;
  /**
   * The part of the request, besides method, path and query, that must be equal in a repeat: usually the parsed body.
   * Only its hash is stored.
   */
  readonly payload: unknown;
  /** The user's reason for an action that cannot be undone, for the audit records. */
  readonly reason?: string;
  /** When a form was submitted on a device that sends it later, in epoch milliseconds. */
  readonly keptDate?: number | undefined;
}

/**
 * The submission of an API request: its Idempotency-Key and its parsed body. The key is validated when it is read, so
 * only a request that writes can be refused for an invalid key.
 */
export const submissionOf = (c: AppContext, payload: unknown): Submission => ({
  get key() {
    // A GET that changes data is idempotent by itself. Idempotency-Key has no effect on a GET.
    return c.req.method === 'GET' ? null : idempotencyKey(c.req.header('Idempotency-Key'));
  },
  payload,
});

/** Send a command to the writer of the caller's organization. @throws the refusal, if it is refused */
export function write<I, A>(
  c: AppContext,
  submission: Submission,
  command: Command<I, A>,
  input: I,
): Promise<Written<A>> {
  const { organization, actor } = principalOf(c);
  return writeAs(c, submission, organization.uuid, actor, command, input);
}

/** The same for an organization and actor that the route names (operator API). */
export async function writeAs<I, A>(
  c: AppContext,
  { key, payload, reason, keptDate }: Submission,
  organization: string,
  actor: Actor,
  command: Command<I, A>,
  input: I,
): Promise<Written<A>> {
  const { name } = command;
  const outcome = await execute(c.env, organization, {
    name,
    input,
    commandId: newUuid(),
    idempotencyKey: key,
    fingerprint: await fingerprintOf(c, payload),
    actor,
    requestId: c.get('requestId'),
    ipAddress: callerAddress(c),
    traceparent: traceparentOf(c.req.header('traceparent')),
    ...(reason ? { reason } : {}),
    ...(keptDate === undefined ? {} : { keptDate }),
  });
  if (outcome.kind === 'defect') throw new Error(`command ${name} failed`);
  c.set('bookmark', outcome.bookmark);
  c.set('writerCost', outcome);
  const replayed: Record<string, string> = outcome.replayed ? { 'Idempotent-Replayed': 'true' } : {};
  if (outcome.kind === 'refused') throw new ProblemError(outcome.refusal, replayed);
  if (outcome.replayed) c.header('Idempotent-Replayed', 'true');
  return { body: JSON.parse(outcome.body) as A, replayed: outcome.replayed };
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The caller's key, bare or as a quoted string (RFC 9651 section 3.3.3), or null. */
export function idempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim());
  const key = quoted ? quoted[1]!.replace(/\\(["\\])/g, '$1') : header.trim();
  if (KEY.test(key)) return key;
  const item: ProblemItem = {
    field: 'Idempotency-Key',
    code: 'validationFailed',
    message: 'A key has 1 to 255 visible ASCII characters.',
  };
  throw new ProblemError(validationRefusal([item]));
}

/**
 * A digest of the parts of a request that must be equal in a repeat: method, path, query and payload. The order of query
 * parameters does not matter, but the order of equal names does.
 */
const fingerprintOf = (c: AppContext, payload: unknown): Promise<string> =>
  digestInPortions(`${c.req.method} ${withSortedQuery(target(c))}\n`, payload ?? null, (piece) =>
    inTurn(c, piece),
  );

/** A path and query, with the parameters sorted by name. */
function withSortedQuery(to: string): string {
  const [path, query] = [to.split('?', 1)[0]!, to.slice(to.indexOf('?') + 1)];
  if (path === to || !query.includes('&')) return to;
  const name = (pair: string): string => pair.split('=', 1)[0]!;
  const pairs = query
    .split('&')
    .sort((one, other) => Number(name(one) > name(other)) - Number(name(one) < name(other)));
  return `${path}?${pairs.join('&')}`;
}

/**
 * The submission with a secret of its payload replaced. Otherwise the fingerprint of the command would store a fast
 * hash of the secret. `standIn` derives the same replacement from the same secret and key. A request without a key is
 * never compared, so its secret becomes null.
 */
export async function maskSecret(
  { key, payload }: Submission,
  field: string,
  standIn: (key: string) => Promise<string>,
): Promise<Submission> {
  return { key, payload: { ...(payload as object), [field]: key === null ? null : await standIn(key) } };
}

/** The caller's If-Match, for commands that accept one. */
export function ifMatch(c: AppContext): string | null {
  return c.req.header('If-Match') ?? null;
}

/** @throws 404 for a resource that does not exist */
export function refuseMissing(...args: Parameters<typeof missing>): never {
  throw new ProblemError(missing(...args));
}

export function refuse(...args: Parameters<typeof refusal>): never {
  throw new ProblemError(refusal(...args));
}
