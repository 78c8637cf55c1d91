import type { DatabaseSync } from 'node:sqlite';
import type { SQL } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Scope } from '../../../../src/core/lib/scope.ts';
import { render } from '../../../../src/core/lib/sql.ts';
import { dayIn } from '../../../../src/core/lib/zone.ts';
import type { Context } from '../../../../src/core/writer/command.ts';
import { countCaught } from '../../../../src/dispatch/load/shared/asset-store.ts';
import { figuresOfCarriers } from '../../../../src/dispatch/load/shipment/changes.ts';
import { REPORT_GROUPS, type ReportGroup, weekOf } from '../../../../src/dispatch/report/rules.ts';
import { askReport, type ReportRow, reportOf } from '../../../../src/dispatch/report/store.ts';
import { migratedDatabase } from '../../../migrations.ts';
import {
  type Counted,
  close,
  counted,
  FIELDS,
  INVALID,
  MINUTE,
  ORGANIZATION,
  type Said,
  shipment,
  status,
} from './shipments.ts';

const change = fc.record({
  at: fc.nat(),
  what: fc.constantFrom('mark', 'mark', 'remove', 'carrier', 'planned', 'unplan', 'archive'),
  to: status,
});

const nameOf = (groupBy: ReportGroup, zone: string, said: Said, { carrier }: Counted): string | null => {
  const day = dayIn(zone, said.closed);
  const key = carrier?.normalize('NFC').trim().replace(/ +/g, ' ').toLowerCase() ?? null;
  return { DAY: day, WEEK: weekOf(day), MONTH: day.slice(0, 7), CARRIER: key, GATE: said.gate }[groupBy];
};

/** The name of a group of carriers: the most frequent spelling, then the first one in the alphabet. */
function shownName(group: string | null, groupBy: ReportGroup, shipments: [Said, Counted][]): string | null {
  if (groupBy !== 'CARRIER' || group === null) return group;
  const names = shipments.map(([, { carrier }]) => carrier!.normalize('NFC').trim().replace(/ +/g, ' '));
  const count = (name: string) => names.filter((other) => other === name).length;
  return names.toSorted((a, b) => count(b) - count(a) || (a < b ? -1 : 1))[0]!;
}

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
    shipmentsArrived: sum((of) => Number(of.dwellMinutes > 0)),
    gateMinutes: sum((of) => of.gateMinutes),
    palletsLoaded: sum((of) => of.palletsLoaded),
    palletsWrong: sum((of) => of.palletsWrong),
    palletsCaught: sum((of) => of.palletsCaught),
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
    const { content } = reportOf({ figures: run(asked.figures), reasons: run(asked.reasons) }, groupBy);
    const groups = [...new Set(all.map(([said, of]) => nameOf(groupBy, zone, said, of)))];
    const expected = groups.map((group) => {
      const own = all.filter(([said, of]) => nameOf(groupBy, zone, said, of) === group);
      return reportFrom(shownName(group, groupBy, own), own);
    });
    const shown = content.map(({ spellings: _, ...row }) => row);
    expect({ [groupBy]: sorted(shown) }).toEqual({ [groupBy]: sorted(expected) });
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
  if (what === 'remove') {
    const removed = db
      .prepare(
        `DELETE FROM asset_loading WHERE uuid IN (${records} AND a.closed = 0 LIMIT 1) RETURNING manifest_uuid`,
      )
      .all()
      .map(({ manifest_uuid: manifest }) => String(manifest));
    for (const write of countCaught({ scope: new Scope(ORGANIZATION) } as Context, removed)) {
      const { text, params } = render(write as SQL);
      run(text, ...(params as string[]));
    }
  }
  if (what === 'carrier') {
    run(
      `INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value) VALUES (?, ?, 'haulier', ?)
        ON CONFLICT DO UPDATE SET field_value = excluded.field_value`,
      ORGANIZATION,
      uuid,
      to,
    );
    const { text, params } = render(figuresOfCarriers(new Scope(ORGANIZATION), [uuid]));
    run(text, ...(params as string[]));
  }
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
