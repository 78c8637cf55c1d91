import type { LogCheck } from './log-check.ts';
import type { Logged } from './logged.ts';
import type { Store } from './store.ts';
import { Finding } from './world.ts';

/** A loading record with its load: the shipment of its manifest, or the manifest itself. */
interface Placed {
  uuid: string;
  wmsId: string | null;
  loadingStatus: string;
  loadingDate: number | null;
  manifestStatus: string;
  load: string;
  loadStatus: string;
  closeDate: number | null;
}

const ABOARD = ['LOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING'];
const isInvalid = ({ loadingStatus }: Placed): boolean => ABOARD.indexOf(loadingStatus) > 0;
/** Whether a record is part of a load that is being loaded. A cancelled member is not part of its shipment. */
const isLoading = ({ loadStatus, manifestStatus }: Placed): boolean =>
  loadStatus === 'IN_PROGRESS' && manifestStatus !== 'CANCELLED';

/** Whether a commit with this audit record can change where a pallet is. */
export const movesPallets = ({ entityType }: Logged): boolean =>
  ['MANIFEST', 'SHIPMENT', 'ASSET_LOADING'].includes(entityType);

/** The records of trucks follow the pallets. */
export async function checkAboard(store: Store, log: LogCheck): Promise<void> {
  const { organization, fields } = log;
  const { scanned } = log.place;
  const find = (what: string): never => {
    throw new Finding(`${organization}: ${what}`);
  };
  const records = (await store.read(
    `SELECT a.uuid, a.wms_id AS "wmsId", a.loading_status AS "loadingStatus", a.loading_date AS "loadingDate",
        m.manifest_status AS "manifestStatus", coalesce(s.uuid, m.uuid) AS load,
        coalesce(s.status, m.manifest_status) AS "loadStatus", coalesce(s.close_date, m.close_date) AS "closeDate"
      FROM asset_loading a JOIN manifest m ON m.uuid = a.manifest_uuid
        LEFT JOIN shipment_manifest i ON i.organization_uuid = a.organization_uuid AND i.manifest_uuid = m.uuid
        LEFT JOIN shipment s ON s.uuid = i.shipment_uuid
      WHERE a.organization_uuid = ?`,
    organization,
  )) as unknown as Placed[];
  const alerts = await store.read(
    `SELECT alert_type AS type, record_uuid AS uuid FROM alert WHERE organization_uuid = ?`,
    organization,
  );
  const isAlerted = (type: string, uuid: string): boolean =>
    alerts.some((alert) => alert['type'] === type && alert['uuid'] === uuid);

  for (const [wmsId, of] of Map.groupBy(records.filter(isLoading), (record) => record.wmsId)) {
    const loaded = new Set(
      of.filter(({ loadingStatus }) => loadingStatus === 'LOADED').map(({ load }) => load),
    );
    if (loaded.size > 1) find(`${wmsId} is LOADED on the loads ${[...loaded].join(' and ')}`);
    for (const [load, here] of Map.groupBy(of, (record) => record.load)) {
      const isExpected = here.some((record) => !isInvalid(record));
      if (wmsId !== null && isExpected && here.some(isInvalid))
        find(`${wmsId} belongs to the load ${load} and is wrong there`);
    }
  }
  for (const record of records) {
    const { uuid, wmsId, loadingStatus, load, loadStatus, closeDate, loadingDate } = record;
    if (isLoading(record) && isInvalid(record) && !isAlerted(loadingStatus, uuid))
      find(`no alert was raised about ${wmsId}, which is ${loadingStatus} on the load ${load}`);
    if (loadingStatus !== 'LOADED') continue;
    const hasLeft = record.manifestStatus === 'CANCELLED' && loadStatus === 'IN_PROGRESS';
    const isEarly = loadStatus === 'PLANNED' || loadStatus === 'TO_DO';
    if (hasLeft || (isEarly && scanned.has(uuid)))
      find(`${wmsId} is LOADED on a manifest that is not being loaded, of the load ${load} (${loadStatus})`);
    if (
      loadStatus === 'CANCELLED' &&
      scanned.has(uuid) &&
      loadingDate! <= closeDate! &&
      !isAlerted('PALLETS_ABOARD', load)
    )
      find(`no alert was raised about ${wmsId}, which is aboard the cancelled load ${load}`);
  }
  const stored = new Set(records.map(({ uuid }) => uuid));
  await checkEntries(store, log, stored);
  const aboard = new Set(
    records
      .filter((record) => isLoading(record) && ABOARD.includes(record.loadingStatus))
      .map(({ wmsId }) => wmsId),
  );
  for (const [uuid, wmsId] of scanned) {
    const isLost = !stored.has(uuid) && ABOARD.includes(String(fields.valueOf(uuid, 'loadingStatus')));
    if (!isLost) continue;
    // After a restore the whole log is read again. Records that were gone then were looked at before.
    if (log.listed && !aboard.has(wmsId))
      find(`the record of ${wmsId} has disappeared, but the pallet is aboard`);
    // Another record says from now on where the pallet is.
    scanned.delete(uuid);
  }
  const named = records.flatMap(({ uuid, wmsId }) => (wmsId === null ? [] : [[uuid, wmsId] as const]));
  log.listed = { records: new Map(named), number: log.place.number };
}

/** A record that has disappeared since the last look has left an entry in the timeline of its pallet. */
async function checkEntries(
  store: Store,
  { organization, listed }: LogCheck,
  stored: ReadonlySet<string>,
): Promise<void> {
  const gone = [...(listed?.records ?? [])].filter(([uuid]) => !stored.has(uuid));
  for (const [, wmsId] of gone) {
    const entries = await store.read(
      `SELECT 1 FROM pallet_activity WHERE organization_uuid = ? AND number >= ? << 20
        AND pallet IN (SELECT json_array(?) UNION ALL SELECT uuid FROM track WHERE organization_uuid = ? AND wms_id = ?) LIMIT 1`,
      ...[organization, listed!.number + 1, wmsId, organization, wmsId],
    );
    if (entries.length === 0)
      throw new Finding(
        `${organization}: a record of ${wmsId} has disappeared, but its timeline does not say so`,
      );
  }
}
