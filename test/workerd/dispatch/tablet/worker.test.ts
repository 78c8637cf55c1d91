import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { operator } from '../../client.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { gateUuid } from '../../web/console/forms.ts';
import { type Dock, newDock } from '../load/shipment/dock.ts';
import { type Device, deviceOf, type FormAnswer, logOf, newTablet } from './tablets.ts';

const { DB } = env as unknown as { DB: D1Database };

let dock: Dock;
let gate: string;
let manager: Device;
let device: Device;

async function opened(gateWorkerIdentification: string): Promise<void> {
  dock = await newDock({ gateWorkerIdentification });
  gate = `/app/gate/${await gateUuid(dock)}`;
  manager = deviceOf((await signIn(dock)).cookie);
  await dock.couple('A', 'B', 'C');
  await dock.manifest('M', 'A', 'B', 'C', 'D');
  await dock.must('POST', '/manifest/M/gate/G');
  await dock.must('POST', '/manifest/M/status/TO_DO');
  await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
  device = await newTablet(manager, gate, 'Dock 1');
}
const worker = (name: string, workerSecret: string): Promise<FormAnswer> =>
  manager.send('/app/gate-worker', { action: 'create', name, workerSecret });
const work = (workerSecret: string): Promise<FormAnswer> =>
  device.send(gate, { action: 'work', workerSecret });
const scan = (text: string, more: Record<string, string> = {}): Promise<FormAnswer> =>
  device.send(gate, { action: 'scan', scan: text, ...more });
const turnOf = ({ text }: FormAnswer): string => JSON.parse(text).turn;
const whoScanned = async (): Promise<string[]> =>
  (await logOf(dock, 'SCANS_RECORDED')).map(({ actor }) => actor.displayName);

afterEach(() => {
  vi.useRealTimers();
});

describe('by a badge', () => {
  beforeEach(async () => {
    await opened('BADGE');
    await worker('Ana', 'W-0001');
    await worker('Ben', 'W-0002');
  });

  it('a badge names the worker before anything is done, and the log names tablet and worker', async () => {
    const asked = await device.get(gate);
    for (const [word, is] of [
      ['Who works here?', true],
      ['Scan your badge', true],
      ['0</b> <span>/ 4', true],
      // The style sheet hides what needs a worker.
      ['data-asking="true"', true],
    ] as const) {
      expect([word, asked.text.includes(word)]).toEqual([word, is]);
    }
    const refused = await scan('A');
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      403,
      { refused: 'First scan your badge or enter your PIN.', waits: true },
    ]);
    expect((await work('nobody')).status).toBe(404);
    expect((await work(' w-0001{ENTER} ')).status).toBe(200);
    expect((await scan('A')).status).toBe(200);
    expect(await whoScanned()).toEqual(['Dock 1, Ana']);
    const [record] = await logOf(dock, 'GATE_TABLET_WORKER_CHANGED');
    expect(record.changes).toEqual([{ field: 'worker', oldValue: null, newValue: 'Ana' }]);
    expect((await device.get(gate)).text).toContain('<b>Ana</b>');
  });

  it('another badge takes over the tablet, and earlier actions keep their worker', async () => {
    const ana = turnOf(await work('W-0001'));
    const ben = await scan('w-0002');
    expect(JSON.parse(ben.text)).toMatchObject({ outcome: 'WORKER', pallet: 'Ben' });
    await scan('A');
    await scan('B', { turn: ana });
    expect(await whoScanned()).toEqual(['Dock 1, Ben', 'Dock 1, Ana']);
    expect((await scan('C', { turn: crypto.randomUUID() })).status).toBe(403);
    // A turn is valid only at its own tablet.
    const other = await newTablet(manager, gate, 'Dock 2');
    expect((await other.send(gate, { action: 'scan', scan: 'C', turn: turnOf(ben) })).status).toBe(403);
  });

  it("a worker's turn ends by button, after a quarter of an hour, and with the badge", async () => {
    const first = turnOf(await work('W-0001'));
    await device.send(gate, { action: 'workEnd' });
    expect((await scan('A')).status).toBe(403);
    const ana = turnOf(await work('W-0001'));
    expect(ana).not.toBe(first);
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start + 10 * 60_000 });
    await scan('A');
    await vi.waitFor(async () => {
      const row = await DB.prepare('SELECT last_used_date AS used FROM gate_turn WHERE uuid = ?')
        .bind(ana)
        .first<{ used: number }>();
      expect(row!.used).toBeGreaterThan(start + 9 * 60_000);
    });
    vi.setSystemTime(start + 20 * 60_000);
    expect((await scan('B')).status).toBe(200);
    vi.setSystemTime(start + 40 * 60_000);
    expect((await device.get(gate)).text).toContain('Who works here?');
    expect((await scan('C')).status).toBe(403);
    // The action was made during the turn and queued on the tablet.
    expect((await scan('C', { turn: ana })).status).toBe(200);
    vi.useRealTimers();
    await work('W-0002');
    const { text } = await manager.get('/app/gate-worker');
    const uuid = /confirm=delete&amp;worker=([0-9a-f-]+)"[^>]*aria-label="Delete Ben"/.exec(text)![1]!;
    const asked = await manager.get(`/app/gate-worker?confirm=delete&worker=${uuid}`);
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.text)![1]!;
    await manager.send('/app/gate-worker', { action: 'delete', worker: uuid, confirmed });
    expect((await device.get(gate)).text).toContain('Who works here?');
    expect((await work('W-0002')).status).toBe(404);
  });

  it('a deleted or replaced badge ends its turn, and later forms of that turn wait for another name', async () => {
    const ended = { deleted: turnOf(await work('W-0001')), replaced: turnOf(await work('W-0002')) };
    const page = (await manager.get('/app/gate-worker')).text;
    const uuidOf = (name: string): string =>
      new RegExp(`worker=([0-9a-f-]+)"[^>]*aria-label="Delete ${name}"`).exec(page)![1]!;
    await worker('Cleo', 'W-0003');
    await work('W-0003');
    expect((await scan('A', { turn: ended.deleted })).status).toBe(200);
    const asked = await manager.get(`/app/gate-worker?confirm=delete&worker=${uuidOf('Ana')}`);
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.text)![1]!;
    await manager.send('/app/gate-worker', { action: 'delete', worker: uuidOf('Ana'), confirmed });
    await manager.send('/app/gate-worker', {
      action: 'change',
      worker: uuidOf('Ben'),
      workerSecret: 'W-0009',
    });
    const key = crypto.randomUUID();
    for (const turn of [...Object.values(ended), crypto.randomUUID()]) {
      const refused = await scan('B', { turn, key });
      expect([refused.status, JSON.parse(refused.text)]).toEqual([
        403,
        { refused: expect.stringContaining('in your own name'), waits: true, held: true },
      ]);
    }
    expect(turnOf(await work('W-0009'))).not.toBe(ended.replaced);
    const row = await DB.prepare('SELECT tablet_uuid AS tablet FROM gate_turn WHERE uuid = ?')
      .bind(ended.deleted)
      .first<{ tablet: string }>();
    const { tablet } = row!;
    const taken = { owner: tablet, madeBy: tablet, key, keptDate: String(Date.now() - 5_000) };
    for (let time = 0; time < 2; time += 1) expect((await scan('B', taken)).status).toBe(200);
    expect(await whoScanned()).toEqual(['Dock 1, Ana', 'Dock 1, Ben']);
  });

  it('the log shows when a delayed form was kept, never after its turn ended', async () => {
    const ana = turnOf(await work('W-0001'));
    const keptOf = async (): Promise<(string | undefined)[]> =>
      (await logOf(dock, 'SCANS_RECORDED')).map(
        ({ changes }) => changes.find(({ field }: { field: string }) => field === 'keptDate')?.newValue,
      );
    const now = Date.now();
    const hourAgo = now - 3_600_000;
    await scan('A', { keptDate: String(now) });
    await scan('A', { keptDate: String(hourAgo) });
    await scan('A', { keptDate: 'yesterday' });
    await scan('A', { keptDate: '-1' });
    expect(await keptOf()).toEqual([undefined, new Date(hourAgo).toISOString(), undefined, undefined]);
    await work('W-0002');
    const ended = (await DB.prepare('SELECT end_date AS date FROM gate_turn WHERE uuid = ?')
      .bind(ana)
      .first<{ date: number }>())!.date;
    await scan('B', { turn: ana });
    await scan('B', { turn: ana, keptDate: String(hourAgo) });
    await scan('B', { turn: ana, keptDate: String(Date.now() + 3_600_000) });
    const endedAt = new Date(ended).toISOString();
    expect((await keptOf()).slice(4)).toEqual([endedAt, new Date(hourAgo).toISOString(), endedAt]);
    // The first scan was not queued, so its record has no such field.
    const [record] = await logOf(dock, 'SCANS_RECORDED');
    expect(record.changes.map(({ field }: { field: string }) => field)).toEqual(['scans']);
  });

  it('a badge belongs to one worker and is stored nowhere in clear', async () => {
    expect((await worker('Cleo', 'w-0001')).text).toContain('Another worker has this badge or PIN.');
    expect((await worker('ana', 'W-0009')).text).toContain(
      JSON.stringify('ana: Another worker has this name. Enter another one.'),
    );
    await work('W-0001');
    await scan('W-0002');
    for (const table of [
      'gate_worker',
      'gate_turn',
      'audit_log',
      'event_log',
      'idempotency',
      'recent_answer',
      'sign_in_attempt',
    ]) {
      const rows = JSON.stringify((await DB.prepare(`SELECT * FROM ${table}`).all()).results);
      expect([table, /W-000[12]/i.test(rows)]).toEqual([table, false]);
    }
  });

  it('ten unknown badges within a quarter of an hour stop a tablet', async () => {
    const tried = [];
    for (let count = 0; count < 11; count += 1) tried.push(await work(`nobody ${count}`));
    expect(tried.map(({ status }) => status)).toEqual([...Array(10).fill(404), 429]);
    expect(tried.at(-1)!.text).toContain('Wait 15 minutes.');
    expect((await work('W-0001')).status).toBe(429);
    // Attempts at this tablet do not block others.
    for (let count = 0; count < 100; count += 1) await work(`nobody ${count}`);
    const other = await newTablet(manager, gate, 'Dock 2');
    expect((await other.send(gate, { action: 'work', workerSecret: 'W-0001' })).status).toBe(200);
  });
});

describe('by a PIN', () => {
  it('a PIN has 6 to 12 digits, unlike any pallet', async () => {
    await opened('PIN');
    expect((await worker('Ana', '12345')).text).toContain('A PIN has 6 to 12 digits.');
    expect((await worker('Ana', '123456')).status).toBe(200);
    expect((await device.get(gate)).text).toContain('Type your PIN');
    expect((await work('123456')).status).toBe(200);
    expect((await scan('123456')).status).toBe(404);
    expect((await scan('A')).status).toBe(200);
  });
});

describe('an organization', () => {
  it('a tablet asks for no worker until the setting changes, and asks from then on', async () => {
    await opened('NONE');
    expect((await scan('A')).status).toBe(200);
    expect(await whoScanned()).toEqual(['Dock 1']);
    const path = `/organization/${dock.uuid}`;
    const { body } = await operator('PUT', path, { gateWorkerIdentification: 'BADGE' });
    expect(body.gateWorkerIdentification).toBe('BADGE');
    expect((await scan('B')).status).toBe(403);
    expect((await operator('PUT', path, { gateWorkerIdentification: 'FACE' })).status).toBe(400);
  });
});
