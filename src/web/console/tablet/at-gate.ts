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
import { readIdentifier } from '../../../core/lib/identifier.ts';
import { refusal } from '../../../core/lib/problem.ts';
import { execute, ofService } from '../../../core/writer/client.ts';
import { noteWork } from '../../../dispatch/tablet/request.ts';
import { codeHashes, SCANNED_TEXTS_MAXIMUM } from '../../../dispatch/tablet/rules.ts';
import { limitAlertQuery, turnQuery, workerOfCodeQuery } from '../../../dispatch/tablet/store.ts';
import { beginTurn, endTurn } from '../../../dispatch/tablet/worker-commands.ts';
import { type ActionContext, type ActionResult, action, type PageContext } from '../kit/action.ts';
import { refuseInWords, TranslatedError } from '../kit/language.ts';
import { namesPallet } from '../kit/meant-pallet.ts';
import type { ByUuid } from '../kit/resource.tsx';
import type { AskedByTablet } from '../kit/tablet-form.ts';

/** The subject of a form on a gate page. */
interface About {
  thing?: { kind: 'shipment' | 'manifest'; identifier: string };
  record?: string;
  alert?: string;
}

/** Actions that sign a worker in or out; they need no worker. */
const WORK = ['work', 'workEnd'];
/** Actions that a tablet may do; everything else on the page is desk work. */
const AT_GATES = [
  ...WORK,
  ...['scan', 'mark', 'damage', 'comment', 'photo', 'remove', 'resolve', 'start', 'complete', 'arrive'],
];

/** Returns a row if the subject of the form is at the gate. Undefined for forms about the gate only. */
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
 * Check the request of a tablet. It may only do gate actions, to things at its own gate. If the tablet asks for
 * workers, the form needs a worker. For a form from an earlier turn, the result is the time when it was queued, in
 * epoch milliseconds. Otherwise it is undefined.
 * @throws 403 `permissionRequired`, 403 `workerRequired`, 403 `workerGone`
 */
export async function atGate(
  at: PageContext,
  { uuid }: ByUuid,
  asked: AskedByTablet,
): Promise<number | undefined> {
  const { name, isAsked } = asked;
  if (!AT_GATES.includes(name)) refuseInWords('permissionRequired', at.words.t('work.atDesk'));
  const here = isHere(at.database, uuid, asked.form as About);
  if (here && !(await at.database.first(here)))
    refuseInWords('permissionRequired', at.words.t('refused.notAtGate'));
  return isAsked || WORK.includes(name) ? undefined : inTheNameOf(at, asked);
}

/**
 * Record the actor: the worker of the turn in which the form was queued. If that turn is not the current one, the time
 * of queuing is returned, so that the log can show it.
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
    refuseInWords('workerRequired', at.words.t('refused.workerRequired'));
  }
  const displayName = `${tablet!.name}, ${workerName}`;
  c.set('principal', { organization, actor: { actorType: 'TABLET', uuid, displayName } });
  if (isNow) noteWork(c, session);
  return keptDate;
}

/**
 * The worker of an earlier turn. If the worker is gone or the turn is unknown, `workerName` is undefined at a tablet
 * that does not ask for workers.
 * @throws 403 `workerGone` at a tablet that asks for workers
 */
async function workerBefore(
  { session, database, words }: PageContext,
  { turn, madeDate }: AskedByTablet,
): Promise<{ workerName: string | undefined; keptDate: number | undefined }> {
  const found = await database.first(turnQuery(database, session.uuid, turn!));
  const { endDate, lastUsedDate } = found ?? {};
  const keptDate =
    found && Math.min(madeDate ?? endDate ?? lastUsedDate!, endDate ?? Number.MAX_SAFE_INTEGER);
  if (found && !found.isOver) return { workerName: found.workerName, keptDate };
  if (session.tablet!.asks === 'NONE') return { workerName: undefined, keptDate };
  return refuseInWords('workerGone', words.t('refused.workerGone'));
}

const hashesOf = ({ c, session }: PageContext, code: string): string[] =>
  codeHashes(settingsOf(c.env).sealingKeys, session.organization.uuid, code);

const begun = (
  { words: { t } }: PageContext,
  { turn, workerName }: { turn: string; workerName: string },
): ActionResult => ({
  done: t('work.now', { name: workerName }),
  data: { outcome: 'WORKER', said: t('work.said'), pallet: workerName, turn },
});

const refuseBrowser = (): never =>
  refuse('tabletNotFound', 'This browser is not a tablet of a gate. Pair it first.');

/** The actions that sign a worker in or out. */
export const workActions = () => ({
  work: action('see', z.object({ workerSecret: z.string().min(1).max(255) }), begin),
  workEnd: action('see', z.object({}), async ({ c, session, words, submission }) => {
    if (!session.tablet) return refuseBrowser();
    await write(c, submission, endTurn, { tabletUuid: session.uuid });
    return { done: words.t('work.nobody') };
  }),
});

/** Raise an alert when the attempts at a tablet reach a limit, once per time window. */
async function noteLimit({ c, session, database }: PageContext): Promise<void> {
  const tabletUuid = session.uuid;
  if (await database.first(limitAlertQuery(database, tabletUuid, Date.now()))) return;
  // The writer logs a failure, and the next attempt tries again.
  await execute(c.env, session.organization.uuid, ofService('noteSignInLimit', { tabletUuid }));
}

/** Whether somebody has scanned a pallet where the tablet asks for the worker. A text of digits may be a PIN. */
async function isPalletInstead({ database, session }: PageContext, scanned: string): Promise<boolean> {
  const { sscc, text } = readIdentifier(scanned);
  if (sscc === undefined && session.tablet?.asks === 'PIN' && /^\d+$/.test(text)) return false;
  return namesPallet(database, scanned);
}

/**
 * Sign a worker in. Wrong badges and PINs are counted per tablet, so no tablet can lock another tablet. The limits are
 * the same as for the sign-in of an account.
 */
async function begin(
  at: ActionContext,
  _: unknown,
  { workerSecret }: { workerSecret: string },
): Promise<ActionResult> {
  const { c, session, submission, words } = at;
  if (!session.tablet) return refuseBrowser();
  const { asks } = session.tablet;
  if (await isPalletInstead(at, workerSecret)) {
    const begun = await beginByBadge(at, workerSecret, 'pallets');
    if (begun && begun !== 'paused') return begun;
    return refuseInWords('workerRequired', words.t('tablet.badgeFirst', { asks }), { status: 403 });
  }
  const databases = databasesOf(c.env);
  const keys = {
    account: sha256Hex(`worker ${session.uuid}`),
    address: sha256Hex(`workers at ${session.uuid}`),
  };
  if (!(await beginAttempt(databases, keys, Date.now()))) {
    await noteLimit(at);
    throw new TranslatedError(refusal('rateLimited', words.t('work.tooMany')), AFTER_ATTEMPTS);
  }
  const { body } = await write(c, submission, beginTurn, {
    tabletUuid: session.uuid,
    hashes: hashesOf(at, workerSecret),
  });
  await attemptSucceeded(databases, keys);
  return begun(at, body);
}

/**
 * Try a scanned text as the badge of the next worker: a scan that names no pallet (`scans`), or a pallet that was
 * scanned in place of a badge (`pallets`). Each kind has a limit for the number of different texts that are not a
 * badge. Beyond the limit, the text is not looked up, and the result is `paused`. Returns undefined if the text is not
 * a badge.
 */
export async function beginByBadge(
  at: ActionContext,
  scanned: string,
  kind: 'scans' | 'pallets',
): Promise<ActionResult | 'paused' | undefined> {
  const { c, session, database, submission } = at;
  if (session.tablet?.asks !== 'BADGE') return undefined;
  const databases = databasesOf(c.env);
  const hashes = hashesOf(at, scanned);
  const keys = {
    target: sha256Hex(`${kind} at ${session.uuid}`),
    guess: sha256Hex(`scan at ${session.uuid} ${hashes[0]}`),
  };
  if (!(await beginGuess(databases, keys, SCANNED_TEXTS_MAXIMUM, Date.now()))) {
    if (kind === 'scans') await noteLimit(at);
    return 'paused';
  }
  if (!(await database.first(workerOfCodeQuery(database, hashes)))) return undefined;
  // The writer stores a fast hash of the payload. A badge could be guessed from it, so the payload does not contain the
  // badge.
  const work = { ...submission, payload: { action: 'work' } };
  const { body } = await write(c, work, beginTurn, { tabletUuid: session.uuid, hashes });
  await guessSucceeded(databases, keys);
  return begun(at, body);
}

export type WorkActions = ReturnType<typeof workActions>;
