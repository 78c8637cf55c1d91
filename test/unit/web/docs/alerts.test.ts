import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ALERT_TYPES, alertTypes, LOAD_ALERT_TYPES } from '../../../../src/dispatch/alert/table.ts';

const GUIDES = resolve(import.meta.dirname, '../../../../src/web/docs/guides');
const textOf = (guide: string): string => readFileSync(resolve(GUIDES, `${guide}.md`), 'utf8');
/** The types of alerts in the first column of a table. */
const rowsOf = (text: string, cell: RegExp): string[] =>
  [...text.matchAll(cell)].map(([, type]) => type!).sort();

it('a guide for programs names each type of alerts', () => {
  const guides = globSync('*.md', { cwd: GUIDES }).map((file) => textOf(file.replace(/\.md$/, '')));
  expect(ALERT_TYPES.filter((type) => !guides.some((text) => text.includes(type)))).toEqual([]);
});

it('the guide for clients has a row for each type of alerts about loads, and their severity', () => {
  const [, section] = /^## Alerts about loads\n(.*?)^## /ms.exec(textOf('writing-a-client'))!;
  expect(rowsOf(section!, /^\| `([A-Z_]+)` \|/gm)).toEqual(LOAD_ALERT_TYPES);
  const [, critical] = /`([A-Z_]+)` has the severity CRITICAL, and the others have WARNING/.exec(section!)!;
  const isOfLoad = (about: string): boolean => about === 'LOAD' || about === 'DEPARTURE';
  expect(alertTypes(({ about, severity }) => isOfLoad(about) && severity === 'CRITICAL')).toEqual([critical]);
});

it.each(['manual/dispatcher', 'de/manual/dispatcher'])(
  'the manual %s says what to do about each alert, except those about webhooks and sign-in',
  (manual) => {
    const types = alertTypes(({ about }) => about !== 'WEBHOOK' && about !== 'TABLET');
    expect(rowsOf(textOf(manual), /^\| \{msg:alertType\.([A-Z_]+)\} \|/gm)).toEqual(types);
  },
);
