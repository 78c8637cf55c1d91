import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API, OPERATOR_KEY, operator, type Served, send } from './client.ts';
import { ROOT } from './service.ts';
import { sharedService } from './shared.ts';

const DEMO_MAXIMUM_MS = 120_000;
let service: Served;
let home: string;
beforeAll(async () => {
  service = await sharedService();
  home = mkdtempSync(join(tmpdir(), 'dispatch-demo-'));
});
afterAll(() => rmSync(home, { recursive: true }));

interface Played {
  said: string;
  code: number | null;
}

/** Runs `npm run demo` with these arguments. */
function demo(...parameters: string[]): Promise<Played> {
  return new Promise((answer) => {
    const child = spawn(process.execPath, ['src/cli/demo.ts', ...parameters], {
      cwd: ROOT,
      env: { ...process.env, PORT: new URL(service.origin).port, BASE_URL: service.origin, OPERATOR_KEY },
      timeout: DEMO_MAXIMUM_MS,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.on('close', (code) => answer({ said, code }));
  });
}

/** Returns the lines between a heading and the next empty line. */
const section = (said: string, heading: string): string =>
  new RegExp(`^${heading}.*\\n((?: .*\\n)*)`, 'm').exec(said)?.[1] ?? '';

/** Opens the links at the end of a run: requests with its key, this many public pages, and the sign-in. */
async function openAll(said: string, { pages }: { pages: number }): Promise<void> {
  const asked = [...section(said, 'With the key').matchAll(/X-AUTH-KEY: (\S+)' '(\S+)'/g)];
  expect(asked.length).toBeGreaterThan(2);
  for (const [, key, url] of asked) {
    const { status } = await fetch(url!, { headers: { 'X-AUTH-KEY': key! } });
    expect([url, status]).toEqual([url, 200]);
  }
  const links = section(said, 'Pages that anyone').match(/http\S+/g)!;
  expect(links).toHaveLength(pages);
  const [invite] = section(said, 'In the operations application').match(/http\S+/)!;
  for (const link of [...links, invite]) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
}

describe('npm run demo', () => {
  let first: Played;
  let again: Played;
  beforeAll(async () => {
    first = await demo();
    again = await demo();
  }, 2 * DEMO_MAXIMUM_MS);

  it('npm run demo plays a whole day, and a second run changes nothing', () => {
    expect(first.code, first.said).toBe(0);
    expect(first.said).not.toContain('[as in an earlier run]');
    expect(first.said).toContain('SHIP-81 is IN_PROGRESS: 6 of 6 pallets LOADED');
    expect(first.said).toMatch(/WRONGLY_LOADED, OPEN: .*\n.*UNKNOWN_LOADING, OPEN: /);
    expect(first.said).toContain('SHIP-81 is COMPLETED: 5 of 6 pallets LOADED');
    expect(first.said).toContain('SHIP-82 is TO_DO: 0 of 2 pallets LOADED');
    const total = section(first.said, 'At the end of the day');
    expect(total).toMatch(
      /shipments: 2\n.*manifests: 3\n.*tracks: 8\n.*gates: 2\n.*alerts: 2\n.*open alerts: 0\n/,
    );

    // Its own webhook reports the events during the day.
    expect(first.said).toMatch(/← \d+ SHIPMENT_STATUS_CHANGED SHIP-81 COMPLETED/);
    expect(first.said).toMatch(/← \d+ ALERT_RAISED .*WRONGLY_LOADED/);
    const numbers = [...first.said.matchAll(/^ +← (\d+) /gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(20);
    expect(first.said).toContain(`The webhook was sent all ${numbers.length} events`);

    expect(again.code, again.said).toBe(0);
    expect(again.said).toContain('The webhook was sent all 0 events');
    expect(section(again.said, 'At the end of the day')).toBe(total);
    expect(section(again.said, 'Pages that anyone')).toBe(section(first.said, 'Pages that anyone'));
    const done = section(again.said, 'Shipments are put together').split('\n').slice(0, 4);
    expect(done.every((line) => line.endsWith('[as in an earlier run]'))).toBe(true);
  });

  it('npm run demo prints links that a person can open', async () => {
    const { said } = again;
    const images = [...section(said, 'Marker images').matchAll(/http\S+/g)].map(([url]) => url);
    expect(images).toHaveLength(8);
    for (const image of images) expect((await fetch(image)).status).toBe(200);
    await openAll(said, { pages: 6 });
  });
});

describe('npm run demo -- --from FOLDER', () => {
  const HEADER =
    'orderID,customerID,employeeID,orderDate,requiredDate,shippedDate,shipVia,freight,shipName,shipCountry';
  /**
   * Writes an export of this many orders, each of two pallets. A shipper gets two a day. Every seventh is not
   * shipped.
   */
  function writeExport(folder: string, count: number): void {
    const ids = Array.from({ length: count }, (_, index) => 5_001 + index);
    const orders = ids.map((id, index) => {
      const shipped =
        index % 7 === 6 ? 'NULL' : `2001-02-${String(1 + (index >> 1)).padStart(2, '0')} 00:00:00.000`;
      return `${id},C1,1,2001-01-01,2001-03-01,${shipped},${1 + ((index >> 1) % 2)},1.0,Name,Norway`;
    });
    const lines = ids.flatMap((id) => [`${id},1,2.50,10`, `${id},2,3.50,20`]);
    const write = (name: string, ...rows: string[]) => {
      writeFileSync(join(folder, `${name}.csv`), `${rows.join('\n')}\n`);
    };
    mkdirSync(folder);
    write('orders', HEADER, ...orders);
    write('order-details', 'orderID,productID,unitPrice,quantity', ...lines);
    write('customers', 'customerID,companyName', 'C1,Customer One');
    write('shippers', 'shipperID,companyName', '1,Shipper One', '2,Shipper Two');
  }

  const found = (said: string, what: string): number =>
    Number(new RegExp(`^ +${what} +\\d+ +(\\d+)`, 'm').exec(said)?.[1]);

  it('npm run demo -- --from dispatches an export once, compares it, and reports differences', async () => {
    const folder = join(home, 'small-export');
    writeExport(folder, 30);
    const first = await demo('--from', folder);
    expect(first.code, first.said).toBe(0);
    expect(first.said).toContain('All of it adds up.');
    expect(found(first.said, 'manifests')).toBe(30);
    expect(found(first.said, 'shipments')).toBe(15);
    expect(found(first.said, 'pallets LOADED, as shipments count them')).toBe(52);
    expect(found(first.said, 'alerts')).toBe(4);

    const again = await demo('--from', folder);
    expect(again.code, again.said).toBe(0);
    const rows = (said: string) => said.slice(said.indexOf('  What'), said.indexOf('All of it'));
    expect(rows(again.said)).toBe(rows(first.said));
    expect(again.said).toMatch(/[1-9]\d* answers came from an earlier run/);
    await openAll(again.said, { pages: 4 });

    const { json } = await operator(service, 200, { method: 'GET', path: '/organization?pageSize=100' });
    const { uuid } = json.content.find(({ slug }: { slug: string }) => slug === 'demo-small-export');
    const issued = await operator(service, 201, {
      method: 'POST',
      path: `/organization/${uuid}/api-key`,
      json: { name: 'Somebody' },
    });
    const changed = await send(service, {
      method: 'PATCH',
      path: `${API}/shipment/SHIP-2001-02-01-1/asset-loading/track/395212340500100016/status`,
      headers: { 'X-AUTH-KEY': issued.json.secret },
      json: { status: 'NOT_LOADED', gateExternalId: 'GATE-1' },
    });
    expect(changed.status, changed.text).toBe(200);
    const after = await demo('--from', folder);
    expect(after.said).toContain('It does not add up.');
    expect(after.said).toMatch(/pallets LOADED, as shipments count them +52 +51 +DIFFERENT/);
    expect(after.code).toBe(1);
  });

  it('npm run demo -- --from finds no difference while the organization moves five times', async () => {
    const folder = join(home, 'moved-export');
    writeExport(folder, 60);
    const { said, code } = await demo('--from', folder, '--moves', '5');
    expect(code, said).toBe(0);
    const moves = [...said.matchAll(/moved to (DB\w*) \((\d) of 5\)/g)].map(([, to, count]) => [to, count]);
    expect(moves.map(([, count]) => Number(count))).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(moves.map(([to]) => to))).toEqual(new Set(['DB', 'DB_1']));
    expect(said).toContain('All of it adds up.');
    expect(found(said, 'manifests')).toBe(60);
    expect((await demo('--from', folder, '--moves', 'some')).said).toContain(
      '--moves must be a whole number from 0 up.',
    );
  });

  it('npm run demo -- --from reports files that it cannot read', async () => {
    const { said, code } = await demo('--from', join(home, 'nowhere'));
    expect(said).toMatch(/nowhere\/[a-z-]+\.csv/);
    expect(code).toBe(1);
  });
});
