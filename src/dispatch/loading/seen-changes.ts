import { type SQL, sql } from 'drizzle-orm';
import { largest } from '../../core/lib/extremes.ts';
import type { Write } from '../../core/lib/scope.ts';
import { rowsTable } from '../../core/lib/sql.ts';
import type { AuditEntry } from '../../core/writer/chain.ts';
import type { Context } from '../../core/writer/command.ts';
import type { GateReference } from '../gate/rules.ts';
import { entryPallet, type GateActivity } from '../track/activity-store.ts';
import { auditedTrack } from '../track/changes.ts';
import { trackStatus } from '../track/rules.ts';
import { track } from '../track/table.ts';
import { coded } from '../track/timeline-rules.ts';
import type { Decision } from './gate-view-rules.ts';

/** The timeline entries of a scan of a known pallet. */
export function activitiesOf(
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
    details: coded('damageSeen'),
  };
  const entries = moved.length === 0 ? [seen] : moved;
  const dated = read.isReplaced
    ? entries.map((entry) => ({ ...entry, details: [...(entry.details ?? []), ...coded('receiptTime')] }))
    : entries;
  return [...dated, ...(damages ? [flagged] : [])];
}

/**
 * Update when and where tracks were last seen, and the last change of their status by each camera. A scan that is
 * reported late does not move these dates back. A superseded scan changes nothing.
 */
export function seeTracks(
  { scope, now }: Context,
  gate: GateReference,
  decisions: readonly Decision[],
): Write[] {
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
export function seeUnmarked({ scope }: Context, decisions: readonly Decision[]): Write[] {
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
export function damageEntries({ damages, pallet }: Decision): AuditEntry[] {
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
