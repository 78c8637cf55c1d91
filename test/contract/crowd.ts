import { env } from 'cloudflare:workers';
import { SIGNATURES_MAXIMUM } from '../../src/dispatch/load/shared/signature-rules.ts';
import { PART_ITEMS_MAXIMUM } from '../../src/log/operation/rules.ts';
import { moreEntries } from '../workerd/entries.ts';
import { type Names, newWorld, type World } from './world.ts';

const db = (env as unknown as { DB: D1Database }).DB;

type Row = Record<string, string | number | null>;
type Numbered = (index: number) => Row;

/** Number of rows that one statement inserts. Its parameter must stay below 2 MB. */
const CHUNK_ROWS = 250;
const uuid = (): string => crypto.randomUUID();
/** Larger than every code and number in a world. */
const FAR = 7_000_000_000;

/** Insert copies of a row. `values` gives each copy its own values. */
async function copies(table: string, where: Row, count: number, values: Numbered): Promise<void> {
  const named = Object.entries(where);
  const row = await db
    .prepare(`SELECT * FROM ${table} WHERE ${named.map(([name]) => `${name} = ?`).join(' AND ')} LIMIT 1`)
    .bind(...named.map(([, value]) => value))
    .first<Row>();
  if (!row) throw new Error(`${table} has no row to copy: ${JSON.stringify(where)}`);
  // Without generated columns.
  const { results } = await db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .bind(table)
    .all<{ name: string }>();
  const columns = results.map(({ name }) => name);
  const rows = Array.from({ length: count }, (_, index) => ({ ...row, ...values(index) }));
  for (let from = 0; from < count; from += CHUNK_ROWS) {
    const extracted = columns.map((name) => `json_extract(value, '$.${name}')`).join(', ');
    await db
      .prepare(`INSERT INTO ${table} (${columns.join(', ')}) SELECT ${extracted} FROM json_each(?)`)
      .bind(JSON.stringify(rows.slice(from, from + CHUNK_ROWS)))
      .run();
  }
}

/** A world with `count` rows of everything that could be in its answers, or next to them in a table. */
export async function newCrowd(count: number): Promise<World> {
  const world = await newWorld();
  const { tenant, names } = world;
  const of = { organization_uuid: tenant.uuid };
  const named = (kind: string) => (index: number) => ({ uuid: uuid(), name: `${kind}-${index}` });
  await pallets(of, names, count);
  await shipments(of, names, count);
  await signatures(of, names, Math.min(count, SIGNATURES_MAXIMUM - 2));
  await copies('event_log', of, count, (index) => ({ uuid: uuid(), sequence_number: 1_000 + index }));
  await copies('alert', of, count, () => ({ uuid: uuid(), record_uuid: uuid() }));
  await copies('client', { ...of, external_id: names.client }, count, (index) => ({
    uuid: uuid(),
    display_name: `c-${index}`,
    external_id: `c-${index}`,
    folded_display_name: `c-${index}`,
    folded_external_id: `c-${index}`,
  }));
  await copies('gate', { ...of, external_identifier: names.freeGate }, count, (index) => ({
    ...named('gate')(index),
    external_identifier: `g-${index}`,
    folded_identifier: `g-${index}`,
  }));
  await copies('photo', of, count, () => ({ uuid: uuid(), public_token: uuid(), owner_uuid: uuid() }));
  await copies('device', { ...of, uuid: names.scanner }, count, named('scanner'));
  await copies('user', { ...of, uuid: names.user }, count, (index) => ({
    uuid: uuid(),
    email: `u-${index}@example.com`,
    folded_email: `u-${index}@example.com`,
    invite_hash: null,
    invite_expires_date: null,
  }));
  await copies('credential', { ...of, uuid: names.apiKey }, count, named('key'));
  await copies('printing_batch', { ...of, uuid: names.printingBatch }, count, (index) => ({
    uuid: uuid(),
    external_identifier: `b-${index}`,
    first_marker_code: FAR + index,
    last_marker_code: FAR + index,
    quantity: 1,
  }));
  const items = Array.from({ length: PART_ITEMS_MAXIMUM }, () => ({ identifier: 'x', error: null }));
  await copies(
    'operation_part',
    { ...of, operation_uuid: names.operation },
    Math.ceil(count / PART_ITEMS_MAXIMUM),
    (part) => ({ first_index: 1 + part * PART_ITEMS_MAXIMUM, items: JSON.stringify(items.slice(0, count)) }),
  );
  return world;
}

/**
 * Add assets to the world's manifest, other manifests with the same pallets, invalid loadings, other
 * tracks, and timeline entries and comments of the world's pallet.
 */
async function pallets(of: Row, names: Names, count: number): Promise<void> {
  const manifestUuid = await uuidOf('manifest', of, names.manifest);
  const memberUuid = await uuidOf('manifest', of, names.member);
  const others = Array.from({ length: count }, uuid);
  await copies('manifest', { uuid: manifestUuid }, count, (index) => ({
    uuid: others[index]!,
    external_identifier: `o-${index}`,
    folded_identifier: `o-${index}`,
    assets_count: 0,
    loaded_count: 0,
  }));
  const asset = { ...of, manifest_uuid: manifestUuid, wms_id: names.wmsId };
  // The pallet is on every other manifest, too. Each further asset is on the manifest and on one other
  // manifest.
  await copies('asset_loading', asset, count, (index) => ({ uuid: uuid(), manifest_uuid: others[index]! }));
  for (const on of [() => manifestUuid, (index: number) => others[index]!]) {
    await copies('asset_loading', asset, count, (index) => ({
      uuid: uuid(),
      manifest_uuid: on(index),
      wms_id: `p-${index}`,
    }));
  }
  await copies('asset_loading', { uuid: names.record }, count, (index) => ({
    uuid: uuid(),
    wms_id: `q-${index}`,
  }));
  await copies('asset_loading', { uuid: names.invalidRecord }, count, (index) => ({
    uuid: uuid(),
    wms_id: null,
    loading_status: 'UNKNOWN_LOADING',
    track_uuid: null,
    marker_code: FAR + index,
    manifest_uuid: memberUuid,
  }));
  const track = { ...of, wms_id: names.wmsId };
  await copies('track', track, count, (index) => ({
    uuid: uuid(),
    wms_id: `t-${index}`,
    folded_wms_id: `t-${index}`,
    marker_code: FAR + index,
  }));
  const trackUuid = (await db
    .prepare('SELECT uuid FROM track WHERE organization_uuid = ? AND wms_id = ?')
    .bind(of['organization_uuid'], names.wmsId)
    .first<{ uuid: string }>())!.uuid;
  await copies('track_comment', { ...of, track_uuid: trackUuid }, count, () => ({ uuid: uuid() }));
  await db.batch(moreEntries(db, of['organization_uuid'] as string, Array(count).fill(trackUuid)));
}

/**
 * Add other shipments, and manifests to the world's shipment, each with its own pallet. The shipment has
 * room for a few more.
 */
async function shipments(of: Row, names: Names, count: number): Promise<void> {
  const shipmentUuid = await uuidOf('shipment', of, names.shipment);
  const memberUuid = await uuidOf('manifest', of, names.member);
  await copies('shipment', { uuid: shipmentUuid }, count, (index) => ({
    // The trigger gives each copy its own.
    driver_token: null,
    uuid: uuid(),
    external_identifier: `s-${index}`,
    folded_identifier: `s-${index}`,
  }));
  const members = Array.from({ length: Math.ceil(count * 0.9) }, uuid);
  await copies('manifest', { uuid: memberUuid }, members.length, (index) => ({
    uuid: members[index]!,
    external_identifier: `m-${index}`,
    folded_identifier: `m-${index}`,
    assets_count: 0,
    loaded_count: 0,
  }));
  await copies('shipment_manifest', { ...of, manifest_uuid: memberUuid }, members.length, (index) => ({
    manifest_uuid: members[index]!,
  }));
  await copies('asset_loading', { uuid: names.record }, members.length, (index) => ({
    uuid: uuid(),
    manifest_uuid: members[index]!,
  }));
}

/** Add signatures to the world's shipment and to its manifest without shipment. Each may have one more. */
async function signatures(of: Row, names: Names, count: number): Promise<void> {
  const aloneUuid = await uuidOf('manifest', of, names.alone);
  for (const on of [{}, { load_uuid: aloneUuid }] as Row[]) {
    await copies('signature', of, count, (index) => ({ uuid: uuid(), number: 2 + index, ...on }));
  }
}

async function uuidOf(table: string, of: Row, externalIdentifier: string): Promise<string> {
  const found = await db
    .prepare(`SELECT uuid FROM ${table} WHERE organization_uuid = ? AND external_identifier = ?`)
    .bind(of['organization_uuid'], externalIdentifier)
    .first<{ uuid: string }>();
  return found!.uuid;
}
