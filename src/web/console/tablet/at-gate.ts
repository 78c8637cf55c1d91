import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../core/lib/database.ts';
import { noteWork } from '../../../dispatch/tablet/request.ts';
import { turnQuery } from '../../../dispatch/tablet/store.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import type { AskedByTablet } from '../../ui/form/tablet-form.ts';
import type { ByUuid } from '../../ui/page/resource.tsx';
import { refuseInWords } from '../../ui/parts/language.ts';

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
  'scan',
  'mark',
  'damage',
  'comment',
  'photo',
  'remove',
  'undo',
  'resolve',
  'start',
  'complete',
  'arrive',
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
