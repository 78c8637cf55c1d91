import type { Write } from '../../core/lib/scope.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { Change, ChangePart, Context } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { assignedTo, type GateReference, gateChange } from '../gate/rules.ts';
import { loadingEntity } from '../manifest/asset-store.ts';
import { assetLoading } from '../manifest/asset-table.ts';
import { insertActivities } from '../track/activity-store.ts';
import { auditedRecord, removedRecords, touchParents } from './changes.ts';
import type { Decision, GateView, InvalidRecord, StatusChange } from './gate-view-rules.ts';
import { reusedId } from './scan-id-rules.ts';
import { activitiesOf, damageEntries, seeTracks } from './seen-changes.ts';
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
  const manifests = [...changed, ...added].map(({ record }) => record.manifestUuid);
  manifests.push(...removed.map(({ manifestUuid }) => manifestUuid));
  const deleted = removedRecords(context, removed);
  const named = ({ record, decision: { pallet } }: Changed | Added) => ({
    uuid: record.recordUuid,
    externalIdentifier: pallet?.wmsId ?? null,
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
      ...insertActivities(
        context,
        decisions.flatMap((decision) => activitiesOf(gate, decision)),
      ),
      ...seeTracks(context, gate, decisions),
      ...(manifests.length === 0 ? [] : touchParents(context, manifests)),
      ...storeScans(context, gate, usedIds, decisions),
    ],
    audit: [
      scansEntry(gate, decisions),
      ...changed.map((change) => changedEntry(gate, change)),
      ...added.map((one) => addedEntry(gate, one)),
      ...deleted.audit,
      ...decisions.flatMap(damageEntries),
    ],
    events: [
      ...emit(context, 'ASSET_LOADING_STATUS_CHANGED', loadingEntity, changed.map(named)),
      ...emitAdded(added.filter(remains)),
    ],
  };
}

/** A record that a scan changes, and the decision on that scan. */
type Changed = StatusChange & { decision: Decision };
/** An invalid record that a scan adds, and the decision on that scan. */
interface Added {
  record: InvalidRecord;
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
    added.map(({ record, decision: { pallet, scan: read } }) => ({
      uuid: record.recordUuid,
      manifestUuid: record.manifestUuid,
      wmsId: pallet?.wmsId ?? null,
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
    decisions.map(({ scan: { camera: _, ...read }, result }) => {
      const { scanId, outcome, ...records } = result;
      const isLater = outcome === 'NOT_LOADED' || outcome === 'SUPERSEDED';
      const row = {
        ...read,
        ...records,
        scanId: used.has(scanId) ? reusedId(read) : scanId,
        outcome: isLater ? ('NO_ACTIVE_MANIFEST' as const) : outcome,
        result: isLater ? outcome : null,
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
  const scans = decisions.map(({ scan: { scanId, markerCode, direction }, result: { outcome } }) => ({
    scanId,
    markerCode,
    direction,
    outcome,
  }));
  return auditedGate('SCANS_RECORDED', gate, [{ field: 'scans', oldValue: null, newValue: scans }]);
}

const changedEntry = (gate: GateReference, { record, to, decision }: Changed): AuditEntries[number] =>
  auditedRecord('ASSET_LOADING_STATUS_CHANGED', { uuid: record.recordUuid, wmsId: decision.pallet!.wmsId }, [
    { field: 'loadingStatus', oldValue: record.loadingStatus, newValue: to },
    gateChange(record, assignedTo(gate)),
    { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
  ]);

const addedEntry = (gate: GateReference, { record, decision: { pallet } }: Added): AuditEntries[number] =>
  auditedRecord('UNAUTHORIZED_LOADING_ADDED', { uuid: record.recordUuid, wmsId: pallet?.wmsId ?? null }, [
    { field: 'loadingStatus', oldValue: null, newValue: record.loadingStatus },
    { field: 'markerCode', oldValue: null, newValue: record.markerCode },
    gateChange(assignedTo(null), assignedTo(gate)),
    { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
  ]);
