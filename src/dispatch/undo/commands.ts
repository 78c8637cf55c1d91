import { type SQL, sql } from 'drizzle-orm';
import { parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import type { AuditEntry } from '../../core/writer/chain.ts';
import { type Command, command, type InputOf, isRefusal, mergeChanges } from '../../core/writer/command.ts';
import type { AlertPallet } from '../alert/store.ts';
import { gateEventChanges } from '../gate/commands.ts';
import { detachTrack } from '../load/manifest/commands.ts';
import { manifestStateQuery } from '../load/manifest/store.ts';
import { detachManifests } from '../load/shipment/lifecycle-commands.ts';
import { shipmentStateQuery } from '../load/shipment/store.ts';
import { markLoading, recordsMeant, removeInvalidLoading } from '../loading/commands.ts';
import type { DueRetirement } from '../track/store.ts';
import {
  restoredAlertsChange,
  restoredMemberChanges,
  restoredRecordsChange,
  restoredTracksChange,
} from './changes.ts';
import { isUntouched, KEPT_MAXIMUM, type Kept, type Present, refuseChangedSince } from './rules.ts';
import {
  alertsQuery,
  answerQuery,
  type KeptRow,
  type Looked,
  markedRecords,
  memberQuery,
  presentView,
  recordsOfPallets,
  recordsQuery,
  resolvedThenQuery,
  retiredThenQuery,
} from './store.ts';

/** The answer of a command that can be undone. Null if nothing was changed, or too many records for an undo. */
export interface Undoable {
  undo: Kept | null;
}

/** The rows that a command reads besides its own. */
interface KeptRows {
  keptRecords: readonly KeptRow[];
  keptAlerts: readonly { uuid: string }[];
  keptMembers: readonly Kept['member'][];
  /** Rows of the command itself, if it has them. */
  aboard?: readonly AlertPallet[];
  due?: readonly DueRetirement[];
}

/**
 * A command whose stored answer has the rows for its undo. `records` is an `IN` condition on the records that it may
 * change, and `manifestUuid` the manifest that it takes from a shipment.
 */
const undoable = <I>(
  name: string,
  kind: Kept['kind'],
  inner: Command<I, unknown>,
  keep: (scope: Scope, input: I) => { records: SQL; manifestUuid?: string },
): Command<I, Undoable> =>
  command(name, {
    ask: (context, input: I) => {
      const { scope } = context;
      const { records, manifestUuid } = keep(scope, input);
      return {
        ...inner.ask(context, input),
        keptRecords: recordsQuery(scope, records),
        keptAlerts: alertsQuery(scope, records),
        keptMembers: manifestUuid === undefined ? undefined : memberQuery(scope, manifestUuid),
      };
    },
    askMore: (context, input: I, rows) => inner.askMore(context, input, rows as never),
    decide(context, input, rows) {
      const change = inner.decide(context, input, rows as never);
      if (isRefusal(change)) return change;
      const { keptRecords, keptAlerts, keptMembers, aboard = [], due = [] } = rows as unknown as KeptRows;
      const isAboard = kind === 'detach' && takesFromTruck(rows as unknown as TakenRows, change.audit);
      if (change.audit.length === 0 || keptRecords.length > KEPT_MAXIMUM || isAboard)
        return { ...change, answer: { value: { undo: null } } };
      const kept: Omit<Kept, 'after'> = {
        kind,
        date: context.now,
        records: keptRecords.map((row) => ({ ...row, alertUuids: parseJson(row.alertUuids) })),
        alerts: [...keptAlerts, ...aboard.map(({ alertUuid }) => ({ uuid: alertUuid }))].map(
          ({ uuid }) => uuid,
        ),
        covered: aboard.map(({ alertUuid, wmsId, markerCode }) => ({ alertUuid, wmsId, markerCode })),
        retired: due.map(({ uuid, wmsId }) => ({ uuid, wmsId })),
        member: keptMembers[0] ?? null,
      };
      const after = presentView(context.scope, lookedAt(kept));
      const answer = sql<Undoable>`json_object('undo', json_set(json(${JSON.stringify(kept)}), '$.after', json(${after})))`;
      return { ...change, answer };
    },
  });

/** Rows of commands that take something from a load. */
interface TakenRows {
  states?: readonly { status: string }[];
}

/**
 * Whether a pallet may still be aboard after it was taken from its load. The page has asked before, with numbers, and the
 * pallet has an alert now, so there is no undo.
 */
const takesFromTruck = ({ states }: TakenRows, audit: readonly AuditEntry[]): boolean =>
  states?.[0]?.status === 'IN_PROGRESS' ||
  audit.some(({ action }) => action === 'UNAUTHORIZED_LOADING_ADDED');

/** The rows that the undo compares with the time right after the command. */
const lookedAt = ({ records, member }: Omit<Kept, 'after'>): Looked => ({
  uuids: records.map(({ recordUuid }) => recordUuid),
  wmsIds: [...new Set(records.flatMap(({ wmsId }) => wmsId ?? []))],
  manifests: [
    ...new Set([
      ...records.map(({ manifestUuid }) => manifestUuid),
      ...(member ? [member.manifestUuid] : []),
    ]),
  ],
});

const ofTarget = (scope: Scope, input: Parameters<typeof recordsMeant>[1] & { target: never }): SQL => {
  const meant = (column: SQL): SQL =>
    sql`IN (SELECT ${column} FROM (${recordsMeant(scope, input, input.target)}))`;
  return recordsOfPallets(scope, meant(sql`"wmsId"`), meant(sql`"recordUuid"`));
};

/** `markLoading` with an undo. */
export const markForUndo = undoable('markForUndo', 'load', markLoading, (scope, input) => ({
  records: ofTarget(scope, input as never),
}));

/** `removeInvalidLoading` with an undo. */
export const removeForUndo = undoable('removeForUndo', 'remove', removeInvalidLoading, (scope, input) => ({
  records: ofTarget(scope, input as never),
}));

/** `detachTrack` with an undo. */
export const detachTrackForUndo = undoable(
  'detachTrackForUndo',
  'detach',
  detachTrack,
  (scope, { trackIdentifier }: InputOf<typeof detachTrack>) => ({
    records: recordsOfPallets(scope, inList([trackIdentifier]), inList([])),
  }),
);

/** `detachManifests` for one manifest, with an undo. */
export const detachManifestForUndo = undoable(
  'detachManifestForUndo',
  'detach',
  detachManifests,
  (scope, { manifests: [named] }: InputOf<typeof detachManifests>) => {
    const manifestUuid = named?.manifestUuid ?? '';
    return { records: markedRecords(scope, manifestUuid), manifestUuid };
  },
);

/** Undo the command that had this idempotency key, exactly. It is refused if anything was changed since. */
export const undo = command('undo', {
  ask: ({ scope }, { key }: { key: string }) => ({ answers: answerQuery(scope, key) }),
  askMore: ({ scope }, _, { answers }) => {
    const kept = keptIn(answers) ?? undefined;
    const looked = kept && lookedAt(kept);
    return {
      present: looked && sql<{ view: string }>`SELECT ${presentView(scope, looked)} AS view`,
      records:
        looked && recordsQuery(scope, recordsOfPallets(scope, inList(looked.wmsIds), inList(looked.uuids))),
      alerts: kept && resolvedThenQuery(scope, kept.alerts, kept.date),
      tracks:
        kept &&
        retiredThenQuery(
          scope,
          kept.retired.map(({ uuid }) => uuid),
          kept.date,
        ),
      shipments: kept?.member ? shipmentStateQuery(scope, kept.member.shipmentUuid) : undefined,
      manifests: kept?.member ? manifestStateQuery(scope, kept.member.manifestUuid) : undefined,
    };
  },
  decide(context, _, { answers, present: [present], records, alerts, tracks, shipments, manifests }) {
    const kept = keptIn(answers);
    if (!kept || !present || !isUntouched(kept, parseJson<Present>(present.view)))
      return refuseChangedSince();
    const parts = [
      restoredTracksChange(context, tracks),
      ...(kept.member ? restoredMemberChanges(context, kept.member, shipments[0], manifests[0]) : []),
      restoredRecordsChange(context, kept, new Map(records.map((row) => [row.recordUuid, row]))),
      restoredAlertsChange(context, kept, alerts),
    ];
    return mergeChanges({ value: {} }, gateEventChanges(context, parts));
  },
});

/** The rows in the stored answer, if it is an answer of a command that can be undone. */
function keptIn([answer]: readonly { body: string | null }[]): Kept | null {
  const body: unknown = answer?.body ? JSON.parse(answer.body) : null;
  return body !== null && typeof body === 'object' && 'undo' in body ? (body as Undoable).undo : null;
}
