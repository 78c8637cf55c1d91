import { type SQL, sql } from 'drizzle-orm';
import type { Write } from '../lib/scope.ts';
import { eachOf } from '../lib/sql.ts';
import { assetLoading } from '../manifest/asset-table.ts';
import type { FoundGate } from '../site/store.ts';
import { track } from '../track/table.ts';
import type { Context } from '../writer/command.ts';
import type { Decision } from './scan-rules.ts';
import { scan } from './table.ts';

/** A record changed by a scan, and the decision on that scan. */
export type ChangedRecord = Decision['changed'][number] & { decision: Decision };

/** Update changed records; of several changes of one record, the last counts. */
export function changeRecords(
  { scope, now }: Context,
  gate: FoundGate,
  changed: readonly ChangedRecord[],
): Write[] {
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

/** Add records of invalid loadings. */
export function addRecords(
  { scope, now }: Context,
  gate: FoundGate,
  decisions: readonly Decision[],
): Write[] {
  return scope.insert(
    assetLoading,
    decisions.map(({ added, pallet, scan: { scanDate } }) => ({
      uuid: added!.recordUuid,
      manifestUuid: added!.manifest.manifestUuid,
      wmsId: pallet?.wmsId ?? null,
      markerCode: added!.markerCode,
      loadingStatus: added!.loadingStatus,
      trackUuid: added!.trackUuid,
      gateUuid: gate.uuid,
      loadingDate: scanDate,
      createDate: now,
      updateDate: now,
    })),
  );
}

/** Update when and where tracks were last seen; a scan reported late does not move that back. */
export function seeTracks({ scope, now }: Context, gate: FoundGate, decisions: readonly Decision[]): Write[] {
  const latest = new Map<string, number>();
  const damaged = new Set<string>();
  for (const { pallet, scan: read } of decisions) {
    if (!pallet) continue;
    latest.set(pallet.trackUuid, Math.max(read.scanDate, latest.get(pallet.trackUuid) ?? read.scanDate));
    if (read.damaged) damaged.add(pallet.trackUuid);
  }
  if (latest.size === 0) return [];
  const seen = JSON.stringify([...latest].map(([uuid, date]) => [uuid, date, gate.uuid]));
  const lately: SQL = sql`coalesce(track.last_seen_date, 0) <= each.value ->> 1`;
  return [
    sql`UPDATE track SET update_date = ${now},
        last_gate_uuid = CASE WHEN ${lately} THEN each.value ->> 2 ELSE track.last_gate_uuid END,
        last_seen_date = CASE WHEN ${lately} THEN each.value ->> 1 ELSE track.last_seen_date END
      FROM ${eachOf(seen)} each
      WHERE track.uuid = each.value ->> 0 AND +track.organization_uuid = ${scope.organization}`,
    ...(damaged.size === 0 ? [] : [scope.update(track, { flagged: 1, damaged: 1 }, { uuids: [...damaged] })]),
  ];
}

/** Store the scans with their results. */
export function storeScans(
  { scope, now }: Context,
  gate: FoundGate,
  decisions: readonly Decision[],
): Write[] {
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
