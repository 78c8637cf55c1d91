import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';

export const ORGANIZATION = '01995d2f-6c1c-7000-8000-000000000001';
export const FIELDS = JSON.stringify([
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'other', fieldType: 'TEXT', role: null },
]);
export const MINUTE = 60_000;
/** Four days around the night in which clocks go back in Berlin and New York. */
const FIRST = Date.UTC(2026, 9, 24);
export const INVALID = ['WRONGLY_LOADED', 'UNKNOWN_LOADING'];

const minutes = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((n) => n * MINUTE + 31_000);
export const status = fc.constantFrom('LOADED', 'LOADED', 'NOT_LOADED', 'UNLOADED', 'OFFLOADED', ...INVALID);
export const shipment = fc.record({
  closed: minutes(0, 9 * 24 * 60).map((after) => FIRST + after),
  status: fc.constantFrom('COMPLETED', 'COMPLETED', 'COMPLETED', 'CANCELLED'),
  gate: fc.constantFrom('G', 'H', null),
  carrier: fc.constantFrom(
    'Fast',
    'Fast',
    'FAST',
    ' Fast',
    'M\u00dcLLER  Spedition',
    'Mu\u0308ller Spedition',
    null,
  ),
  caught: fc.nat({ max: 3 }),
  planned: fc.option(minutes(-90, 90)),
  arrived: fc.option(minutes(0, 300)),
  active: minutes(0, 200),
  reason: fc.constantFrom('Next truck', 'Next truck: full', 'Crane: broken', null),
  manifests: fc.array(
    fc.record({
      cancelled: fc.boolean(),
      records: fc.array(fc.record({ status, loaded: minutes(0, 100) }), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
export type Said = typeof shipment extends fc.Arbitrary<infer T> ? T : never;

/** Inserts a shipment in progress with its manifests, and closes it as the commands do. */
export function close(db: DatabaseSync, said: Said, number: number): string {
  const uuid = `s${number}`;
  const run = (text: string, ...values: (string | number | null)[]) => db.prepare(text).run(...values);
  run(
    `INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, gate_uuid, activate_date, arrival_date,
      caught_count, folded_identifier, folded_notes, create_date, update_date)
      VALUES (?1, ?2, ?1, 'TO_DO', ?3, ?4, ?5, ?6, '', '', 1, 1)`,
    uuid,
    ORGANIZATION,
    said.gate && `gate-${said.gate}`,
    said.closed - said.active,
    said.arrived === null ? null : said.closed - said.arrived,
    said.caught,
  );
  const field = (key: string, value: string | null) =>
    value === null ||
    run(
      'INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value) VALUES (?, ?, ?, ?)',
      ORGANIZATION,
      uuid,
      key,
      value,
    );
  field('haulier', said.carrier);
  field('leaves', said.planned === null ? null : new Date(said.closed + said.planned).toISOString());
  field('other', 'x');
  for (const [place, { cancelled, records }] of said.manifests.entries()) {
    const manifest = `${uuid}m${place}`;
    run(
      `INSERT INTO manifest (uuid, organization_uuid, external_identifier, manifest_status, folded_identifier, create_date,
        update_date, public_token) VALUES (?1, ?2, ?1, ?3, '', 1, 1, ?4)`,
      manifest,
      ORGANIZATION,
      cancelled ? 'CANCELLED' : 'COMPLETED',
      cancelled ? null : manifest,
    );
    run('INSERT INTO shipment_manifest VALUES (?, ?, ?)', ORGANIZATION, manifest, uuid);
    for (const [index, record] of records.entries())
      run(
        `INSERT INTO asset_loading (uuid, organization_uuid, manifest_uuid, wms_id, loading_status, loading_date, closed,
          create_date, update_date) VALUES (?, ?, ?, ?, ?, ?, ?, 1, 1)`,
        `${manifest}r${index}`,
        ORGANIZATION,
        manifest,
        `P${index}`,
        record.status,
        record.status === 'NOT_LOADED' ? null : said.closed - record.loaded,
        INVALID.includes(record.status) ? 0 : 1,
      );
  }
  run(
    'UPDATE shipment SET status = ?, close_date = ?, public_token = ?, short_reason = ? WHERE uuid = ?',
    said.status,
    said.closed,
    said.status === 'COMPLETED' ? uuid : null,
    said.status === 'COMPLETED' ? said.reason : null,
    uuid,
  );
  return uuid;
}

/** The figures of a shipment, counted from its raw rows. Times and the planned departure are those at completion. */
export function counted(db: DatabaseSync, said: Said, uuid: string) {
  const rows = db
    .prepare(
      `SELECT a.loading_status AS status FROM shipment_manifest m JOIN manifest ON manifest.uuid = m.manifest_uuid
        JOIN asset_loading a ON a.manifest_uuid = m.manifest_uuid
        WHERE m.shipment_uuid = ? AND manifest.manifest_status = 'COMPLETED'`,
    )
    .all(uuid) as { status: string }[];
  const fields = Object.fromEntries(
    db
      .prepare('SELECT field_key, field_value FROM custom_field WHERE owner_uuid = ?')
      .all(uuid)
      .map((row) => [row['field_key'], row['field_value']]),
  ) as Record<string, string | undefined>;
  const { caught } = db.prepare('SELECT caught_count AS caught FROM shipment WHERE uuid = ?').get(uuid) as {
    caught: number;
  };
  const count = (...statuses: string[]) => rows.filter(({ status }) => statuses.includes(status)).length;
  const loaded = said.manifests
    .filter(({ cancelled }) => !cancelled)
    .flatMap(({ records }) =>
      records.filter((record) => record.status === 'LOADED').map((record) => record.loaded),
    );
  return {
    carrier: fields['haulier'] ?? null,
    late: said.planned === null ? null : -said.planned,
    loadingMinutes: Math.floor(Math.max(0, ...loaded) / MINUTE),
    dwellMinutes: Math.floor((said.arrived ?? 0) / MINUTE),
    gateMinutes: Math.floor(said.active / MINUTE),
    palletsLoaded: count('LOADED'),
    palletsWrong: count(...INVALID),
    palletsCaught: caught,
    isShort: count('NOT_LOADED', 'UNLOADED') > 0,
  };
}
export type Counted = ReturnType<typeof counted>;
