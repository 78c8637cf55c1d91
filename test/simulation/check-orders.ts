import type { Outcome } from '../../src/core/writer/command.ts';
import type { Given, PalletsOf } from '../../src/dispatch/load/manifest/coupling-commands.ts';
import type { NewOrders } from '../../src/dispatch/load/shipment/order-commands.ts';
import type { Wish } from './callers.ts';
import type { Logged } from './logged.ts';
import type { Row, Store } from './store.ts';
import { Finding } from './world.ts';

/** Checks the commands that make many things in one commit: right after the commit, and when it is answered. */
export class ManyAtOnce {
  /** The answer that each commit must get, by batch. These commands share no commit. */
  readonly #made = new Map<number | undefined, object>();

  /** Check the rows right after a wish took effect in a batch. `records` are its records in the log. */
  async committed(
    batch: number,
    store: Store,
    { id, organization, name, input }: Wish,
    records: readonly Logged[],
  ): Promise<void> {
    const fail = (what: string): never => {
      throw new Finding(`${organization}: ${id} ${what}`);
    };
    const of = { store, organization, records, fail };
    if (name === 'createOrders') this.#made.set(batch, await checkOrders(of, input as NewOrders));
    if (name === 'coupleAssets') this.#made.set(batch, await checkGiven(of, input as PalletsOf));
  }

  /**
   * Check that an answer has all things that were made, and that a refused wish has made nothing. `batch` is the batch
   * in which the wish took effect, if any.
   */
  answered({ id, name }: Wish, outcome: Outcome, batch: number | undefined): void {
    if (name !== 'createOrders' && name !== 'coupleAssets') return;
    const made = this.#made.get(batch);
    if (outcome.kind !== 'done') {
      if (made) throw new Finding(`${id} was answered ${outcome.kind}, but it made ${JSON.stringify(made)}`);
      return;
    }
    const told = JSON.parse(outcome.body);
    const wanted = made ?? (name === 'coupleAssets' ? NOTHING_GIVEN : undefined);
    const isTold = Object.entries(wanted ?? {}).every(([key, value]) => isSame(told[key], value));
    if (!wanted || !isTold)
      throw new Finding(`${id} was answered ${outcome.body}, but it made ${JSON.stringify(wanted)}`);
  }
}

interface Committed {
  store: Store;
  organization: string;
  records: readonly Logged[];
  fail(what: string): never;
}

const NOTHING_GIVEN: Given = { block: null, count: 0, more: false };
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const inJson = (column: string): string => `${column} IN (SELECT value FROM json_each(?))`;
const sorted = (names: readonly string[]): string[] => [...names].sort();

/** All manifests and shipments of the file are there, each once, with their pallets, gate and shipment. */
async function checkOrders(
  { store, organization, records, fail }: Committed,
  { orders, shipments, gateIdentifier }: NewOrders,
) {
  const read = async (kind: 'manifest' | 'shipment', columns: string, names: readonly string[]) =>
    store.read(
      `SELECT uuid, external_identifier AS name, ${columns}, (SELECT external_identifier FROM gate
          WHERE gate.uuid = gate_uuid) AS gate FROM ${kind} WHERE organization_uuid = ? AND deleted_date IS NULL
        AND ${inJson('external_identifier')} ORDER BY external_identifier`,
      organization,
      JSON.stringify(names),
    );
  const manifests = await read(
    'manifest',
    `manifest_status AS status, (SELECT s.external_identifier FROM shipment_manifest m JOIN shipment s
        ON s.uuid = m.shipment_uuid WHERE m.manifest_uuid = manifest.uuid) AS shipment,
      (SELECT json_group_array(wms_id) FROM asset_loading a WHERE a.manifest_uuid = manifest.uuid) AS assets`,
    orders.map(({ externalIdentifier }) => externalIdentifier),
  );
  const trucks = await read(
    'shipment',
    `status, (SELECT json_group_array(m.external_identifier) FROM shipment_manifest s JOIN manifest m
        ON m.uuid = s.manifest_uuid WHERE s.shipment_uuid = shipment.uuid) AS members`,
    shipments.map(({ externalIdentifier }) => externalIdentifier),
  );
  const created = (action: string): string[] =>
    records.flatMap((record) => (record.action === action ? [record.entityUuid] : []));
  const seen = [
    manifests.map(({ uuid, assets, ...row }) => ({ ...row, assets: sorted(JSON.parse(assets as string)) })),
    trucks.map(({ uuid, members, ...row }) => ({ ...row, members: sorted(JSON.parse(members as string)) })),
    [...created('MANIFEST_CREATED'), ...created('SHIPMENT_CREATED')].sort(),
  ];
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
  const wanted = [
    orders
      .map(({ externalIdentifier: name, assets, shipment }) => {
        const status = shipment === null ? 'PLANNED' : 'TO_DO';
        return { name, status, shipment, gate: gateIdentifier, assets: sorted(assets) };
      })
      .toSorted(byName),
    shipments
      .map(({ externalIdentifier: name }) => {
        const members = orders.filter(({ shipment }) => shipment === name);
        const names = sorted(members.map(({ externalIdentifier }) => externalIdentifier));
        return { name, status: 'TO_DO', gate: gateIdentifier, members: names };
      })
      .toSorted(byName),
    [...manifests, ...trucks].map(({ uuid }) => uuid as string).sort(),
  ];
  if (!isSame(seen, wanted)) fail(`made ${JSON.stringify(seen)} of the orders ${JSON.stringify(wanted)}`);
  return { manifests: orders.length, shipments: shipments.length };
}

/** SQL: the pallets of the chosen open manifests, or of the open manifests of the chosen shipments. */
const CHOSEN = `SELECT DISTINCT a.wms_id FROM asset_loading a JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.organization_uuid = ?1 AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND m.manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS') AND m.deleted_date IS NULL
    AND iif(?2 = 'manifest', m.uuid, (SELECT s.shipment_uuid FROM shipment_manifest s WHERE s.manifest_uuid = m.uuid))
      IN (SELECT value FROM json_each(?3))`;
const TRACKS = 'SELECT * FROM track WHERE organization_uuid = ?1 AND deleted_date IS NULL';

/** Each pallet of the open manifests has one marker now, or the organization's maximum of markers was given. */
async function checkGiven(
  { store, organization, records, fail }: Committed,
  { of, uuids }: PalletsOf,
): Promise<Given> {
  const read = (text: string): Promise<Row[]> =>
    store.read(
      `WITH chosen AS (${CHOSEN}), tracks AS (${TRACKS}) ${text}`,
      organization,
      of,
      JSON.stringify(uuids),
    );
  const numberOf = (record: Logged | undefined, name: string) =>
    record?.changes.find(({ field }) => field === name)?.newValue as number;
  const allocated = records.filter(({ action }) => action === 'MARKERS_ALLOCATED');
  const [first, last] = [numberOf(allocated[0], 'firstMarkerCode'), numberOf(allocated[0], 'lastMarkerCode')];
  const given = records.filter(({ action }) => action === 'TRACK_COUPLED');
  const codes = given.map((record) => numberOf(record, 'markerCode'));
  const block = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  if (allocated.length !== 1 || !isSame(codes, block))
    fail(`gave the codes ${codes} of the block ${first} to ${last}`);
  const named = new Map(given.map((record) => [record.entityUuid, numberOf(record, 'markerCode')]));
  const rows = await read(`SELECT uuid, wms_id AS pallet, marker_code AS code, wms_id IN chosen AS chosen,
    (SELECT count(*) FROM tracks t WHERE t.wms_id = tracks.wms_id) AS markers FROM tracks
    WHERE marker_code BETWEEN ${first} AND ${last}`);
  for (const { uuid, pallet, code, chosen, markers } of rows) {
    if (named.get(uuid as string) !== code) fail(`gave ${code} to ${pallet}, but the log says otherwise`);
    if (chosen !== 1) fail(`gave a marker to ${pallet}, which is on none of the open manifests`);
    if (markers !== 1) fail(`gave ${pallet} a marker, although it had one`);
  }
  if (rows.length !== given.length) fail(`gave ${given.length} markers, but ${rows.length} are stored`);
  const [left] = await read(`SELECT count(*) AS count, (SELECT marker_allocation_maximum FROM organization
    WHERE uuid = ?1) AS most FROM chosen WHERE wms_id NOT IN (SELECT wms_id FROM tracks)`);
  const more = (left!['count'] as number) > 0;
  if (more && given.length !== left!['most'])
    fail(`gave ${given.length} markers, and ${left!['count']} pallets still have none`);
  return { block: { firstMarkerCode: first, lastMarkerCode: last }, count: given.length, more };
}
