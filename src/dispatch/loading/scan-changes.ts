import { type SQL, sql } from 'drizzle-orm';
import type { Write } from '../../core/lib/scope.ts';
import { rowsTable } from '../../core/lib/sql.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { Change, ChangePart, Context } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { assignedTo, gateChange } from '../gate/rules.ts';
import type { FoundGate } from '../gate/store.ts';
import { loadingEntity } from '../manifest/asset-store.ts';
import { assetLoading } from '../manifest/asset-table.ts';
import { type GateActivity, insertActivities } from '../track/activity-store.ts';
import { auditedTrack } from '../track/changes.ts';
import { trackStatus } from '../track/rules.ts';
import { track } from '../track/table.ts';
import { auditedRecord, touchParents } from './changes.ts';
import type { Decision, NewInvalidRecord, StatusChange } from './gate-view-rules.ts';
import { scan } from './table.ts';

type AuditEntries = Change['audit'];

/**
 * The writes, audit entries and events of decisions on scans, without alerts. At least one decision
 * is required.
 */
export function recordedScans(context: Context, gate: FoundGate, decisions: readonly Decision[]): ChangePart {
  const changed = decisions.flatMap((decision) =>
    decision.changed.map((change) => ({ ...change, decision })),
  );
  const added = decisions.flatMap((decision) =>
    decision.added ? [{ record: decision.added, decision }] : [],
  );
  const manifests = [
    ...changed.map(({ record }) => record.manifestUuid),
    ...added.map(({ record }) => record.manifest.manifestUuid),
  ];
  const named = ({ record, decision: { pallet } }: Changed | Added) => ({
    uuid: record.recordUuid,
    externalIdentifier: pallet?.wmsId ?? null,
  });
  return {
    writes: [
      ...changeRecords(context, gate, changed),
      ...addRecords(context, gate, added),
      ...insertActivities(
        context,
        decisions.flatMap((decision) => activitiesOf(gate, decision)),
      ),
      ...seeTracks(context, gate, decisions),
      ...(manifests.length === 0 ? [] : touchParents(context, manifests)),
      ...storeScans(context, gate, decisions),
    ],
    audit: [
      scansEntry(gate, decisions),
      ...changed.map((change) => changedEntry(gate, change)),
      ...added.map((one) => addedEntry(gate, one)),
      ...decisions.flatMap(damageEntries),
    ],
    events: [
      ...emit(context, 'ASSET_LOADING_STATUS_CHANGED', loadingEntity, changed.map(named)),
      ...emit(context, 'UNAUTHORIZED_LOADING_ADDED', loadingEntity, added.map(named)),
    ],
  };
}

/** A record that a scan changes, and the decision on that scan. */
type Changed = StatusChange & { decision: Decision };
/** An invalid record that a scan adds, and the decision on that scan. */
interface Added {
  record: NewInvalidRecord;
  decision: Decision;
}

/** Update the changed records. If a record changes more than once, the last change counts. */
function changeRecords({ scope, now }: Context, gate: FoundGate, changed: readonly Changed[]): Write[] {
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

function addRecords({ scope, now }: Context, gate: FoundGate, added: readonly Added[]): Write[] {
  return scope.insert(
    assetLoading,
    added.map(({ record, decision: { pallet, scan: read } }) => ({
      uuid: record.recordUuid,
      manifestUuid: record.manifest.manifestUuid,
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

/** The timeline entries of a scan of a known pallet. */
function activitiesOf(
  gate: FoundGate,
  { scan: read, result, pallet, changed, damages }: Decision,
): GateActivity[] {
  if (!pallet) return [];
  const base = { trackUuid: pallet.trackUuid, gateUuid: gate.uuid, activityDate: read.scanDate };
  const seen: GateActivity = {
    ...base,
    activityType: 'SEEN',
    manifestExternalId: result.manifestExternalId,
    shipmentExternalId: null,
    details: result.outcome,
  };
  const moved = changed.map(
    ({ record: { manifestExternalId, shipmentExternalId }, to }): GateActivity => ({
      ...base,
      activityType: to,
      manifestExternalId,
      shipmentExternalId,
      details: null,
    }),
  );
  const flagged: GateActivity = {
    ...base,
    activityType: 'FLAGGED',
    manifestExternalId: null,
    shipmentExternalId: null,
    details: 'damaged, as a camera saw it',
  };
  return [...(moved.length === 0 ? [seen] : moved), ...(damages ? [flagged] : [])];
}

/**
 * Update when and where tracks were last seen. A scan that is reported late does not move the date
 * back.
 */
function seeTracks({ scope, now }: Context, gate: FoundGate, decisions: readonly Decision[]): Write[] {
  const latest = new Map<string, number>();
  for (const { pallet, scan: read } of decisions) {
    if (!pallet) continue;
    latest.set(pallet.trackUuid, Math.max(read.scanDate, latest.get(pallet.trackUuid) ?? read.scanDate));
  }
  if (latest.size === 0) return [];
  const damaged = decisions.flatMap(({ damages, pallet }) => (damages ? [pallet!.trackUuid] : []));
  const seen = JSON.stringify([...latest].map(([uuid, date]) => [uuid, date, gate.uuid]));
  const lately: SQL = sql`coalesce(track.last_seen_date, 0) <= each.value ->> 1`;
  return [
    sql`UPDATE track SET update_date = ${now},
        last_gate_uuid = CASE WHEN ${lately} THEN each.value ->> 2 ELSE track.last_gate_uuid END,
        last_seen_date = CASE WHEN ${lately} THEN each.value ->> 1 ELSE track.last_seen_date END
      FROM ${rowsTable(seen)} each
      WHERE track.uuid = each.value ->> 0 AND +track.organization_uuid = ${scope.organization}`,
    ...(damaged.length === 0 ? [] : [scope.update(track, { flagged: 1, damaged: 1 }, { uuids: damaged })]),
  ];
}

/** Store the scans with their results. */
function storeScans({ scope, now }: Context, gate: FoundGate, decisions: readonly Decision[]): Write[] {
  return scope.insert(
    scan,
    decisions.map(({ scan: read, result: { scanId: _, ...result } }) => ({
      ...read,
      ...result,
      damaged: Number(read.damaged),
      gateUuid: gate.uuid,
      createDate: now,
    })),
  );
}

const auditedGate = auditing<FoundGate>('GATE', ({ externalIdentifier }) => externalIdentifier);

/** The audit entry for all scans of a commit. */
function scansEntry(gate: FoundGate, decisions: readonly Decision[]): AuditEntries[number] {
  const scans = decisions.map(({ scan: { scanId, markerCode, direction }, result: { outcome } }) => ({
    scanId,
    markerCode,
    direction,
    outcome,
  }));
  return auditedGate('SCANS_RECORDED', gate, [{ field: 'scans', oldValue: null, newValue: scans }]);
}

const changedEntry = (gate: FoundGate, { record, to, decision }: Changed): AuditEntries[number] =>
  auditedRecord('ASSET_LOADING_STATUS_CHANGED', { uuid: record.recordUuid, wmsId: decision.pallet!.wmsId }, [
    { field: 'loadingStatus', oldValue: record.loadingStatus, newValue: to },
    gateChange(record, assignedTo(gate)),
    { field: 'manifest', oldValue: null, newValue: record.manifestExternalId },
  ]);

const addedEntry = (gate: FoundGate, { record, decision: { pallet } }: Added): AuditEntries[number] =>
  auditedRecord('UNAUTHORIZED_LOADING_ADDED', { uuid: record.recordUuid, wmsId: pallet?.wmsId ?? null }, [
    { field: 'loadingStatus', oldValue: null, newValue: record.loadingStatus },
    { field: 'markerCode', oldValue: null, newValue: record.markerCode },
    gateChange(assignedTo(null), assignedTo(gate)),
    { field: 'manifest', oldValue: null, newValue: record.manifest.manifestExternalId },
  ]);

/** The audit entry for a pallet that a scan newly flags as damaged. */
function damageEntries({ damages, pallet }: Decision): AuditEntries {
  if (!damages) return [];
  const { trackUuid: uuid, wmsId, damaged } = pallet!;
  return [
    auditedTrack('TRACK_FLAGGED', { uuid, wmsId }, [
      {
        field: 'trackStatus',
        oldValue: trackStatus(pallet!),
        newValue: trackStatus({ ...pallet!, flagged: 1 }),
      },
      { field: 'damaged', oldValue: damaged === 1, newValue: true },
    ]),
  ];
}
