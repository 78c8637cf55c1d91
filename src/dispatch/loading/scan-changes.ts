import type { Write } from '../../core/lib/scope.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { Change, ChangePart, Context } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { assignedTo, type GateReference, gateChange } from '../gate/rules.ts';
import { loadingEntity } from '../load/shared/asset-store.ts';
import { assetLoading } from '../load/shared/asset-table.ts';
import {
  afterCloseField,
  auditedRecord,
  boardedPallets,
  removedPlaced,
  touchParents,
} from '../load/shared/place-changes.ts';
import { allBoarding, type PlacedRecord } from '../load/shared/place-rules.ts';
import { gateEntries } from '../track/activity-store.ts';
import type { Decision, GateView, StatusChange } from './gate-view-rules.ts';
import { reusedId } from './scan-id-rules.ts';
import { activitiesOf, damageEntries, seeTracks, seeUnmarked } from './seen-changes.ts';
import { scan } from './table.ts';

type AuditEntries = Change['audit'];

/**
 * The writes, audit entries and events of decisions on scans, without alerts. At least one decision
 * is required.
 */
export function recordedScans(
  context: Context,
  { gate, usedIds }: GateView,
  decisions: readonly Decision[],
): ChangePart {
  const changed = decisions.flatMap((decision) =>
    decision.changed.map((change) => ({ ...change, decision })),
  );
  const added = decisions.flatMap((decision) =>
    decision.added ? [{ record: decision.added, decision }] : [],
  );
  const removed = decisions.flatMap((decision) => decision.removed);
  const gone = new Set(removed.map(({ recordUuid }) => recordUuid));
  const remains = ({ record }: Added) => !gone.has(record.recordUuid);
  const manifests = [
    ...[...changed, ...added].map(({ record }) => record.manifestUuid),
    ...removed.map(({ manifestUuid }) => manifestUuid),
  ];
  const deleted = removedPlaced(context, removed);
  const boarding = boardedPallets(context, allBoarding(decisions.map((decision) => decision.boarding)));
  const named = ({ record: { recordUuid, wmsId } }: Changed | Added) => ({
    uuid: recordUuid,
    externalIdentifier: wmsId,
  });
  const emitAdded = (records: readonly Added[]) =>
    emit(context, 'UNAUTHORIZED_LOADING_ADDED', loadingEntity, records.map(named));
  return {
    writes: [
      ...changeRecords(context, gate, changed),
      ...addRecords(context, gate, added),
      // Records that a later scan of this commit removes.
      ...emitAdded(added.filter((one) => !remains(one))),
      ...deleted.writes,
      ...boarding.writes,
      ...seeTracks(context, gate, decisions),
      ...seeUnmarked(context, decisions),
      ...(manifests.length === 0 ? [] : touchParents(context, manifests)),
      ...storeScans(context, gate, usedIds, decisions),
    ],
    entries: [
      ...(deleted.entries ?? []),
      ...(boarding.entries ?? []),
      ...gateEntries(
        context,
        decisions.flatMap((decision) => activitiesOf(gate, decision)),
      ),
    ],
    audit: [
      scansEntry(gate, decisions),
      ...changed.map((change) => changedEntry(gate, change)),
      ...added.map((one) => addedEntry(gate, one)),
      ...deleted.audit,
      ...boarding.audit,
      ...decisions.flatMap(damageEntries),
    ],
    events: [
      ...emit(context, 'ASSET_LOADING_STATUS_CHANGED', loadingEntity, changed.map(named)),
      ...emitAdded(added.filter(remains)),
      ...(boarding.events ?? []),
    ],
  };
}

/** A record that a scan changes, and the decision on that scan. */
type Changed = StatusChange & { decision: Decision };
/** An invalid record that a scan adds, and the decision on that scan. */
interface Added {
  record: PlacedRecord;
  decision: Decision;
}

/** Update the changed records. If a record changes more than once, the last change counts. */
function changeRecords({ scope, now }: Context, gate: GateReference, changed: readonly Changed[]): Write[] {
  const last = new Map(changed.map((change) => [change.record.recordUuid, change]));
  const loadedDates = new Map(
    changed
      .filter(({ to }) => to === 'LOADED')
      .map(({ record, decision }) => [record.recordUuid, decision.scan.scanDate]),
  );
  const rowsOf = (loaded: boolean) =>
    [...last.values()]
      .filter(({ record }) => loadedDates.has(record.recordUuid) === loaded)
      .map(({ record: { recordUuid }, to }) => ({
        uuid: recordUuid,
        loadingStatus: to,
        gateUuid: gate.uuid,
        updateDate: now,
        ...(loaded ? { loadingDate: loadedDates.get(recordUuid)! } : {}),
      }));
  return [true, false].flatMap((loaded) => scope.updateEach(assetLoading, rowsOf(loaded)));
}

function addRecords({ scope, now }: Context, gate: GateReference, added: readonly Added[]): Write[] {
  return scope.insert(
    assetLoading,
    added.map(({ record, decision: { scan: read } }) => ({
      uuid: record.recordUuid,
      manifestUuid: record.manifestUuid,
      wmsId: record.wmsId,
      markerCode: record.markerCode,
      loadingStatus: record.loadingStatus,
      trackUuid: record.trackUuid,
      gateUuid: gate.uuid,
      loadingDate: read.scanDate,
      createDate: now,
      updateDate: now,
    })),
  );
}

/** Store the scans with their results. Only the first scan with a scanId is stored under it. */
function storeScans(
  { scope, now }: Context,
  gate: GateReference,
  usedIds: ReadonlySet<string>,
  decisions: readonly Decision[],
): Write[] {
  const used = new Set(usedIds);
  return scope.insert(
    scan,
    decisions.map(({ scan: { camera: _, wmsId: __, isReplaced: ___, ...read }, result }) => {
      const { scanId, ...records } = result;
      const row = {
        ...read,
        ...records,
        scanId: used.has(scanId) ? reusedId(read) : scanId,
        damaged: Number(read.damaged),
        gateUuid: gate.uuid,
        createDate: now,
      };
      used.add(scanId);
      return row;
    }),
  );
}

const auditedGate = auditing<GateReference>('GATE', ({ externalIdentifier }) => externalIdentifier);

/** The audit entry for all scans of a commit. */
function scansEntry(gate: GateReference, decisions: readonly Decision[]): AuditEntries[number] {
  const scans = decisions.map(
    ({ scan: { scanId, markerCode, identifier, direction }, result: { outcome } }) => ({
      scanId,
      ...(markerCode === null ? { identifier } : { markerCode }),
      direction,
      outcome,
    }),
  );
  return auditedGate('SCANS_RECORDED', gate, [{ field: 'scans', oldValue: null, newValue: scans }]);
}

const changedEntry = (gate: GateReference, { record, to, decision }: Changed): AuditEntries[number] =>
  auditedRecord('ASSET_LOADING_STATUS_CHANGED', { uuid: record.recordUuid, wmsId: decision.pallet!.wmsId }, [
    { field: 'loadingStatus', oldValue: record.loadingStatus, newValue: to },
    gateChange(record, assignedTo(gate)),
    { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
    ...afterCloseField(record.manifestStatus === 'CANCELLED'),
  ]);

const addedEntry = (gate: GateReference, { record }: Added): AuditEntries[number] =>
  auditedRecord('UNAUTHORIZED_LOADING_ADDED', { uuid: record.recordUuid, wmsId: record.wmsId }, [
    { field: 'loadingStatus', oldValue: null, newValue: record.loadingStatus },
    { field: 'markerCode', oldValue: null, newValue: record.markerCode },
    gateChange(assignedTo(null), assignedTo(gate)),
    { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
  ]);
