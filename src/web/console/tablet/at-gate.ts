import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import {
  attemptSucceeded,
  beginAttempt,
  beginGuess,
  guessSucceeded,
} from '../../../access/session/attempts.ts';
import { AFTER_ATTEMPTS } from '../../../access/session/rules.ts';
import { settingsOf } from '../../../core/env.ts';
import { refuse, write } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { ProblemError, refusal } from '../../../core/lib/problem.ts';
import { execute, ofService } from '../../../core/writer/client.ts';
import { noteWork } from '../../../dispatch/tablet/request.ts';
import { codeHashes, SCANNED_TEXTS_MAXIMUM } from '../../../dispatch/tablet/rules.ts';
import { limitAlertQuery, turnQuery, workerOfCodeQuery } from '../../../dispatch/tablet/store.ts';
import { beginTurn, endTurn } from '../../../dispatch/tablet/worker-commands.ts';
import { type ActionContext, type ActionResult, action, type PageContext } from '../kit/action.ts';
import type { ByUuid } from '../kit/detail.tsx';
import type { AskedByTablet } from '../kit/tablet-form.ts';

/** What a form of a gate's page is about. */
interface About {
  thing?: { kind: 'shipment' | 'manifest'; identifier: string };
  record?: string;
  alert?: string;
}

/** The actions that say who works at a tablet, which need no worker. */
const WORK = ['work', 'workEnd'];
/** The actions of a gate's tablet; everything else on the page is desk work. */
const AT_GATES = [...WORK, 'scan', 'mark', 'remove', 'resolve', 'start', 'complete'];

/** A row if what a form is about is at the gate; undefined for forms about the gate only. */
function isHere(
  { organization }: Database,
  gate: string,
  { thing, record, alert }: About,
): SQL<{ here: 1 }> | undefined {
  if (record !== undefined)
    return sql`SELECT 1 AS here FROM asset_loading a JOIN manifest m ON m.uuid = a.manifest_uuid
      WHERE a.uuid = ${record} AND +a.organization_uuid = ${organization} AND (m.gate_uuid = ${gate} OR a.gate_uuid = ${gate})`;
  if (alert !== undefined)
    return sql`SELECT 1 AS here FROM alert
      WHERE uuid = ${alert} AND +organization_uuid = ${organization} AND gate_uuid = ${gate}`;
  return (
    thing &&
    sql`SELECT 1 AS here FROM ${sql.identifier(thing.kind)}
      WHERE uuid = ${thing.identifier} AND +organization_uuid = ${organization} AND gate_uuid = ${gate}`
  );
}

/**
 * Check the request of a tablet: it may do the gate's actions to what is at its own gate, and, if it asks who works
 * there, in the name of a worker. Returns since when the form was kept (epoch milliseconds), if it was made in a turn
 * before the present one.
 * @throws 403 `permissionRequired`, 403 `workerRequired`, 403 `workerGone`
 */
export async function atGate(
  at: PageContext,
  { uuid }: ByUuid,
  asked: AskedByTablet,
): Promise<number | undefined> {
  const { name, isAsked } = asked;
  if (!AT_GATES.includes(name)) refuse('permissionRequired', 'This is done from a desk, not at a tablet.');
  const here = isHere(at.database, uuid, asked.form as About);
  if (here && !(await at.database.first(here)))
    refuse('permissionRequired', 'That is not at the gate of this tablet.');
  return isAsked || WORK.includes(name) ? undefined : inTheNameOf(at, asked);
}

/**
 * Attribute what is done to the worker at the tablet: the present one, or the one when it was kept there. A turn before
 * the present one is no proof that its worker did it just now, so the log says when it was kept: the date returned.
 */
async function inTheNameOf(at: PageContext, asked: AskedByTablet): Promise<number | undefined> {
  const { c, session } = at;
  const { tablet, uuid, organization } = session;
  const now = tablet!.turn;
  const isNow = asked.turn === undefined || asked.turn === now?.uuid;
  const { workerName, keptDate } = isNow
    ? { workerName: now?.workerName, keptDate: undefined }
    : await workerBefore(at, asked);
  if (workerName === undefined) {
    if (tablet!.asks === 'NONE') return keptDate;
    refuse('workerRequired', 'Say first who works here.');
  }
  const displayName = `${tablet!.name}, ${workerName}`;
  c.set('principal', { organization, actor: { actorType: 'TABLET', uuid, displayName } });
  if (isNow) noteWork(c, session);
  return keptDate;
}

/**
 * The worker of a turn before the present one. Undefined for a worker who is gone, if the tablet asks nobody.
 * @throws 403 `workerGone` for a worker who is gone, or a turn that is not known
 */
async function workerBefore(
  { session, database }: PageContext,
  { turn, madeDate }: AskedByTablet,
): Promise<{ workerName: string | undefined; keptDate: number | undefined }> {
  const found = await database.first(turnQuery(database, session.uuid, turn!));
  const { endDate, lastUsedDate } = found ?? {};
  const keptDate =
    found && Math.min(madeDate ?? endDate ?? lastUsedDate!, endDate ?? Number.MAX_SAFE_INTEGER);
  if (found && !found.isOver) return { workerName: found.workerName, keptDate };
  if (session.tablet!.asks === 'NONE') return { workerName: undefined, keptDate };
  return refuse('workerGone', GONE);
}

const GONE =
  'Who did this was deleted or has another badge or PIN. Somebody who works here now can send it in their own name.';

const hashesOf = ({ c, session }: PageContext, code: string): string[] =>
  codeHashes(settingsOf(c.env).sealingKeys, session.organization.uuid, code);

const begun = (
  { words: { t } }: PageContext,
  { turn, workerName }: { turn: string; workerName: string },
): ActionResult => ({
  done: t('work.now', { name: workerName }),
  data: { outcome: 'WORKER', said: t('work.said'), pallet: workerName, turn },
});

/** The actions that say who works at a tablet. */
export const workActions = () => ({
  work: action('see', z.object({ workerSecret: z.string().min(1).max(255) }), begin),
  workEnd: action('see', z.object({}), async ({ c, session, words, submission }) => {
    if (!session.tablet) return refuse('tabletNotFound', 'This is no tablet of a gate.');
    await write(c, submission, endTurn, { tabletUuid: session.uuid });
    return { done: words.t('work.nobody') };
  }),
});

/** Raise an alert that the attempts at a tablet have reached a limit, once for each window. */
async function noteLimit({ c, session, database }: PageContext): Promise<void> {
  const tabletUuid = session.uuid;
  if (await database.first(limitAlertQuery(database, tabletUuid, Date.now()))) return;
  // A failure is logged by the writer, and the next attempt raises it.
  await execute(c.env, session.organization.uuid, ofService('noteSignInLimit', { tabletUuid }));
}

/**
 * Sign a worker in. Wrong badges and PINs count per tablet alone, so that no tablet can lock another one, with the limits
 * of an account's sign-in.
 */
async function begin(
  at: ActionContext,
  _: unknown,
  { workerSecret }: { workerSecret: string },
): Promise<ActionResult> {
  const { c, session, submission } = at;
  if (!session.tablet) return refuse('tabletNotFound', 'This is no tablet of a gate.');
  const databases = databasesOf(c.env);
  const keys = {
    account: sha256Hex(`worker ${session.uuid}`),
    address: sha256Hex(`workers at ${session.uuid}`),
  };
  if (!(await beginAttempt(databases, keys, Date.now()))) {
    await noteLimit(at);
    const detail = 'Too many badges or PINs were not known here. Wait a quarter of an hour.';
    throw new ProblemError(refusal('rateLimited', detail), AFTER_ATTEMPTS);
  }
  const { body } = await write(c, submission, beginTurn, {
    tabletUuid: session.uuid,
    hashes: hashesOf(at, workerSecret),
  });
  await attemptSucceeded(databases, keys);
  return begun(at, body);
}

/**
 * A scan that names no pallet may be the badge of the next worker, and counts until it is one: `paused` beyond the limit
 * of such texts, when it is not looked up. Undefined if it is no badge.
 */
export async function beginByBadge(
  at: ActionContext,
  scanned: string,
): Promise<ActionResult | 'paused' | undefined> {
  const { c, session, database, submission } = at;
  if (session.tablet?.asks !== 'BADGE') return undefined;
  const databases = databasesOf(c.env);
  const hashes = hashesOf(at, scanned);
  const keys = {
    target: sha256Hex(`scans at ${session.uuid}`),
    guess: sha256Hex(`scan at ${session.uuid} ${hashes[0]}`),
  };
  if (!(await beginGuess(databases, keys, SCANNED_TEXTS_MAXIMUM, Date.now()))) {
    await noteLimit(at);
    return 'paused';
  }
  if (!(await database.first(workerOfCodeQuery(database, hashes)))) return undefined;
  // No fast hash of a badge is stored anywhere.
  const work = { ...submission, payload: { action: 'work' } };
  const { body } = await write(c, work, beginTurn, { tabletUuid: session.uuid, hashes });
  await guessSucceeded(databases, keys);
  return begun(at, body);
}

export type WorkActions = ReturnType<typeof workActions>;
