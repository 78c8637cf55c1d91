import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { migratedDatabase } from '../../../migrations.ts';

const ROLE = JSON.stringify([{ fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' }]);
const [EARLY, LATE] = ['2026-11-26T10:00:00Z', '2026-11-26T12:00:00+01:00'];
let database: DatabaseSync;

const run = (statement: string, ...values: string[]) => database.prepare(statement).run(...values);
/** When departures are checked next; undefined for never. */
const due = () => database.prepare('SELECT due_date FROM departure_due').get()?.['due_date'];
const setDue = (date: number) =>
  run(`INSERT INTO departure_due VALUES ('O', ${date}) ON CONFLICT DO UPDATE SET due_date = ${date}`);

const shipment = (uuid: string, status: string) =>
  run(`INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, gate_uuid, folded_identifier, folded_notes,
    create_date, update_date) VALUES ('${uuid}', 'O', '${uuid}', '${status}', 'G', '', '', 1, 1)`);
const field = (owner: string, value: string, key = 'etd') =>
  run(
    `INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value) VALUES ('O', '${owner}', '${key}', ?)
      ON CONFLICT (organization_uuid, owner_uuid, field_key) DO UPDATE SET field_value = excluded.field_value`,
    value,
  );

beforeEach(() => {
  database = migratedDatabase();
  const columns = database.prepare("PRAGMA table_info('organization')").all();
  const needed = columns.filter(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null);
  const given: Record<string, string> = {
    uuid: "'O'",
    residence: "'HERE'",
    shipment_custom_fields: `'${ROLE}'`,
  };
  const all = [...new Set([...needed.map(({ name }) => String(name)), ...Object.keys(given)])];
  const exampleOf = (name: string): string => given[name] ?? FITTING[name] ?? '1';
  run(`INSERT INTO organization (${all.join()}) VALUES (${all.map(exampleOf).join()})`);
});

/** Values of columns that have a CHECK. */
const FITTING: Record<string, string> = { dispatch_strategy: "'SHIPMENT'", time_zone: "'UTC'" };

describe('the date of the next check', () => {
  it.each([
    ['the start of loading', () => run("UPDATE shipment SET status = 'IN_PROGRESS' WHERE uuid = 'S'")],
    ['another role', () => run("UPDATE organization SET shipment_custom_fields = '[]'")],
  ])('%s requests a check now', (_, act) => {
    shipment('S', 'TO_DO');
    field('S', LATE);
    setDue(5);
    act();
    expect(due()).toBe(0);
  });

  it.each([
    ['COMPLETED', "status = 'CANCELLED', close_date = 1"],
    ['deleted', 'deleted_date = 1'],
  ])('a shipment that is %s requests a check only if it has an open alert', (_, set) => {
    for (const [uuid, alerts] of [
      ['S', 0],
      ['T', 1],
    ] as const) {
      shipment(uuid, 'TO_DO');
      field(uuid, LATE);
      setDue(5);
      if (alerts > 0)
        run(`INSERT INTO alert (uuid, organization_uuid, alert_type, severity, status, params, record_uuid, create_date,
          update_date) VALUES ('A', 'O', 'DEPARTURE_LATE', 'WARNING', 'OPEN', '{}', '${uuid}', 1, 1)`);
      run(`UPDATE shipment SET ${set} WHERE uuid = '${uuid}'`);
      expect(due()).toBe(alerts > 0 ? 0 : 5);
    }
  });

  it('an organization that leaves has no date, and an arriving organization is checked at once', () => {
    setDue(5);
    run("UPDATE organization SET residence = 'FROZEN'");
    expect(due()).toBe(5);
    run("UPDATE organization SET residence = 'ARRIVING'");
    expect(due()).toBeUndefined();
    shipment('S', 'TO_DO');
    field('S', EARLY);
    expect(due()).toBeUndefined();
    run("UPDATE organization SET residence = 'HERE'");
    expect(due()).toBe(0);
  });

  it('a shipment has one open alert of a type at most', () => {
    const raise = (uuid: string) =>
      run(`INSERT INTO alert (uuid, organization_uuid, alert_type, severity, status, params, record_uuid, create_date,
        update_date) VALUES ('${uuid}', 'O', 'DEPARTURE_LATE', 'WARNING', 'OPEN', '{}', 'S', 1, 1)`);
    raise('A');
    expect(() => raise('B')).toThrow('UNIQUE');
    run("UPDATE alert SET status = 'RESOLVED', resolved_date = 1");
    raise('B');
  });
});
