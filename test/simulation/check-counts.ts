import { sql } from 'drizzle-orm';
import { itemsOf } from '../../src/core/lib/bounded.ts';
import { manifestView, type StoredManifest } from '../../src/dispatch/load/manifest/store.ts';
import { WHOLE_LOOK as MANIFEST_WHOLE } from '../../src/dispatch/load/manifest/validation-store.ts';
import {
  WHOLE_EXTENT as SHIPMENT_WHOLE,
  type StoredShipment,
  shipmentView,
} from '../../src/dispatch/load/shipment/store.ts';
import { ask } from './ask.ts';
import type { LogCheck } from './log-check.ts';
import type { Store } from './store.ts';
import { Finding } from './world.ts';

const IS_ASSET = "loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')";

/**
 * The counts of manifests and shipments equal the rows. The assets of manifests equal the assets in the
 * log.
 */
export async function checkCounts(store: Store, { organization, fields }: LogCheck): Promise<void> {
  const records = await store.read(
    `SELECT manifest_uuid AS manifest, wms_id AS "wmsId", loading_status AS status FROM asset_loading
      WHERE organization_uuid = ? AND ${IS_ASSET}`,
    organization,
  );
  const ofManifest = Map.groupBy(records, ({ manifest }) => manifest as string);
  const statuses = new Map<string, string>();
  const links: Link[] = [];
  for (const row of await ask(
    store,
    sql`SELECT ${manifestView(MANIFEST_WHOLE)} AS view FROM manifest
    WHERE organization_uuid = ${organization}`,
  )) {
    const shown = JSON.parse(row['view'] as string) as StoredManifest;
    const { uuid, manifestStatus, counts } = shown;
    statuses.set(uuid, manifestStatus);
    if (shown.deletedDate === null) {
      if (shown.backorder) links.push([uuid, shown.backorder.manifestUuid]);
      if (shown.backorderOf) links.push([shown.backorderOf.manifestUuid, uuid]);
    }
    const assets = ofManifest.get(uuid) ?? [];
    const loaded = assets.filter(({ status }) => status === 'LOADED').length;
    const names = assets.map(({ wmsId }) => wmsId as string).sort();
    const isSame =
      counts.total === assets.length &&
      counts.loaded === loaded &&
      JSON.stringify(names) === JSON.stringify([...fields.assetsOf(uuid)].sort());
    if (!isSame) throw new Finding(`${organization}: manifest ${uuid} counts ${JSON.stringify(counts)}`);
  }
  checkLinks(organization, links);
  for (const row of await ask(
    store,
    sql`SELECT ${shipmentView(SHIPMENT_WHOLE)} AS view FROM shipment
    WHERE organization_uuid = ${organization}`,
  )) {
    const { uuid, manifests, counts } = JSON.parse(row['view'] as string) as StoredShipment;
    const uuids: string[] = itemsOf(manifests).map(({ manifestUuid }) => manifestUuid);
    const assets = uuids.flatMap((one) => ofManifest.get(one) ?? []);
    const total = assets.filter(({ manifest }) => statuses.get(manifest as string) !== 'CANCELLED').length;
    if (counts.tracks !== assets.length || counts.total !== total) {
      throw new Finding(`${organization}: shipment ${uuid} counts ${JSON.stringify(counts)}`);
    }
  }
}

/** A manifest and its back order, as one of the two shows it. */
type Link = readonly [source: string, backorder: string];

/** A manifest and its back order show each other. A manifest has one back order, and is the back order of one. */
function checkLinks(organization: string, links: readonly Link[]): void {
  const pairs = new Map<string, number>();
  for (const link of links) pairs.set(link.join(' '), (pairs.get(link.join(' ')) ?? 0) + 1);
  const wrong = [...pairs].find(([, times]) => times !== 2);
  if (wrong) throw new Finding(`${organization}: only one manifest shows the back order ${wrong[0]}`);
  for (const side of [0, 1] as const) {
    const uuids = [...pairs.keys()].map((pair) => pair.split(' ')[side]);
    if (new Set(uuids).size < uuids.length)
      throw new Finding(`${organization}: a manifest has two back orders`);
  }
}

/** SQL: the status of a track, without the column of the schema that the triggers read. */
export const TRACK_STATUS = `CASE retirement WHEN 'RETIRED' THEN 'NOT_ACTIVE' WHEN 'SCHEDULED' THEN 'SCHEDULED_FOR_RETIREMENT'
  ELSE iif(flagged, 'FLAGGED', 'ACTIVE') END`;

/** Lists with a total: the SQL expressions for its list and part, and the rows that it counts. */
const LISTS: [list: string, part: string, rows: string][] = [
  ["'manifest'", 'manifest_status', 'manifest WHERE deleted_date IS NULL'],
  ["'shipment'", 'status', 'shipment WHERE deleted_date IS NULL'],
  ["'track'", TRACK_STATUS, 'track WHERE deleted_date IS NULL'],
  ["'alert'", 'status', 'alert WHERE TRUE'],
  ["'client'", "''", 'client WHERE deleted_date IS NULL'],
  ["'photo'", "''", 'photo WHERE TRUE'],
  ["'operation'", 'status', 'operation WHERE TRUE'],
  ["'printing_batch:' || scanner_uuid", 'status', 'printing_batch WHERE deleted_date IS NULL'],
  ["'webhook_delivery:' || webhook_uuid", "''", 'webhook_delivery WHERE TRUE'],
];

/** Each total of a list equals the number of its rows. */
export async function checkTotals(store: Store, { organization }: LogCheck): Promise<void> {
  const differences = new Map<string, number>();
  const note = (list: unknown, part: unknown, number: number): void => {
    const name = `${list} ${part}`;
    differences.set(name, (differences.get(name) ?? 0) + number);
  };
  for (const [list, part, rows] of LISTS) {
    const counted = await store.read(
      `SELECT ${list} AS list, ${part} AS part, count(*) AS total FROM ${rows}
        AND organization_uuid = ? GROUP BY 1, 2`,
      organization,
    );
    for (const row of counted) note(row['list'], row['part'], row['total'] as number);
  }
  // Open and settled messages of webhooks, and the count of their deliveries.
  const hooks = await store.read(
    `SELECT uuid, messages_count - (SELECT coalesce(sum(json_array_length(deliveries)), 0) FROM webhook_message m
        WHERE m.organization_uuid = w.organization_uuid AND m.webhook_uuid = w.uuid)
      - (SELECT coalesce(sum(json_array_length(f.value, '$.deliveries')), 0) FROM json_each(w.open_messages) f
        WHERE f.key NOT IN (SELECT uuid FROM webhook_message)) AS difference
      FROM webhook w WHERE organization_uuid = ?`,
    organization,
  );
  for (const row of hooks) note('messages', row['uuid'], row['difference'] as number);
  const stored = await store.read(
    'SELECT list, part, total FROM list_total WHERE organization_uuid = ?',
    organization,
  );
  for (const row of stored) note(row['list'], row['part'], -(row['total'] as number));
  const wrong = [...differences].find(([, difference]) => difference !== 0);
  if (wrong) throw new Finding(`${organization}: the total of ${wrong[0]} differs by ${wrong[1]}`);
}
