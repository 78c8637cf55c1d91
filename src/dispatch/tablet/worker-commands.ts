import { type SQL, sql } from 'drizzle-orm';
import { newUuid } from '../../core/lib/id.ts';
import { missing, named, quoted } from '../../core/lib/missing.ts';
import { refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { fold } from '../../core/lib/text.ts';
import { type Change, command, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { resolvedAlertsChange } from '../alert/changes.ts';
import { openAboutDevice, openAlertsQuery } from '../alert/store.ts';
import { auditedTablet, auditedWorker, QUIET_MS, type StoredCode, WORKERS_MAXIMUM } from './rules.ts';
import { endTurns, workerOfCodeQuery } from './store.ts';
import { gateTurn, gateWorker } from './table.ts';

interface NewWorker {
  name: string;
  /** The hashes of the badge or PIN, one for each key of the deployment. */
  hashes: readonly string[];
  code: StoredCode;
}

const sameQuery = (
  { organization }: Scope,
  condition: SQL,
): SQL<{ uuid: string }> => sql`SELECT uuid FROM gate_worker
  WHERE organization_uuid = ${organization} AND ${condition}`;

/** Whether another worker has the badge or PIN. It is then not changed. */
interface CodeAnswer {
  isInUse: boolean;
}

/**
 * The audit entry that a badge or PIN of another worker was entered. It contains neither the badge or PIN nor that
 * other worker.
 */
const codeInUse = (worker: { uuid: string; name: string }): Change<CodeAnswer> => ({
  writes: [],
  audit: [auditedWorker('GATE_WORKER_CODE_REFUSED', worker, [])],
  answer: { value: { isInUse: true } },
});
const CODE_SET: CodeAnswer = { isInUse: false };

/** Add a worker, who is identified at tablets by badge or PIN. */
export const createWorker = command('createWorker', {
  ask: ({ scope }, { name, hashes }: NewWorker) => ({
    namesakes: sameQuery(scope, sql`folded_name = ${fold(name)}`),
    others: sameQuery(scope, sql`code_hash ${inList(hashes)}`),
    counts: sql<{ all: number }>`SELECT count(*) AS "all" FROM gate_worker
      WHERE organization_uuid = ${scope.organization}`,
  }),
  decide({ scope, now }, { name, code }, { namesakes, others, counts }) {
    if (namesakes.length > 0)
      return refusal('workerNameInUse', `Another worker has the name ${quoted(name)}.`, { facts: { name } });
    const uuid = newUuid();
    if (others.length > 0) return codeInUse({ uuid, name });
    if (counts[0]!.all >= WORKERS_MAXIMUM)
      return refusal(
        'workerLimitReached',
        `${named('Worker', name)} cannot be added: an organization has at most ${WORKERS_MAXIMUM} workers.`,
        { facts: { name, maximum: WORKERS_MAXIMUM } },
      );
    return {
      writes: scope.insert(gateWorker, [
        { uuid, name, foldedName: fold(name), ...code, createDate: now, updateDate: now },
      ]),
      audit: [
        auditedWorker('GATE_WORKER_CREATED', { uuid, name }, [
          { field: 'name', oldValue: null, newValue: name },
        ]),
      ],
      answer: { value: CODE_SET },
    };
  },
});

const workerQuery = ({ organization }: Scope, uuid: string) =>
  sql<{
    name: string;
  }>`SELECT name FROM gate_worker WHERE uuid = ${uuid} AND +organization_uuid = ${organization}`;

/** Change the badge or PIN of a worker. Tablets that the worker is using ask for it again. */
export const changeWorkerCode = command('changeWorkerCode', {
  ask: ({ scope }, { uuid, hashes }: Omit<NewWorker, 'name'> & { uuid: string }) => ({
    workers: workerQuery(scope, uuid),
    others: sameQuery(scope, sql`code_hash ${inList(hashes)} AND uuid <> ${uuid}`),
  }),
  decide({ scope, now }, { uuid, code }, { workers: [found], others }) {
    if (!found) return missing('workerNotFound', uuid);
    if (others.length > 0) return codeInUse({ uuid, name: found.name });
    return {
      writes: [
        scope.update(gateWorker, { ...code, updateDate: now }, sql`uuid = ${uuid}`),
        endTurns(scope, sql`worker_uuid = ${uuid}`, now),
      ],
      // The badge or PIN is not audited, not even as a hash.
      audit: [auditedWorker('GATE_WORKER_CODE_CHANGED', { uuid, name: found.name }, [])],
      answer: { value: CODE_SET },
    };
  },
});

/** Remove a worker. The worker's actions keep the name. */
export const deleteWorker = command('deleteWorker', {
  ask: ({ scope }, { uuid }: { uuid: string }) => ({ workers: workerQuery(scope, uuid) }),
  decide({ scope, now }, { uuid }, { workers: [found] }) {
    if (!found) return missing('workerNotFound', uuid);
    return {
      writes: [scope.remove(gateWorker, { uuids: [uuid] }), endTurns(scope, sql`worker_uuid = ${uuid}`, now)],
      audit: [
        auditedWorker('GATE_WORKER_DELETED', { uuid, name: found.name }, [
          { field: 'deleted', oldValue: false, newValue: true },
        ]),
      ],
      answer: { value: {} },
    };
  },
});

interface AtTablet {
  tabletUuid: string;
}

const openTurnQuery = ({ organization }: Scope, { tabletUuid }: AtTablet) => sql<{
  uuid: string;
  workerUuid: string;
  workerName: string;
  lastUsedDate: number;
  tabletName: string;
}>`SELECT gate_turn.uuid, worker_uuid AS "workerUuid", worker_name AS "workerName", last_used_date AS "lastUsedDate",
    gate_tablet.name AS "tabletName"
  FROM gate_turn JOIN gate_tablet ON gate_tablet.uuid = gate_turn.tablet_uuid
  WHERE gate_turn.organization_uuid = ${organization} AND gate_turn.tablet_uuid = ${tabletUuid} AND end_date IS NULL`;

/** A worker who identifies at a tablet. */
interface Beginning extends AtTablet {
  /** The hashes of the badge or PIN, or the stored hash of a badge that the tablet has recognized. */
  hashes: readonly string[];
  /** The new stored parts of the badge or PIN, if they change. */
  code?: StoredCode | undefined;
  /** The uuid of the turn that the tablet has begun without the service. */
  turn?: string | undefined;
}

/**
 * Begin a worker's turn at a tablet by badge or PIN. It ends the previous turn. It also resolves an
 * alert about too many attempts at the tablet, because a known worker uses it now.
 */
export const beginTurn = command('beginTurn', {
  ask: ({ scope }, input: Beginning) => ({
    workers: workerOfCodeQuery(scope, input.hashes),
    turns: openTurnQuery(scope, input),
    taken: sql<{ uuid: string }>`SELECT uuid FROM gate_turn
      WHERE uuid = ${input.turn ?? ''} AND +organization_uuid = ${scope.organization}`,
    tablets: sql<{ name: string }>`SELECT name FROM gate_tablet
      WHERE uuid = ${input.tabletUuid} AND +organization_uuid = ${scope.organization} AND revoked_date IS NULL`,
    alerts: openAlertsQuery(scope, openAboutDevice(input.tabletUuid)),
  }),
  decide(
    context,
    { tabletUuid, code, turn },
    { workers: [worker], turns: [before], taken, tablets: [tablet], alerts },
  ) {
    const { scope, now } = context;
    if (!tablet) return refusal('tabletRevoked', 'This tablet is revoked. Pair it again.');
    if (!worker) return refusal('workerNotFound', 'Unknown badge or PIN. Try again.');
    if (taken.length > 0)
      return refusal('validationFailed', 'This turn exists already. Scan the badge again.');
    const isThere = before?.workerUuid === worker.uuid && before.lastUsedDate > now - QUIET_MS;
    if (isThere && turn === undefined)
      return unchanged({ value: { turn: before.uuid, workerName: worker.name } });
    const uuid = turn ?? newUuid();
    const begun = {
      writes: [
        endTurns(scope, sql`tablet_uuid = ${tabletUuid}`, now),
        // The stored code is older than this version, or was made with a key that is being rotated out.
        ...(code ? [scope.update(gateWorker, code, sql`uuid = ${worker.uuid}`)] : []),
        ...scope.insert(gateTurn, [
          {
            uuid,
            tabletUuid,
            workerUuid: worker.uuid,
            workerName: worker.name,
            lastUsedDate: now,
            createDate: now,
          },
        ]),
      ],
      audit: [
        auditedTablet('GATE_TABLET_WORKER_CHANGED', { uuid: tabletUuid, name: tablet.name }, [
          { field: 'worker', oldValue: before?.workerName ?? null, newValue: worker.name },
        ]),
      ],
    };
    const answer = { value: { turn: uuid, workerName: worker.name } };
    return mergeChanges(answer, [begun, resolvedAlertsChange(context, alerts)]);
  },
});

export const endTurn = command('endTurn', {
  ask: ({ scope }, input: AtTablet) => ({ turns: openTurnQuery(scope, input) }),
  decide({ scope, now }, { tabletUuid }, { turns: [before] }) {
    if (!before) return unchanged({ value: {} });
    return {
      writes: [endTurns(scope, sql`tablet_uuid = ${tabletUuid}`, now)],
      audit: [
        auditedTablet('GATE_TABLET_WORKER_CHANGED', { uuid: tabletUuid, name: before.tabletName }, [
          { field: 'worker', oldValue: before.workerName, newValue: null },
        ]),
      ],
      answer: { value: {} },
    };
  },
});
