import { sql } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { track } from '../../../../src/dispatch/track/table.ts';
import { bookText } from '../../../../src/web/console/pallet-list/xlsx.ts';
import { FILE_ROWS_MAXIMUM } from '../../../../src/web/ui/list/list-file.ts';
import { newPerson, type Person, page } from '../../access/session/person.ts';
import { ORIGIN } from '../../client.ts';
import { addOthers } from '../../conventions/others.ts';
import { addShipments, numbered, store } from '../../dispatch/load/shipment/bulk.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';
import { everyPage } from './every-page.ts';

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

/** The XML of the sheet of a workbook. */
const sheetOf = (bytes: Uint8Array): string => strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!);

/** The cells of a workbook as lines of text, and the answer that has it. */
async function workbookOf(at: Pick<Person, 'session'>, path: string) {
  const answer = await page('GET', path, { headers: { Cookie: `session=${at.session}` } });
  return { ...answer, lines: (await bookText(answer.bytes)).sheets[0]!.text.split('\n') };
}

it('a workbook has the same rows and columns as the CSV file, with ids and codes as texts', async () => {
  const yard = await newDock({ timeZone: 'Europe/Amsterdam' });
  const reader = await newPerson(yard, 'ADMINISTRATOR');
  await addTracks(yard, 1);
  const query = '?find=T1-&sort.sortBy=createDate&sort.direction=ASC';
  const { lines, headers, status, bytes } = await workbookOf(reader, `/app/track.xlsx${query}`);
  expect([status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'no-store',
  ]);
  expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename="track-\d{4}-\d\d-\d\d\.xlsx"$/);
  const records = recordsOf((await reader.get(`/app/track.csv${query}`)).text);
  expect(records).toHaveLength(2_001);
  // A date of the workbook has no offset. Cells at the end of a row that are empty are not in the file.
  const plain = records.map((cells) =>
    cells
      .join('\t')
      .replace(/(T\d\d:\d\d:\d\d)\+0[12]:00/g, '$1')
      .trimEnd(),
  );
  expect(lines.map((line) => line.replace(/(T\d\d:\d\d)(?=\t|$)/g, '$1:00'))).toEqual(plain);
  const sheet = sheetOf(bytes);
  for (const text of [records[1]![0], '6000002000'])
    expect(sheet).toContain(` t="inlineStr"><is><t xml:space="preserve">${text}</t>`);
});

it('a workbook has no marker code as a number, which a spreadsheet would shorten', async () => {
  const { person: reader, paths } = await everyPage();
  const files = [...paths.values()].filter((path) => path.endsWith('.xlsx'));
  expect(files.length).toBeGreaterThan(15);
  const withCodes: string[] = [];
  for (const path of files) {
    const { bytes } = await workbookOf(reader, path);
    const sheet = sheetOf(bytes);
    const numbers = [...sheet.matchAll(/<c r="[A-Z]+\d+"><v>([^<]*)</g)].map(([, number]) => Number(number));
    // The codes of this world have seven digits or more.
    expect([path, numbers.filter((number) => number >= 1_000_000)]).toEqual([path, []]);
    if (/<t [^>]*>\d{7,}</.test(sheet)) withCodes.push(path);
  }
  expect(withCodes).toEqual(expect.arrayContaining(['/app/printing-batch.xlsx', '/app/track.xlsx']));
  const yard = await newDock();
  await yard.couple('A');
  await yard.manifest('M', 'A');
  await yard.shipment('S', ['M'], { gateIdentifier: 'G' });
  await yard.must('POST', '/shipment/S/status/IN_PROGRESS');
  await yard.scan(1_999_999);
  await yard.must('POST', '/shipment/S/status/COMPLETED');
  const { bytes } = await workbookOf(await newPerson(yard), '/app/report/wrong-pallets.xlsx');
  const sheet = sheetOf(bytes);
  expect(sheet).toContain('<c r="A2" s="1" t="inlineStr"><is><t xml:space="preserve">1999999</t>');
}, 60_000);

it.each(['xlsx', 'csv'])('an %s file is refused where its list is', async (format) => {
  expect((await person.get(`/app/manifest.${format}?manifestStatus=NO`)).status).toBe(400);
  const viewer = await newPerson(dock, 'VIEWER');
  expect((await viewer.get(`/app/user.${format}`)).status).toBe(403);
});

it('a file has nothing of another organization', async () => {
  const stranger = await newPerson(await newDock(), 'ADMINISTRATOR');
  expect(recordsOf((await stranger.get('/app/manifest.csv')).text)).toHaveLength(1);
  expect((await workbookOf(stranger, '/app/manifest.xlsx')).lines).toHaveLength(1);
});

it('a file streams 20,000 rows in pieces, each once', async () => {
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
  const { bytes } = await page('GET', '/app/track.xlsx', {
    headers: { Cookie: `session=${reader.session}` },
  });
  const sheet = sheetOf(bytes);
  const ids = [...sheet.matchAll(/<c r="A\d+"[^>]*><is><t [^>]*>(T[^<]*)</g)].map(([, id]) => id);
  expect(ids).toEqual(names);
}, 120_000);

it.each(['xlsx', 'csv'])('an %s file with too many rows is refused with its limit', async (format) => {
  expect(FILE_ROWS_MAXIMUM).toBe(50_000);
  const crowded = await newDock();
  const reader = await newPerson(crowded, 'ADMINISTRATOR');
  await addOthers(crowded, 10);
  await setTotal(crowded, FILE_ROWS_MAXIMUM + 1);
  const { status, text } = await reader.get(`/app/manifest.${format}`);
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
