import type { DatabaseSync } from 'node:sqlite';
import type { SQL } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Scope } from '../../../../src/core/lib/scope.ts';
import { render } from '../../../../src/core/lib/sql.ts';
import { dayIn } from '../../../../src/core/lib/zone.ts';
import { REPORT_GROUPS, type ReportGroup, weekOf } from '../../../../src/dispatch/report/rules.ts';
import { askReport, type ReportRow, reportOf } from '../../../../src/dispatch/report/store.ts';
import { migratedDatabase } from '../../../migrations.ts';

const ORGANIZATION = '01995d2f-6c1c-7000-8000-000000000001';
const FIELDS = JSON.stringify([
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'other', fieldType: 'TEXT', role: null },
]);
const MINUTE = 60_000;
/** Four days around the night in which clocks go back in Berlin and New York. */
const FIRST = Date.UTC(2026, 9, 24);
const INVALID = ['WRONGLY_LOADED', 'UNKNOWN_LOADING'];

const minutes = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((n) => n * MINUTE + 31_000);
const status = fc.constantFrom('LOADED', 'LOADED', 'NOT_LOADED', 'UNLOADED', 'OFFLOADED', ...INVALID);
const shipment = fc.record({
  closed: minutes(0, 9 * 24 * 60).map((after) => FIRST + after),
  status: fc.constantFrom('COMPLETED', 'COMPLETED', 'COMPLETED', 'CANCELLED'),
  gate: fc.constantFrom('G', 'H', null),
  carrier: fc.constantFrom('Fast', 'Slow', null),
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
type Said = typeof shipment extends fc.Arbitrary<infer T> ? T : never;
const change = fc.record({
  at: fc.nat(),
  what: fc.constantFrom('mark', 'mark', 'remove', 'carrier', 'planned', 'unplan', 'archive'),
  to: status,
});

/** Inserts a shipment in progress with its manifests, and closes it as the commands do. */
function close(db: DatabaseSync, said: Said, number: number): string {
  const uuid = `s${number}`;
  const run = (text: string, ...values: (string | number | null)[]) => db.prepare(text).run(...values);
  run(
    `INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, gate_uuid, activate_date, arrival_date,
      folded_identifier, folded_notes, create_date, update_date) VALUES (?1, ?2, ?1, 'TO_DO', ?3, ?4, ?5, '', '', 1, 1)`,
    uuid,
    ORGANIZATION,
    said.gate && `gate-${said.gate}`,
    said.closed - said.active,
    said.arrived === null ? null : said.closed - said.arrived,
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

/** The figures of a shipment, counted from its raw rows. Times are those at completion. */
function counted(db: DatabaseSync, said: Said, uuid: string) {
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
  const count = (...statuses: string[]) => rows.filter(({ status }) => statuses.includes(status)).length;
  const loaded = said.manifests
    .filter(({ cancelled }) => !cancelled)
    .flatMap(({ records }) =>
      records.filter((record) => record.status === 'LOADED').map((record) => record.loaded),
    );
  return {
    carrier: fields['haulier'] ?? null,
    late: fields['leaves'] === undefined ? null : said.closed - Date.parse(fields['leaves']),
    loadingMinutes: Math.floor(Math.max(0, ...loaded) / MINUTE),
    dwellMinutes: Math.floor((said.arrived ?? 0) / MINUTE),
    gateMinutes: Math.floor(said.active / MINUTE),
    palletsLoaded: count('LOADED'),
    palletsWrong: count(...INVALID),
    isShort: count('NOT_LOADED', 'UNLOADED') > 0,
  };
}
type Counted = ReturnType<typeof counted>;

const nameOf = (groupBy: ReportGroup, zone: string, said: Said, { carrier }: Counted): string | null => {
  const day = dayIn(zone, said.closed);
  return { DAY: day, WEEK: weekOf(day), MONTH: day.slice(0, 7), CARRIER: carrier, GATE: said.gate }[groupBy];
};

function reportFrom(group: string | null, shipments: [Said, Counted][]): ReportRow {
  const sum = (value: (of: Counted) => number) => shipments.reduce((total, [, of]) => total + value(of), 0);
  const reasons = new Map<string, number>();
  for (const [{ reason }, { isShort }] of shipments) {
    const name = reason === 'Next truck: full' ? 'Next truck' : reason;
    if (isShort && name !== null) reasons.set(name, (reasons.get(name) ?? 0) + 1);
  }
  return {
    group,
    shipmentsCompleted: shipments.length,
    shipmentsPlanned: sum(({ late }) => Number(late !== null)),
    shipmentsOnTime: sum(({ late }) => Number(late !== null && late <= 0)),
    minutesLate: sum(({ late }) => Math.floor(Math.max(0, late ?? 0) / MINUTE)),
    loadingMinutes: sum((of) => of.loadingMinutes),
    dwellMinutes: sum((of) => of.dwellMinutes),
    gateMinutes: sum((of) => of.gateMinutes),
    palletsLoaded: sum((of) => of.palletsLoaded),
    palletsWrong: sum((of) => of.palletsWrong),
    shipmentsShort: sum(({ isShort }) => Number(isShort)),
    shortByReason: [...reasons].map(([reason, count]) => ({ reason, count })),
  };
}

const sorted = (rows: ReportRow[]) =>
  rows
    .map((row) => ({
      ...row,
      shortByReason: row.shortByReason.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)),
    }))
    .toSorted((a, b) => (String(a.group) < String(b.group) ? -1 : 1));

it('a report equals a count of the raw rows, after any corrections and archiving', () => {
  const template = migratedDatabase();
  template
    .prepare(
      `INSERT INTO organization (uuid, name, slug, dispatch_strategy, client_feature_enabled, marker_allocation_maximum,
        marker_code_start, requests_per_minute, shipment_custom_fields, create_date, update_date)
        VALUES (?, 'n', 's', 'SHIPMENT', 0, 1, 1, 1, ?, 1, 1)`,
    )
    .run(ORGANIZATION, FIELDS);
  for (const gate of ['G', 'H'])
    template
      .prepare(
        `INSERT INTO gate (uuid, organization_uuid, external_identifier, name, folded_identifier, folded_name, create_date, update_date)
          VALUES (?, ?, ?, '', '', '', 1, 1)`,
      )
      .run(`gate-${gate}`, ORGANIZATION, gate);
  fc.assert(
    fc.property(
      fc.array(shipment, { minLength: 1, maxLength: 8 }),
      fc.array(change, { maxLength: 12 }),
      fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland'),
      (shipments, changes, zone) => {
        template.exec('BEGIN');
        try {
          play(template, shipments, changes, zone);
        } finally {
          template.exec('ROLLBACK');
        }
      },
    ),
    { numRuns: 60 },
  );
});

it('figures are deleted with their organization, also by a version that does not know them', () => {
  const db = migratedDatabase();
  db.exec(`INSERT INTO organization (uuid, name, slug, dispatch_strategy, client_feature_enabled, marker_allocation_maximum,
      marker_code_start, requests_per_minute, shipment_custom_fields, create_date, update_date)
      SELECT value, 'n', value, 'SHIPMENT', 0, 1, 1, 1, '[]', 1, 1 FROM json_each('["one", "other"]');
    INSERT INTO shipment_figures SELECT value, 1, 's', NULL, NULL, NULL, 1, 1, 1, 1, 1, 1, NULL
      FROM json_each('["one", "other"]');
    INSERT INTO figures_due SELECT value, 1, '', 0 FROM json_each('["one", "other"]');
    DELETE FROM organization WHERE uuid = 'one'`);
  for (const table of ['shipment_figures', 'figures_due'])
    expect(db.prepare(`SELECT organization_uuid FROM ${table}`).all()).toEqual([
      { organization_uuid: 'other' },
    ]);
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function play(db: DatabaseSync, shipments: Said[], changes: Change[], zone: string): void {
  const uuids = shipments.map((said, number) => close(db, said, number));
  const archived = new Map<string, Counted>();
  for (const { at, what, to } of changes) {
    const [said, uuid] = [shipments[at % shipments.length]!, uuids[at % uuids.length]!];
    if (!archived.has(uuid)) correct(db, said, uuid, { what, to }, archived);
  }
  const all = shipments
    .map((said, number): [Said, Counted] => [
      said,
      archived.get(uuids[number]!) ?? counted(db, said, uuids[number]!),
    ])
    .filter(([said]) => said.status === 'COMPLETED');
  const run = <Row>(statement: SQL<Row>): Row[] => {
    const { text, params } = render(statement);
    return db.prepare(text).all(...(params as string[])) as Row[];
  };
  for (const groupBy of REPORT_GROUPS) {
    const asked = askReport(new Scope(ORGANIZATION), { from: '2026-10-20', to: '2026-11-05', groupBy, zone });
    const { content } = reportOf({ figures: run(asked.figures), reasons: run(asked.reasons) });
    const groups = [...new Set(all.map(([said, of]) => nameOf(groupBy, zone, said, of)))];
    const expected = groups.map((group) =>
      reportFrom(
        group,
        all.filter(([said, of]) => nameOf(groupBy, zone, said, of) === group),
      ),
    );
    expect({ [groupBy]: sorted(content) }).toEqual({ [groupBy]: sorted(expected) });
  }
}

function correct(
  db: DatabaseSync,
  said: Said,
  uuid: string,
  { what, to }: Pick<Change, 'what' | 'to'>,
  archived: Map<string, Counted>,
): void {
  const run = (text: string, ...values: (string | number)[]) => db.prepare(text).run(...values);
  const records = `SELECT a.uuid FROM shipment_manifest m JOIN asset_loading a ON a.manifest_uuid = m.manifest_uuid
    WHERE m.shipment_uuid = '${uuid}'`;
  if (what === 'mark')
    run(
      `UPDATE asset_loading SET loading_status = ? WHERE uuid IN (${records} AND a.closed = 1 LIMIT 1)`,
      INVALID.includes(to) ? 'LOADED' : to,
    );
  if (what === 'remove') run(`DELETE FROM asset_loading WHERE uuid IN (${records} AND a.closed = 0 LIMIT 1)`);
  if (what === 'carrier')
    run(
      `INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value) VALUES (?, ?, 'haulier', ?)
        ON CONFLICT DO UPDATE SET field_value = excluded.field_value`,
      ORGANIZATION,
      uuid,
      to,
    );
  if (what === 'planned')
    run(
      `INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value) VALUES (?, ?, 'leaves', ?)
        ON CONFLICT DO UPDATE SET field_value = excluded.field_value`,
      ORGANIZATION,
      uuid,
      new Date(said.closed - 7 * MINUTE).toISOString(),
    );
  if (what === 'unplan') run("DELETE FROM custom_field WHERE owner_uuid = ? AND field_key = 'leaves'", uuid);
  if (what !== 'archive') return;
  // The order in which retention deletes: loads first, then their records and fields.
  archived.set(uuid, counted(db, said, uuid));
  run(
    'DELETE FROM manifest WHERE uuid IN (SELECT manifest_uuid FROM shipment_manifest WHERE shipment_uuid = ?)',
    uuid,
  );
  run('DELETE FROM shipment_manifest WHERE shipment_uuid = ?', uuid);
  run('DELETE FROM shipment WHERE uuid = ?', uuid);
  run('DELETE FROM asset_loading WHERE manifest_uuid LIKE ?', `${uuid}m%`);
  run('DELETE FROM custom_field WHERE owner_uuid = ?', uuid);
}
