import { raiseAlerts } from '../alert/changes.ts';
import type { NewAlert } from '../alert/store.ts';
import { emit } from '../event/store.ts';
import type { RowsOf } from '../lib/asks.ts';
import type { FieldChange } from '../lib/changes.ts';
import { newUuid } from '../lib/id.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import { loadingEntity } from '../manifest/asset-store.ts';
import { assignedTo, gateChange } from '../site/rules.ts';
import type { FoundGate } from '../site/store.ts';
import { type GateActivity, insertActivities } from '../track/activity-store.ts';
import { auditedTrack } from '../track/changes.ts';
import { trackStatus } from '../track/rules.ts';
import { auditing } from '../writer/audited.ts';
import { type Change, type Context, command, mergeChanges, type Part } from '../writer/command.ts';
import { auditedRecord, touchParents } from './changes.ts';
import { addRecords, changeRecords, seeTracks, storeScans } from './scan-changes.ts';
import { type Decision, decideScans, type Scan, type ScanResult } from './scan-rules.ts';
import { askGate, gateViewOf } from './scan-store.ts';

/**
 * Process a batch of scans of cameras at a gate in one commit: records, alerts, timelines and the scans themselves. A
 * scanId that was processed before gets its former answer, and has no effect.
 */
export const recordScans = command('recordScans', {
  ask: askScans,
  decide: takeScans,
  touches: touchedByScans,
});

/**
 * The names for `touches`: a scan changes nothing that is read for another code, neither the gate nor which manifest is
 * loaded there.
 */
function touchedByScans({ scans }: ReadAtGate): string[] {
  return scans.flatMap(({ scanId, markerCode }) => [`scan ${scanId}`, `code ${markerCode}`]);
}

/** A batch of scans at a gate. */
export interface ReadAtGate {
  gateIdentifier: string;
  scans: ScanInput[];
}

/** The reads to decide what scans mean. */
export function askScans({ scope }: Context, { gateIdentifier, scans }: ReadAtGate) {
  return askGate(scope, gateIdentifier, scans);
}

/** Decide what scans mean, and make the changes that follow. */
export function takeScans(
  context: Context,
  { scans: given }: ReadAtGate,
  rows: RowsOf<ReturnType<typeof askScans>>,
): Change<{ results: ScanResult[] }> | Refusal {
  const [gate] = rows.gates;
  if (!gate) return refusal('gateNotFound', 'There is no such gate.');
  // A date in the future is replaced by now, since a later scan must not look older than this one.
  const { now } = context;
  const scans = given.map((read) => ({ ...read, scanDate: Math.min(read.scanDate ?? now, now) }));
  const view = gateViewOf(rows);
  const { results, decisions } = decideScans(view, scans, newUuid);
  const answer = { value: { results } };
  if (decisions.length === 0) return { writes: [], audit: [], answer };
  const changed = decisions.flatMap((decision) =>
    decision.changed.map((change) => ({ ...change, decision })),
  );
  const firstOf = new Map(changed.toReversed().map((change) => [change.record.recordUuid, change]));
  const added = decisions.filter((decision) => decision.added !== undefined);
  const alerts = decisions.flatMap((decision) => alertsOf(gate, decision));
  const touched = [
    ...changed.map(({ record }) => record.manifestUuid),
    ...added.map((decision) => decision.added!.manifest.manifestUuid),
  ];
  const recorded: Part = {
    writes: [
      ...changeRecords(context, gate, changed),
      ...addRecords(context, gate, added),
      ...insertActivities(
        context,
        decisions.flatMap((decision) => activitiesOf(gate, decision)),
      ),
      ...seeTracks(context, gate, decisions),
      ...(touched.length === 0 ? [] : touchParents(context, touched)),
      ...storeScans(context, gate, decisions),
    ],
    audit: [
      scansEntry(gate, decisions),
      ...changed.map((change) =>
        auditedRecord(
          'ASSET_LOADING_STATUS_CHANGED',
          { uuid: change.record.recordUuid, wmsId: change.decision.pallet!.wmsId },
          [
            { field: 'loadingStatus', oldValue: change.from, newValue: change.to },
            // A scan before this one may have brought the record to this gate already.
            ...(firstOf.get(change.record.recordUuid) === change
              ? [gateChange(change.record, assignedTo(gate))]
              : []),
            { field: 'manifest', oldValue: null, newValue: change.record.manifestExternalId },
          ],
        ),
      ),
      ...added.map(({ added: invalid, pallet }) =>
        auditedRecord(
          'UNAUTHORIZED_LOADING_ADDED',
          { uuid: invalid!.recordUuid, wmsId: pallet?.wmsId ?? null },
          [
            { field: 'loadingStatus', oldValue: null, newValue: invalid!.loadingStatus },
            { field: 'markerCode', oldValue: null, newValue: invalid!.markerCode },
            gateChange(assignedTo(null), assignedTo(gate)),
            { field: 'manifest', oldValue: null, newValue: invalid!.manifest.manifestExternalId },
          ],
        ),
      ),
      ...flagEntries(decisions),
    ],
    events: [
      ...emit(
        context,
        'ASSET_LOADING_STATUS_CHANGED',
        loadingEntity,
        changed.map(({ record, decision }) => ({
          uuid: record.recordUuid,
          externalIdentifier: decision.pallet!.wmsId,
        })),
      ),
      ...emit(
        context,
        'UNAUTHORIZED_LOADING_ADDED',
        loadingEntity,
        added.map(({ added: invalid, pallet }) => ({
          uuid: invalid!.recordUuid,
          externalIdentifier: pallet?.wmsId ?? null,
        })),
      ),
    ],
  };
  return mergeChanges(answer, [recorded, raiseAlerts(context, alerts)]);
}

/** A scan in a request; without a date it happened now. */
export type ScanInput = Omit<Scan, 'scanDate'> & { scanDate: number | null };

function alertsOf(gate: FoundGate, { scan: read, pallet, added, unattended }: Decision): NewAlert[] {
  const about = {
    gate,
    trackIdentifier: pallet?.wmsId ?? null,
    markerCode: read.markerCode,
  };
  const named = pallet ? `Pallet ${pallet.wmsId}` : `Unknown marker ${read.markerCode}`;
  if (unattended) {
    return [
      {
        ...about,
        alertType: 'SCAN_WITHOUT_ACTIVE_MANIFEST',
        severity: 'WARNING',
        message: `${named} was read at ${gate.name}, where nothing is being loaded.`,
        manifestExternalId: null,
        shipmentExternalId: null,
        recordUuid: null,
        deviceUuid: null,
      },
    ];
  }
  if (!added) return [];
  const { manifestExternalId, shipmentExternalId } = added.manifest;
  return [
    {
      ...about,
      alertType: added.loadingStatus,
      severity: 'CRITICAL',
      message: `${named} was read at ${gate.name} and belongs to nothing that is being loaded there.`,
      manifestExternalId,
      shipmentExternalId,
      recordUuid: added.recordUuid,
      deviceUuid: null,
    },
  ];
}

/** The timeline entries of a scan of a known pallet. */
function activitiesOf(
  gate: FoundGate,
  { scan: read, result, pallet, changed, damages }: Decision,
): GateActivity[] {
  if (!pallet) return [];
  const base = { trackUuid: pallet.trackUuid, gateUuid: gate.uuid, activityDate: read.scanDate };
  const nowhere = { manifestExternalId: null, shipmentExternalId: null };
  const flags: GateActivity[] = damages
    ? [{ ...base, ...nowhere, activityType: 'FLAGGED', details: 'damaged, as a camera saw it' }]
    : [];
  const seen: GateActivity = {
    ...base,
    ...nowhere,
    activityType: 'SEEN',
    manifestExternalId: result.manifestExternalId,
    details: result.outcome,
  };
  return [
    ...(changed.length === 0 ? [seen] : []),
    ...changed.map(({ record, to }) => ({
      ...base,
      activityType: to,
      manifestExternalId: record.manifestExternalId,
      shipmentExternalId: record.shipmentExternalId,
      details: null,
    })),
    ...flags,
  ];
}

/** The audit entries of pallets that a camera saw damaged, one for each. */
function flagEntries(decisions: readonly Decision[]): Change['audit'] {
  const seen = new Map(
    decisions
      .filter(({ scan: read, pallet }) => read.damaged && pallet !== undefined)
      .map(({ pallet }) => [pallet!.trackUuid, pallet!]),
  );
  return [...seen.values()]
    .filter(({ flagged, damaged }) => flagged === 0 || damaged === 0)
    .map((pallet) =>
      auditedTrack('TRACK_FLAGGED', { uuid: pallet.trackUuid, wmsId: pallet.wmsId }, [
        {
          field: 'trackStatus',
          oldValue: trackStatus(pallet),
          newValue: trackStatus({ ...pallet, flagged: 1 }),
        },
        { field: 'damaged', oldValue: pallet.damaged === 1, newValue: true },
      ]),
    );
}

const auditedGate = auditing<FoundGate>('GATE', ({ externalIdentifier }) => externalIdentifier);

function scansEntry(gate: FoundGate, decisions: readonly Decision[]): Change['audit'][number] {
  const changes: FieldChange[] = [
    {
      field: 'scans',
      oldValue: null,
      newValue: decisions.map(({ scan: { scanId, markerCode, direction }, result: { outcome } }) => ({
        scanId,
        markerCode,
        direction,
        outcome,
      })),
    },
  ];
  return auditedGate('SCANS_RECORDED', gate, changes);
}
