import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ALERTS } from '../../../../src/dispatch/alert/rules.ts';
import {
  ALERT_TYPES,
  alertTypes,
  DEPARTURE_ALERT_TYPES,
  LOAD_ALERT_TYPES,
} from '../../../../src/dispatch/alert/table.ts';
import { DEVICE_TYPES } from '../../../../src/dispatch/device/table.ts';
import { migratedDatabase } from '../../../migrations.ts';

const SRC = resolve(import.meta.dirname, '../../../../src');
const RECORD_ALERT_TYPES = alertTypes(({ about }) => about === 'RECORD');

/** The conditions on the types of alerts in a text of SQL: single types, and `IN` lists. */
const typesIn = (text: string): string[][] =>
  [...text.matchAll(/\balert_type (?:(?:=|<>) ('\w+')|(?:NOT )?IN \(('[^)]*')\))/g)].map(([, one, list]) =>
    [...(one ?? list!).matchAll(/'(\w+)'/g)].map(([, type]) => type!),
  );

it('indexes and triggers name the types of alerts of the table, and indexes in its order', () => {
  const schema = migratedDatabase().prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
  const named = schema
    .map(({ name, sql }) => [name, typesIn(String(sql))] as const)
    .filter(([, types]) => types.length > 0);
  expect(named).toEqual([
    ['alert_open_load', [LOAD_ALERT_TYPES]],
    ['alert_sign_in_limit', [['SIGN_IN_LIMIT_REACHED']]],
    ['shipment_departure_update', [DEPARTURE_ALERT_TYPES]],
  ]);
});

it('statements list types of alerts only where they cannot use the table', () => {
  const lists = globSync('**/*.{ts,tsx}', { cwd: SRC }).flatMap((file) =>
    typesIn(readFileSync(resolve(SRC, file), 'utf8'))
      .filter((types) => types.length > 1)
      .map((types) => [file, types.toSorted()]),
  );
  // `access` may not import from `dispatch`.
  expect(lists).toEqual([['access/session/store.ts', RECORD_ALERT_TYPES]]);
});

it('the code lists types of alerts in the table only', () => {
  // A loading record has statuses of the same names.
  const names = ALERT_TYPES.filter((type) => !RECORD_ALERT_TYPES.includes(type)).join('|');
  const list = new RegExp(`'(?:${names})',\\s*'(?:${names})'`);
  expect(`['DEPARTURE_LATE', 'COMPLETED_SHORT']`).toMatch(list);
  const files = globSync('**/*.{ts,tsx,js}', { cwd: SRC }).filter((file) =>
    list.test(readFileSync(resolve(SRC, file), 'utf8')),
  );
  expect(files).toEqual([]);
});

it('each type of devices can have an alert', () => {
  expect(ALERTS.DEVICE_OFFLINE.params.shape.deviceType.options).toEqual([...DEVICE_TYPES]);
});
