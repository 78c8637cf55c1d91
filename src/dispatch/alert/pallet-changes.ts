import { sql } from 'drizzle-orm';
import { rowsTable } from '../../core/lib/sql.ts';
import { type ChangePart, type Context, mergeChanges } from '../../core/writer/command.ts';
import { resolvedAlerts } from './changes.ts';
import type { AlertPallet } from './pallet-store.ts';
import { alert, alertPallet } from './table.ts';

/** A pallet, or an unknown marker. A pallet without a marker has no code. */
export interface PalletOrMarker {
  wmsId: string | null;
  markerCode: number | null;
}

/** Store the pallets that new or open alerts cover. */
export const coverPallets = (
  { scope }: Context,
  pallets: readonly (PalletOrMarker & { alertUuid: string })[],
): ChangePart => ({
  writes: scope.insert(
    alertPallet,
    pallets.map(({ alertUuid, wmsId, markerCode }) => ({
      alertUuid,
      wmsId: wmsId ?? '',
      markerCode: markerCode ?? 0,
    })),
  ),
  audit: [],
});

/**
 * Count further readings at a gate without work in its open alert. This raises no event: one alert is one message.
 */
export function countedReadings({ scope, now }: Context, alertUuid: string, further: number): ChangePart {
  const set = { count: sql`count + ${further}`, updateDate: now };
  return { writes: further === 0 ? [] : [scope.update(alert, set, { uuids: [alertUuid] })], audit: [] };
}

/**
 * These pallets are accounted for, so their alerts do not cover them any more. An alert is resolved with its last
 * pallet. The rows come from `aboardQuery` and are read in the same commit.
 */
export function readAgain(context: Context, rows: readonly AlertPallet[]): ChangePart {
  if (rows.length === 0) return { writes: [], audit: [] };
  const resolved = [...Map.groupBy(rows, ({ alertUuid }) => alertUuid)].filter(
    ([, settled]) => settled.length === settled[0]!.remaining,
  );
  const done = new Set(resolved.map(([uuid]) => uuid));
  const left = rows.filter(({ alertUuid }) => !done.has(alertUuid));
  const given = left.map(({ alertUuid, wmsId, markerCode }) => [alertUuid, wmsId ?? '', markerCode ?? 0]);
  return mergeChanges({ value: null }, [
    {
      writes:
        left.length === 0
          ? []
          : [
              context.scope.remove(
                alertPallet,
                sql`(alert_uuid, wms_id, marker_code) IN (SELECT value ->> 0, value ->> 1, value ->> 2
                  FROM ${rowsTable(JSON.stringify(given))})`,
              ),
            ],
      audit: [],
    },
    resolvedAlerts(
      context,
      resolved.map(([uuid]) => ({ uuid })),
    ),
  ]);
}
