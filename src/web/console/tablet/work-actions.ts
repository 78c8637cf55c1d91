import { z } from '@hono/zod-openapi';
import {
  attemptSucceeded,
  beginAttempt,
  beginGuess,
  guessSucceeded,
} from '../../../access/session/attempts.ts';
import { AFTER_ATTEMPTS } from '../../../access/session/rules.ts';
import { settingsOf } from '../../../core/env.ts';
import { refuse, write } from '../../../core/http/write.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { isUuid7 } from '../../../core/lib/id.ts';
import { refusal } from '../../../core/lib/problem.ts';
import { execute, ofService } from '../../../core/writer/client.ts';
import {
  codeHashes,
  proofsOf,
  SCANNED_TEXTS_MAXIMUM,
  type StoredCode,
  storedCode,
} from '../../../dispatch/tablet/rules.ts';
import {
  badgesQuery,
  limitAlertQuery,
  type WorkerBadge,
  workerOfCodeQuery,
} from '../../../dispatch/tablet/store.ts';
import { beginTurn, endTurn } from '../../../dispatch/tablet/worker-commands.ts';
import { readIdentifier } from '../../../pallet/identifier.ts';
import { type ActionContext, type ActionResult, action, type PageContext } from '../../ui/confirm/action.ts';
import { namesPallet } from '../../ui/confirm/meant-pallet.ts';
import { refuseInWords, TranslatedError } from '../../ui/parts/language.ts';

const hashesOf = ({ c, session }: PageContext, code: string): string[] =>
  codeHashes(settingsOf(c.env).sealingKeys, session.organization.uuid, code);

/**
 * What to store of the badge or PIN of a worker. Undefined if the current key of the deployment has stored all of it.
 */
function codeToStore(
  { c, session }: PageContext,
  { codeHash }: WorkerBadge,
  typed: string,
): Promise<StoredCode> | undefined {
  const keys = settingsOf(c.env).sealingKeys;
  const { uuid: organization } = session.organization;
  const isCurrent = codeHash === codeHashes(keys, organization, typed)[0];
  return isCurrent ? undefined : storedCode(keys, organization, typed);
}

const begun = (
  { words: { t } }: PageContext,
  { turn, workerName }: { turn: string; workerName: string },
): ActionResult => ({
  done: t('tablet.worksHere', { name: workerName }),
  data: { outcome: 'WORKER', said: t('work.said'), pallet: workerName, turn },
});

const refuseBrowser = (): never =>
  refuse('tabletNotFound', 'This browser is not a tablet of a gate. Pair it first.');

/** A typed badge or PIN, or the proof of a badge that the tablet has recognized, with the turn that it has begun. */
const workForm = z.union([
  z.object({ workerSecret: z.string().min(1).max(255) }),
  z.object({ badgeProof: z.hex().length(64), begins: z.string().refine(isUuid7) }),
]);

/** The actions that sign a worker in or out. */
export const workActions = () => ({
  work: action('see', workForm, begin),
  workEnd: action('see', z.object({}), async ({ c, session, words, submission }) => {
    if (!session.tablet) return refuseBrowser();
    await write(c, submission, endTurn, { tabletUuid: session.uuid });
    return { done: words.t('tablet.nobodyHere'), data: { outcome: 'WORKER' } };
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
async function begin(at: ActionContext, _: unknown, form: z.output<typeof workForm>): Promise<ActionResult> {
  const { c, session, database, submission, words } = at;
  if (!session.tablet) return refuseBrowser();
  if ('badgeProof' in form) return beginByProof(at, form);
  const { workerSecret } = form;
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
  const hashes = hashesOf(at, workerSecret);
  const worker = await database.first(workerOfCodeQuery(database, hashes));
  const code = worker && (await codeToStore(at, worker, workerSecret));
  const { body } = await write(c, submission, beginTurn, { tabletUuid: session.uuid, hashes, code });
  await attemptSucceeded(databases, keys);
  return begun(at, body);
}

/**
 * Begin the turn of a worker whose badge the tablet has recognized, maybe some time ago and without a connection. A
 * proof cannot be guessed, so it needs no limit.
 */
async function beginByProof(
  at: ActionContext,
  { badgeProof, begins }: { badgeProof: string; begins: string },
): Promise<ActionResult> {
  const { c, session, database, submission } = at;
  const { sealingKeys } = settingsOf(c.env);
  const workers = session.tablet?.asks === 'BADGE' ? await database.all(badgesQuery(database)) : [];
  const worker = workers.find((each) => proofsOf(sealingKeys, each, session.uuid).includes(badgeProof));
  const { body } = await write(c, submission, beginTurn, {
    tabletUuid: session.uuid,
    hashes: worker ? [worker.codeHash] : [],
    turn: begins,
  });
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
  const worker = await database.first(workerOfCodeQuery(database, hashes));
  if (!worker) return undefined;
  // The writer stores a fast hash of the payload. A badge could be guessed from it, so the payload does not contain the
  // badge.
  const work = { ...submission, payload: { action: 'work' } };
  const code = await codeToStore(at, worker, scanned);
  const { body } = await write(c, work, beginTurn, { tabletUuid: session.uuid, hashes, code });
  await guessSucceeded(databases, keys);
  return begun(at, body);
}

export type WorkActions = ReturnType<typeof workActions>;
