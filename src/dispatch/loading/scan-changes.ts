import { type SQL, sql } from 'drizzle-orm';
import { largest } from '../../core/lib/extremes.ts';
import type { Write } from '../../core/lib/scope.ts';
import { rowsTable } from '../../core/lib/sql.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { AuditEntry } from '../../core/writer/chain.ts';
import type { Change, ChangePart, Context } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { countedReadingsChange, coveredPalletsChange, readAgainChange } from '../alert/changes.ts';
import { accountsFor, isSame } from '../alert/rules.ts';
import type { AlertAtGate, AlertPallet } from '../alert/store.ts';
import { assignedTo, type GateReference, gateChange } from '../gate/rules.ts';
import { loadingEntity } from '../load/shared/asset-store.ts';
import {
  afterCloseField,
  auditedRecord,
  boardedPalletsChange,
  removedPlacesChange,
  touchParents,
} from '../load/shared/place-changes.ts';
import { allBoarding, type PlacedRecord } from '../load/shared/place-rules.ts';
import { assetLoading } from '../load/shared/table.ts';
import { auditedTrack } from '../track/changes.ts';
import { codeDetails, trackStatus } from '../track/rules.ts';
import { track } from '../track/table.ts';
import { entryPallet, type GateActivity, gateEntries } from '../track/timeline-store.ts';
import { type Decision, type GateView, idleAlertOf, type StatusChange } from './gate-view-rules.ts';
import { reusedId } from './scan-rules.ts';
import { scan } from './table.ts';

/** The timeline entries of a scan of a known pallet. */
function activitiesOf(
  gate: GateReference,
  { scan: read, result, pallet, changed, removed, damages }: Decision,
): GateActivity[] {
  if (!pallet) return [];
  const base = { pallet: entryPallet(pallet)[0]!, gateUuid: gate.uuid, activityDate: read.scanDate };
  const seen: GateActivity = {
    ...base,
    activityType: 'SEEN',
    manifestExternalId: result.manifestExternalId,
    shipmentExternalId: null,
    details: [{ outcome: result.outcome }],
  };
  const takenOff = removed.map((record) => ({
    record,
    to: 'UNLOADED' as const,
    details: [{ outcome: record.loadingStatus }],
  }));
  const moved = [...changed.map((change) => ({ ...change, details: null })), ...takenOff].map(
    ({ record: { manifestExternalId, shipmentExternalId }, to, details }): GateActivity => ({
      ...base,
      activityType: to,
      manifestExternalId,
      shipmentExternalId,
      details,
    }),
  );
  const flagged: GateActivity = {
    ...base,
    activityType: 'FLAGGED',
    manifestExternalId: null,
    shipmentExternalId: null,
    details: codeDetails('damageSeen'),
  };
  const entries = moved.length === 0 ? [seen] : moved;
  const dated = read.isReplaced
    ? entries.map((entry) => ({
        ...entry,
        details: [...(entry.details ?? []), ...codeDetails('receiptTime')],
      }))
    : entries;
  return [...dated, ...(damages ? [flagged] : [])];
}

/**
 * Update when and where tracks were last seen, and the last change of their status by each camera. A scan that is
 * reported late does not move these dates back. A superseded scan changes nothing.
 */
function seeTracks({ scope, now }: Context, gate: GateReference, decisions: readonly Decision[]): Write[] {
  const counted = decisions.filter(
    ({ pallet, result }) => pallet?.trackUuid && result.outcome !== 'SUPERSEDED',
  );
  if (counted.length === 0) return [];
  const damaged = counted.flatMap(({ damages, pallet }) => (damages ? [pallet!.trackUuid!] : []));
  const rows = [...Map.groupBy(counted, ({ pallet }) => pallet!.trackUuid!)].map(([uuid, scans]) => {
    const dates = scans.findLast(({ cameraDates }) => cameraDates)?.cameraDates;
    return [
      uuid,
      largest(scans.map(({ scan: { scanDate } }) => scanDate)),
      gate.uuid,
      dates ? Object.fromEntries(dates) : null,
    ];
  });
  const lately: SQL = sql`coalesce(track.last_seen_date, 0) <= each.value ->> 1`;
  return [
    sql`UPDATE track SET update_date = ${now},
        last_gate_uuid = CASE WHEN ${lately} THEN each.value ->> 2 ELSE track.last_gate_uuid END,
        last_seen_date = CASE WHEN ${lately} THEN each.value ->> 1 ELSE track.last_seen_date END,
        camera_dates = coalesce(each.value ->> 3, track.camera_dates)
      FROM ${rowsTable(JSON.stringify(rows))} each
      WHERE track.uuid = each.value ->> 0 AND +track.organization_uuid = ${scope.organization}`,
    ...(damaged.length === 0 ? [] : [scope.update(track, { flagged: 1, damaged: 1 }, { uuids: damaged })]),
  ];
}

/**
 * Update the last change of the status of pallets without a track by each camera, on their open records. Records that a
 * scan adds or removes do not have these dates.
 */
function seeUnmarked({ scope }: Context, decisions: readonly Decision[]): Write[] {
  const rows = [
    ...new Map(
      decisions.flatMap(({ pallet, cameraDates }) =>
        pallet && pallet.trackUuid === null && cameraDates
          ? [[pallet.wmsId, Object.fromEntries(cameraDates)]]
          : [],
      ),
    ),
  ];
  if (rows.length === 0) return [];
  return [
    sql`UPDATE asset_loading SET camera_dates = each.value ->> 1 FROM ${rowsTable(JSON.stringify(rows))} each
      WHERE asset_loading.organization_uuid = ${scope.organization} AND asset_loading.wms_id = each.value ->> 0
        AND asset_loading.closed = 0`,
  ];
}

/** The audit entry for a pallet that a scan newly flags as damaged. */
function damageEntries({ damages, pallet }: Decision): AuditEntry[] {
  if (!damages) return [];
  const { trackUuid, wmsId, damaged } = pallet!;
  return [
    auditedTrack('TRACK_FLAGGED', { uuid: trackUuid!, wmsId }, [
      {
        field: 'trackStatus',
        oldValue: trackStatus(pallet!),
        newValue: trackStatus({ ...pallet!, flagged: 1 }),
      },
      { field: 'damaged', oldValue: damaged === 1, newValue: true },
    ]),
  ];
}

type AuditEntries = Change['audit'];

/**
 * The writes, audit entries and events of decisions on scans, without alerts. At least one decision
 * is required.
 */
export function recordedScansChange(
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
  const deleted = removedPlacesChange(context, removed);
  const boarding = boardedPalletsChange(context, allBoarding(decisions.map((decision) => decision.boarding)));
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

/** The effect of scans on the pallets that open alerts cover. `alerted` are the rows of `readAtGateQuery`. */
export const alertedPalletsChanges = (
  context: Context,
  alerted: readonly AlertAtGate[],
  decisions: readonly Decision[],
): ChangePart[] => [
  ...countedScans(context, decisions),
  readAgainChange(context, accountedFor(alerted, decisions)),
];

/** Scans at a gate without work: its one open alert covers their pallets. The first scan raises it, and the others increase its count. */
function countedScans(context: Context, decisions: readonly Decision[]): ChangePart[] {
  const idle = decisions.flatMap((decision) => {
    const alertUuid = idleAlertOf(decision);
    const { pallet, scan, countedIn } = decision;
    const wmsId = pallet?.wmsId ?? scan.wmsId;
    return alertUuid === undefined
      ? []
      : [{ alertUuid, wmsId, markerCode: scan.markerCode ?? pallet?.markerCode ?? null, countedIn }];
  });
  const [first] = idle;
  if (!first) return [];
  const further = idle.filter(({ countedIn }) => countedIn !== undefined).length;
  return [coveredPalletsChange(context, idle), countedReadingsChange(context, first.alertUuid, further)];
}

/** The pallets of open alerts that scans account for. */
const accountedFor = (alerted: readonly AlertAtGate[], decisions: readonly Decision[]): AlertPallet[] =>
  alerted
    .filter((row): row is AlertPallet => row.remaining !== null)
    .filter((row) =>
      decisions.some(
        ({ pallet, scan: { markerCode, wmsId, direction }, result: { outcome } }) =>
          isSame(row, { markerCode, wmsId: pallet?.wmsId ?? wmsId }) &&
          accountsFor(row.alertType, { direction, outcome }),
      ),
    );
