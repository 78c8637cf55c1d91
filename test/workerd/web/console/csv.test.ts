import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { track } from '../../../../src/dispatch/track/table.ts';
import { CSV_ROWS_MAXIMUM } from '../../../../src/web/ui/list/csv.ts';
import { newPerson, page } from '../../access/session/person.ts';
import { ORIGIN } from '../../client.ts';
import { addOthers } from '../../conventions/others.ts';
import { addShipments, numbered, store } from '../../dispatch/load/shipment/bulk.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';

const dock = await newDock({ timeZone: 'Europe/Amsterdam' });
const person = await newPerson(dock, 'ADMINISTRATOR');

/** Parses a file by RFC 4180. The header is the first record. */
function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  for (const [, quoted, plain, end] of text
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    cells.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    records.push(cells);
    cells = [];
  }
  return records;
}

it('a CSV file has the rows of the list with its filter and order, without formulas', async () => {
  const names = ["x;=cmd|' /C calc'!A0;y", '=1+1', '+M', '-M', '@M', 'M, "quoted"', 'ordinary'];
  for (const name of names) await dock.manifest(name);
  await dock.must('POST', '/manifest/ordinary/status/TO_DO');
  const { text, headers } = await person.get('/app/manifest.csv?manifestStatus=PLANNED');
  expect(headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="manifest-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const [header, ...rows] = recordsOf(text);
  expect(header![0]).toBe('Manifest');
  expect(rows.map(([name]) => name)).toEqual([
    'M, "quoted"',
    "'@M",
    "'-M",
    "'+M",
    "'=1+1",
    "x;'=cmd|' /C calc'!A0;y",
  ]);
  expect(rows[0]![header!.indexOf('Created')]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00$/);
  const sorted = await person.get(
    '/app/manifest.csv?find=m&sort.sortBy=externalIdentifier&sort.direction=ASC&pageNumber=3',
  );
  expect(
    recordsOf(sorted.text)
      .slice(1)
      .map(([name]) => name),
  ).toEqual(["'+M", "'-M", "'@M", 'M, "quoted"', "x;'=cmd|' /C calc'!A0;y"]);
});

it('a CSV file has the order of the list on the screen, also an order without a cursor', async () => {
  const fields = [{ fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' }];
  const yard = await newDock({ shipmentCustomFields: fields });
  const reader = await newPerson(yard, 'ADMINISTRATOR');
  await addShipments(yard, 'S-', 445);
  for (const [name, fieldValue] of [
    ['S-7', '2020-01-01T10:00:00Z'],
    ['S-300', '2031-01-01T10:00:00Z'],
    ['S-2', '2025-01-01T10:00:00Z'],
  ])
    await yard.must('POST', `/shipment/${name}/custom-field`, { fieldKey: 'etd', fieldValue });
  await yard.must('POST', '/shipment/S-9/status/CANCELLED');
  const shown = (html: string) =>
    [...html.matchAll(/<th scope="row"><a href="[^"]+">([^<]+)<\/a>/g)].map(([, name]) => name!);
  const filed = (text: string) =>
    recordsOf(text)
      .slice(1)
      .map(([name]) => name);
  for (const query of ['?pageSize=100', '?sort.sortBy=status&pageSize=100', '?sort.sortBy=departure']) {
    const screen = shown((await reader.get(`/app/shipment${query}`)).text);
    const file = filed((await reader.get(`/app/shipment.csv${query}`)).text);
    expect([query, file.slice(0, screen.length)]).toEqual([query, screen]);
    const total = query.includes('departure') ? 3 : 445;
    expect([query, file.length, new Set(file).size]).toEqual([query, total, total]);
  }
  const rows = new URLSearchParams();
  for (const name of ['S-300', 'S-2', 'S-7'])
    rows.append('row', (await yard.must('GET', `/shipment/${name}`)).body.uuid);
  for (const [query, order] of [
    ['', ['S-7', 'S-2', 'S-300']],
    ['?sort.sortBy=departure&sort.direction=DESC', ['S-300', 'S-2', 'S-7']],
  ] as const) {
    const fields = new URLSearchParams({ token: await reader.token(), action: 'fileRows', key: 'k' });
    for (const [name, value] of rows) fields.append(name, value);
    const headers = { Cookie: `session=${reader.session}`, Origin: ORIGIN };
    const { text } = await page('POST', `/app/shipment${query}`, { headers, fields });
    expect([query, filed(text)]).toEqual([query, order]);
  }
});

it('a CSV file is refused where its list is, and has nothing of another organization', async () => {
  const stranger = await newPerson(await newDock(), 'ADMINISTRATOR');
  expect(recordsOf((await stranger.get('/app/manifest.csv')).text)).toHaveLength(1);
  expect((await person.get('/app/manifest.csv?manifestStatus=NO')).status).toBe(400);
  const viewer = await newPerson(dock, 'VIEWER');
  expect((await viewer.get('/app/user.csv')).status).toBe((await viewer.get('/app/user')).status);
});

it('a CSV file streams 20,000 rows in pieces, each once', async () => {
  const large = await newDock();
  const reader = await newPerson(large, 'ADMINISTRATOR');
  for (let part = 0; part < 10; part += 1) await addTracks(large, part);
  let text = '';
  const trips = await recorded(async () => {
    text = (await reader.get('/app/track.csv')).text;
  });
  const names = recordsOf(text)
    .slice(1)
    .map(([name]) => name);
  expect([names.length, new Set(names).size]).toEqual([20_000, 20_000]);
  expect(Math.max(...trips.map(({ rowsRead }) => rowsRead))).toBeLessThan(200 * 40);
}, 120_000);

it('a CSV file with too many rows is refused with its limit', async () => {
  expect(CSV_ROWS_MAXIMUM).toBe(50_000);
  const crowded = await newDock();
  const reader = await newPerson(crowded, 'ADMINISTRATOR');
  await addOthers(crowded, 10);
  await setTotal(crowded, CSV_ROWS_MAXIMUM + 1);
  const { status, text } = await reader.get('/app/manifest.csv');
  expect([status, /A file holds at most 50,000 rows, but the list has 50001/.test(text)]).toEqual([
    400,
    true,
  ]);
});

/** Writes 2,000 tracks directly into the database. */
async function addTracks(at: Dock, part: number): Promise<void> {
  const now = Date.now();
  await store(at, (database) =>
    database.insert(
      track,
      numbered(`T${part}-`, 2_000).map((wmsId, index) => ({
        uuid: crypto.randomUUID(),
        wmsId,
        markerCode: 6_000_000_000 + part * 2_000 + index,
        retirement: 'NONE' as const,
        flagged: 0,
        damaged: 0,
        coupleDate: now,
        foldedWmsId: wmsId.toLowerCase(),
        createDate: now + index,
        updateDate: now,
      })),
    ),
  );
}

/** Sets the stored total of manifests. */
const setTotal = (at: Dock, total: number): Promise<void> =>
  store(at, ({ organization }) => [
    sql`UPDATE list_part SET parts = json_object('PLANNED', ${total})
      WHERE organization_uuid = ${organization} AND list = 'manifest'`,
  ]);
