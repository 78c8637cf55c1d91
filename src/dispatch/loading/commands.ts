import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import { missing, missingIn, named } from '../../core/lib/missing.ts';
import { type Refusal, type RefusalFacts, refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import {
  type Change,
  type ChangePart,
  type Context,
  command,
  isRefusal,
  mergeChanges,
} from '../../core/writer/command.ts';
import type { Entries } from '../../core/writer/log.ts';
import { emit } from '../../log/event/store.ts';
import { readAgainChange, resolvedAlertsChange } from '../alert/changes.ts';
import { accountsFor } from '../alert/rules.ts';
import { type AlertPallet, aboardQuery, openAboutRecords, openAlertsQuery } from '../alert/store.ts';
import { type AssignedGate, assignedTo, gateChange } from '../gate/rules.ts';
import { gateQuery } from '../gate/store.ts';
import { refuseClosedManifest, refuseMember } from '../load/manifest/changes.ts';
import {
  type AnsweredManifest,
  type LocatedManifest,
  manifestAnswer,
  manifestStateQuery,
  manifestUuidOf,
} from '../load/manifest/store.ts';
import { settledShortQuery } from '../load/shared/alert-changes.ts';
import { loadingEntity, placedOf, whereQuery } from '../load/shared/asset-store.ts';
import {
  afterCloseField,
  auditedRecord,
  boardedPalletsChange,
  removedRecordsChange,
  touchParents,
} from '../load/shared/place-changes.ts';
import { type BoardingEffect, boardingEffect, type PlacedRecord } from '../load/shared/place-rules.ts';
import { isLoadOpen } from '../load/shared/status-rules.ts';
import { assetLoading, isInvalid } from '../load/shared/table.ts';
import { refuseClosedShipment, shipmentAnswer } from '../load/shipment/changes.ts';
import {
  type ShipmentState,
  type StoredShipment,
  shipmentStateQuery,
  shipmentUuidOf,
} from '../load/shipment/store.ts';
import { codeDetails, noteDetails } from '../track/rules.ts';
import { track } from '../track/table.ts';
import { entryPallet, type GateActivity, gateEntries } from '../track/timeline-store.ts';
import type { SETTABLE_STATUSES } from './schema.ts';
import { markedView, type StoredMarked, type Target, type TargetRecord, targetsQuery } from './store.ts';

/** A load: a shipment, or a manifest that is in no shipment. */
export type LoadIdentifier = { shipmentIdentifier: string } | { manifestIdentifier: string };

/** A load as commands find it. */
interface FoundLoad extends AssignedGate {
  /** The uuid of the shipment or manifest. */
  loadUuid: string;
  /** The shipment that timelines name; null for a manifest without shipment. */
  shipmentExternalId: string | null;
  isOpen: boolean;
  /** The refusal if the records belong to another load; undefined if they can be corrected here. */
  elsewhere: Refusal | undefined;
  /** The refusal if the load was cancelled, so that no record can be marked; otherwise undefined. */
  closed: Refusal | undefined;
  /** The answer: the load after all writes. */
  answer: SQL<AnsweredManifest | StoredShipment>;
}

/** Read the load, the records that the target selects in it, and the gate. */
const askLoadRecords = (
  scope: Scope,
  load: LoadIdentifier,
  target: Target,
  gateIdentifier: string | null,
) => ({
  manifests: 'manifestIdentifier' in load ? manifestStateQuery(scope, load.manifestIdentifier) : undefined,
  shipments: 'shipmentIdentifier' in load ? shipmentStateQuery(scope, load.shipmentIdentifier) : undefined,
  records: recordsMeant(scope, load, target),
  gates: gateIdentifier === null ? undefined : gateQuery(scope, gateIdentifier),
});

/** The records that the target selects in a load. */
export const recordsMeant = (scope: Scope, load: LoadIdentifier, target: Target): SQL<TargetRecord> =>
  targetsQuery(
    scope,
    target,
    'manifestIdentifier' in load
      ? { manifestUuid: manifestUuidOf(scope, load.manifestIdentifier) }
      : { shipmentUuid: shipmentUuidOf(scope, load.shipmentIdentifier) },
  );

/** The load from these rows, or a refusal if it does not exist. */
const foundLoad = (
  context: Context,
  load: LoadIdentifier,
  { manifests, shipments }: RowsOf<ReturnType<typeof askLoadRecords>>,
): Refusal | FoundLoad =>
  'manifestIdentifier' in load
    ? asManifest(context, manifests[0], load.manifestIdentifier)
    : asShipment(context, shipments[0], load.shipmentIdentifier);

function asShipment(
  context: Context,
  state: ShipmentState | undefined,
  identifier: string,
): Refusal | FoundLoad {
  if (!state) return missing('shipmentNotFound', identifier);
  return {
    loadUuid: state.uuid,
    gateUuid: state.gateUuid,
    gateExternalId: state.gateExternalId,
    shipmentExternalId: state.externalIdentifier,
    isOpen: isLoadOpen(state.status),
    elsewhere: undefined,
    closed: state.status === 'CANCELLED' ? refuseClosedShipment(state) : undefined,
    answer: shipmentAnswer(context, state.uuid),
  };
}

function asManifest(
  { scope }: Context,
  state: LocatedManifest | undefined,
  identifier: string,
): Refusal | FoundLoad {
  if (!state) return missing('manifestNotFound', identifier);
  return {
    loadUuid: state.uuid,
    gateUuid: state.gateUuid,
    gateExternalId: state.gateExternalId,
    shipmentExternalId: null,
    isOpen: isLoadOpen(state.manifestStatus),
    elsewhere: state.shipmentUuid === null ? undefined : refuseMember(state),
    closed: state.manifestStatus === 'CANCELLED' ? refuseClosedManifest(state) : undefined,
    answer: manifestAnswer(scope, state.uuid),
  };
}

type SettableStatus = (typeof SETTABLE_STATUSES)[number];

/**
 * Set the loading status of records of a load. The target is a record uuid, a WMS id or a marker. Records of a cancelled
 * manifest of a shipment stay as they are.
 */
export const markLoading = command('markLoading', {
  ask: ({ scope }, input: Marking) => ({
    ...askLoadRecords(scope, input, input.target, input.gateIdentifier),
    alerts: input.status === 'LOADED' ? settledByMarking(scope, input) : undefined,
    where:
      input.status === 'LOADED'
        ? whereQuery(scope, sql`IN (SELECT "wmsId" FROM (${recordsMeant(scope, input, input.target)}))`)
        : undefined,
    aboard: input.status === 'NOT_LOADED' ? undefined : aboardByHand(scope, input),
  }),
  decide(context, input, rows) {
    const { status, gateIdentifier } = input;
    if (gateIdentifier === null && status !== 'LOADED') {
      return refusal(
        'gateRequired',
        `${namedTarget(input.target)} of ${namedLoad(input)} cannot become ${status} without a gate. Name the gate.`,
        { facts: { ...meantBy(input), status } },
      );
    }
    const state = foundLoad(context, input, rows);
    if (isRefusal(state)) return state;
    const {
      records,
      gates: [gate],
    } = rows;
    if (gateIdentifier !== null && !gate) return missingIn('gateExternalId', 'gateNotFound', gateIdentifier);
    const refused = state.elsewhere ?? state.closed;
    if (refused) return refused;
    if (records.length === 0) return noRecord(input);
    const expected = records.filter((record) => !isInvalid(record));
    // A cancelled member of a shipment is not part of it.
    const assets = expected.filter(({ manifestStatus }) => manifestStatus !== 'CANCELLED');
    if (assets.length === 0) {
      const [cancelled] = expected;
      if (cancelled)
        return refuseClosedManifest({ ...cancelled, externalIdentifier: cancelled.manifestExternalId });
      return refusal(
        'invalidLoadingRecord',
        `${namedTarget(input.target)} does not belong to ${namedLoad(input)}, so it cannot become ${status}. Delete its loading record.`,
        { facts: { ...meantBy(input), to: status } },
      );
    }
    const assigned = gate ? assignedTo(gate) : state;
    const changed = assets.filter(({ loadingStatus }) => loadingStatus !== status);
    const unchanged = assets.filter((record) => !changed.includes(record));
    const answer = sql<StoredMarked>`SELECT ${markedView(context.scope, { changed, unchanged })}`;
    if (changed.length === 0) return { writes: [], audit: [], answer };
    const { writes, entries } = mark(context, state, changed, {
      status,
      gateUuid: assigned.gateUuid,
      comment: input.comment,
    });
    const marked: ChangePart = {
      writes: [...writes, ...touchParents(context, manifestsOf(changed))],
      entries,
      audit: changed.map((record) =>
        auditedRecord('ASSET_LOADING_STATUS_CHANGED', { uuid: record.recordUuid, wmsId: record.wmsId }, [
          { field: 'loadingStatus', oldValue: record.loadingStatus, newValue: status },
          gateChange(record, assigned),
          { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
          ...(input.comment === null ? [] : [{ field: 'comment', oldValue: null, newValue: input.comment }]),
          ...afterCloseField(isAfterClose(state, record)),
        ]),
      ),
      events: emit(context, 'ASSET_LOADING_STATUS_CHANGED', loadingEntity, changed.map(entityOf)),
    };
    const reading = { direction: status === 'LOADED' ? 'LOAD' : 'UNLOAD', outcome: status } as const;
    return mergeChanges(answer, [
      marked,
      boardedPalletsChange(context, boardedByMark(changed, placedOf(rows.where), state.loadUuid)),
      resolvedAlertsChange(context, rows.alerts),
      readAgainChange(
        context,
        rows.aboard.filter(({ alertType }) => accountsFor(alertType, reading)),
      ),
    ]);
  },
});

/** The effect of a mark on other records. Only a load in progress says where a pallet is now. */
function boardedByMark(
  marked: readonly TargetRecord[],
  where: readonly PlacedRecord[],
  loadUuid: string,
): BoardingEffect {
  const isInProgress = marked.some(({ manifestStatus }) => manifestStatus === 'IN_PROGRESS');
  return isInProgress ? boardingEffect(where, loadUuid) : { unloaded: [], cleared: [], settled: [] };
}

/** The alert about missing pallets of a completed load, if only pallets of this target are missing. */
const settledByMarking = (scope: Scope, input: Marking): SQL<{ uuid: string }> =>
  settledShortQuery(
    scope,
    'manifestIdentifier' in input
      ? manifestUuidOf(scope, input.manifestIdentifier)
      : shipmentUuidOf(scope, input.shipmentIdentifier),
    sql`a.uuid IN (SELECT "recordUuid" FROM (${recordsMeant(scope, input, input.target)}))`,
  );

/** The pallets of this target that open alerts cover. A mark or a removal by hand accounts for them as a scan does. */
function aboardByHand(scope: Scope, input: LoadIdentifier & { target: Target }): SQL<AlertPallet> {
  const meant = (column: SQL): SQL =>
    sql`IN (SELECT ${column} FROM (${recordsMeant(scope, input, input.target)}))`;
  return aboardQuery(scope, meant(sql`"wmsId"`), meant(sql`"markerCode"`));
}

type Marking = LoadIdentifier & {
  target: Target;
  status: SettableStatus;
  gateIdentifier: string | null;
  comment: string | null;
};

/** The entries in the timelines of pallets whose records a person changes. */
const entriesByHand = (
  context: Context,
  { shipmentExternalId }: FoundLoad,
  records: readonly TargetRecord[],
  entry: Pick<GateActivity, 'activityType' | 'gateUuid' | 'details'>,
): Entries[] =>
  gateEntries(
    context,
    records.flatMap((record) =>
      entryPallet(record).map((pallet) => ({
        ...entry,
        pallet,
        manifestExternalId: record.manifestExternalId,
        shipmentExternalId,
        activityDate: context.now,
      })),
    ),
  );

/** The new status of records, and the entries in the timelines of their pallets. */
function mark(
  context: Context,
  load: FoundLoad,
  changed: readonly TargetRecord[],
  { status, gateUuid, comment }: { status: SettableStatus; gateUuid: string | null; comment: string | null },
): Required<Pick<Change, 'writes' | 'entries'>> {
  const { scope, now } = context;
  const set = {
    loadingStatus: status,
    gateUuid,
    updateDate: now,
    ...(status === 'UNLOADED' ? {} : { loadingDate: status === 'LOADED' ? now : null }),
  };
  return {
    writes: [
      scope.update(assetLoading, set, { uuids: uuidsOf(changed) }),
      scope.update(
        track,
        { updateDate: now },
        { uuids: changed.flatMap(({ trackUuid }) => trackUuid ?? []) },
      ),
    ],
    entries: entriesByHand(context, load, changed, {
      activityType: status,
      gateUuid,
      details: noteDetails(comment),
    }),
  };
}

/** Delete invalid loading records of a load. The target is a record uuid, a WMS id or a marker. */
export const removeInvalidLoading = command('removeInvalidLoading', {
  ask: ({ scope }, input: LoadIdentifier & { target: Target }) => ({
    ...askLoadRecords(scope, input, input.target, null),
    alerts: openAlertsQuery(
      scope,
      openAboutRecords(sql`IN (SELECT "recordUuid" FROM (${recordsMeant(scope, input, input.target)})
        WHERE "loadingStatus" IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING'))`),
    ),
    aboard: aboardByHand(scope, input),
  }),
  decide(context, input, rows) {
    const state = foundLoad(context, input, rows);
    if (isRefusal(state)) return state;
    const { records, alerts, aboard } = rows;
    if (state.elsewhere) return state.elsewhere;
    if (records.length === 0) return noRecord(input);
    const removed = records.filter(isInvalid);
    if (removed.length === 0) {
      return refusal(
        'recordNotInvalidLoading',
        `${namedTarget(input.target)} belongs to ${namedLoad(input)}. Only loading records of wrong pallets can be deleted.`,
        { facts: meantBy(input) },
      );
    }
    return mergeChanges(state.answer, [
      removedRecordsChange(
        context,
        removed.map((record) => ({ ...record, afterClose: isAfterClose(state, record) })),
      ),
      {
        writes: touchParents(context, manifestsOf(removed)),
        audit: [],
        entries: entriesByHand(context, state, removed, {
          activityType: 'DETACHED',
          gateUuid: null,
          details: codeDetails('deletedByHand'),
        }),
      },
      resolvedAlertsChange(context, alerts),
      readAgainChange(
        context,
        aboard.filter(({ alertType }) =>
          accountsFor(alertType, { direction: 'UNLOAD', outcome: 'UNLOADED' }),
        ),
      ),
    ]);
  },
});

/** The name of a target in messages. */
function namedTarget(target: Target): string {
  if (target.by === 'record') return named('Loading record', target.recordUuid);
  if (target.by === 'track') return named('Pallet', target.trackIdentifier);
  return named('Marker', target.markerValue ?? String(target.markerCode));
}

/** The subject of a refusal about a target. */
const meantBy = ({ target, ...load }: LoadIdentifier & { target: Target }): RefusalFacts => ({
  ...(target.by === 'record'
    ? {}
    : {
        name:
          target.by === 'track' ? target.trackIdentifier : (target.markerValue ?? String(target.markerCode)),
      }),
  other: 'manifestIdentifier' in load ? load.manifestIdentifier : load.shipmentIdentifier,
});

function noRecord(input: LoadIdentifier & { target: Target }): Refusal {
  return refusal('assetLoadingNotFound', `${namedTarget(input.target)} is not on ${namedLoad(input)}.`, {
    facts: meantBy(input),
  });
}

const namedLoad = (load: LoadIdentifier): string =>
  'manifestIdentifier' in load
    ? named('manifest', load.manifestIdentifier)
    : named('shipment', load.shipmentIdentifier);

const uuidsOf = (records: readonly TargetRecord[]): string[] => records.map(({ recordUuid }) => recordUuid);

const entityOf = ({ recordUuid, wmsId }: TargetRecord) => ({ uuid: recordUuid, externalIdentifier: wmsId });

const manifestsOf = (records: readonly TargetRecord[]): string[] =>
  records.map(({ manifestUuid }) => manifestUuid);

/** Whether the load or the manifest of a record is closed. */
const isAfterClose = (state: FoundLoad, { manifestStatus }: TargetRecord): boolean =>
  !(state.isOpen && isLoadOpen(manifestStatus));
