import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkDigit } from '../../../../src/pallet/gs1.ts';
import { cookieOf, look, post, type SignedIn, signIn } from '../../delivery/live/listener.ts';
import { newDevice, noteSilences } from '../../dispatch/device/devices.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid } from './forms.ts';

const SSCC = ['395212349000000093', '395212349000000109', '395212349000000116'] as const;
/** SSCCs of no known pallet. */
const FOREIGN = ['39521234900000777', '39521234900000778'].map((start) => start + checkDigit(start));
/** Longer than the default limit of five minutes for heartbeats. */
const SILENCE_MS = 6 * 60_000;

afterEach(() => vi.restoreAllMocks());

interface Gate {
  dock: Dock;
  path: string;
  person: SignedIn;
  /** Sends a scan as a device does that queues scans: it asks for JSON. */
  scan(
    fields: Record<string, string>,
    more?: { key?: string; cookie?: string; action?: string },
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  ): Promise<{ status: number; body: any }>;
}

async function loadingGate(): Promise<Gate> {
  const dock = await newDock();
  await dock.couple(SSCC[0], SSCC[1], 'W-1', 'X');
  await dock.manifest('M', ...SSCC, 'W-1');
  await dock.must('POST', '/manifest/M/gate/G');
  await dock.must('POST', '/manifest/M/status/TO_DO');
  await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
  const path = `/app/gate/${await gateUuid(dock)}`;
  const person = await signIn(dock);
  return {
    dock,
    path,
    person,
    async scan(fields, { key = crypto.randomUUID(), cookie = person.cookie, action = 'scan' } = {}) {
      const html = await (await look(path, cookie)).text();
      const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
      const headers = { Cookie: cookie, Accept: 'application/json' };
      const answer = await post(path, { ...fields, token, key, action }, headers);
      return { status: answer.status, body: await answer.json() };
    },
  };
}

const totalOf = async (dock: Dock, action: string): Promise<number> =>
  (await dock.must('GET', `/audit-log?action=${action}`)).body.totalElements;

describe('a scan at a gate by its page', () => {
  it("a scan on the gate page takes any name of a pallet, under the user's name", async () => {
    const { dock, scan, person } = await loadingGate();
    for (const [text, pallet] of [
      [`(00)${SSCC[0]}`, SSCC[0]],
      [`]C100${SSCC[1]}`, SSCC[1]],
      // This pallet has no marker yet.
      [`00${SSCC[2]}`, SSCC[2]],
      [String(dock.codes['W-1']), 'W-1'],
    ] as const) {
      const { status, body } = await scan({ scan: text });
      expect([text, status, body]).toEqual([
        text,
        200,
        expect.objectContaining({ outcome: 'LOADED', said: 'Loaded', pallet, manifest: 'M' }),
      ]);
    }
    expect((await dock.must('GET', '/manifest/M')).body.loadedAssetsCount).toBe(4);
    const { content } = (await dock.must('GET', '/audit-log?action=SCANS_RECORDED')).body;
    expect(content).toHaveLength(4);
    for (const { actor } of content) expect(actor).toMatchObject({ actorType: 'USER', uuid: person.uuid });
  });

  it('the end of an id offers the pallets of the list, and records nothing before one is chosen', async () => {
    const { dock, path, person, scan } = await loadingGate();
    const named = (code: string | number) => `Marker ${code}`;
    for (const [text, offered] of [
      ['0109', [{ pallet: SSCC[1], note: `M, ${named(dock.codes[SSCC[1]]!)}` }]],
      // This pallet has no marker yet.
      ['0116', [{ pallet: SSCC[2], note: 'M, no marker yet' }]],
    ] as const) {
      const { status, body } = await scan({ scan: text });
      expect([status, body]).toEqual([
        200,
        {
          said: 'Which pallet is it?',
          question: `Pallets on the list that end with ${text}.`,
          choices: offered.map(({ pallet, note }) => ({
            pallet,
            note: expect.stringMatching(new RegExp(note, 'i')),
          })),
        },
      ]);
      // A scan that is taken back has loaded nothing.
      expect((await scan({ scan: text, direction: 'UNLOAD' })).body.outcome).toBe('NOT_LOADED');
    }
    expect([await totalOf(dock, 'SCANS_RECORDED'), await totalOf(dock, 'ALERT_RAISED')]).toEqual([0, 0]);
    // Without scripts, the page asks.
    const page = await (await look(`${path}?scan=0109`, person.cookie)).text();
    expect(page).toContain('Pallets on the list that end with 0109.');
    // Three characters, and the end of a pallet that is not on the list, name no pallet.
    for (const text of ['109', '7777']) expect((await scan({ scan: text })).status).toBe(404);
  });

  it('a scan on the gate page reports wrong and unknown pallets', async () => {
    const { scan } = await loadingGate();
    expect((await scan({ scan: 'X' })).body).toMatchObject({
      outcome: 'WRONGLY_LOADED',
      pallet: 'X',
      manifest: null,
    });
    const foreign = FOREIGN[0]!;
    expect((await scan({ scan: foreign })).body).toMatchObject({
      outcome: 'UNKNOWN_LOADING',
      pallet: foreign,
    });
    // The number of an article, and a short number, are no pallets.
    for (const text of ['4006381333931', '4711']) expect((await scan({ scan: text })).status).toBe(404);
    expect(await scan({ scan: 'unknown' })).toEqual({
      status: 404,
      body: { refused: 'No pallet has the name unknown.' },
    });
    expect((await scan({ scan: ' ' })).status).toBe(400);
  });

  it('a scan is taken back by the same reading in the other direction', async () => {
    const { dock, scan } = await loadingGate();
    for (const [text, outcome] of [
      ['X', 'UNLOADED'],
      [FOREIGN[0]!, 'UNLOADED'],
      [SSCC[0], 'UNLOADED'],
      // Without a marker.
      [SSCC[2], 'UNLOADED'],
      [FOREIGN[1]!, 'NOT_LOADED'],
    ] as const) {
      if (outcome === 'UNLOADED') await scan({ scan: text });
      const { status, body } = await scan({ scan: text, direction: 'UNLOAD' });
      expect([text, status, body.outcome]).toEqual([text, 200, outcome]);
    }
    expect((await dock.must('GET', '/manifest/M')).body.loadedAssetsCount).toBe(0);
    expect((await dock.must('GET', '/alert-event?status=OPEN')).body.content).toEqual([]);
    expect((await scan({ scan: 'X', direction: 'AWAY' })).status).toBe(400);
  });

  it('a scan on the gate page counts once by its scanId, under any key', async () => {
    const { dock, scan } = await loadingGate();
    const sent = { scan: SSCC[0], scanId: crypto.randomUUID() };
    const first = await scan(sent);
    const again = await scan(sent);
    expect(again).toEqual(first);
    expect(await totalOf(dock, 'SCANS_RECORDED')).toBe(1);
  });

  it('a scan of a pallet without a marker counts once by its key, also in another session', async () => {
    const { dock, scan, person } = await loadingGate();
    const key = crypto.randomUUID();
    const sent = { scan: SSCC[2], scanId: key };
    const first = await scan(sent, { key });
    expect(first.body.outcome).toBe('LOADED');
    const { record } = first.body;
    expect((await scan({ record, status: 'NOT_LOADED' }, { action: 'mark' })).status).toBe(200);
    const cookie = await cookieOf(dock, person.email);
    expect(await scan(sent, { key, cookie })).toEqual(first);
    expect(await totalOf(dock, 'ASSET_LOADING_STATUS_CHANGED')).toBe(2);
    expect((await dock.must('GET', '/manifest/M')).body.loadedAssetsCount).toBe(0);
  });

  it('a scan that marked a pallet is answered as a scan after the pallet got a marker', async () => {
    const { dock, scan } = await loadingGate();
    const key = crypto.randomUUID();
    const sent = { scan: SSCC[2], scanId: key };
    expect((await scan(sent, { key })).body.outcome).toBe('LOADED');
    await dock.couple(SSCC[2]);
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await scan(sent, { key });
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ outcome: 'LOADED', pallet: SSCC[2], manifest: 'M' }),
      ]);
    }
    expect(await totalOf(dock, 'ASSET_LOADING_STATUS_CHANGED')).toBe(1);
  });

  it('a scan counts once if another user sends it after its maker did', async () => {
    const { dock, scan, person } = await loadingGate();
    const other = await signIn(dock);
    const key = crypto.randomUUID();
    const sent = { scan: SSCC[2], scanId: key };
    const first = await scan({ ...sent, owner: person.uuid }, { key });
    expect(first.body.outcome).toBe('LOADED');
    const { record } = first.body;
    expect((await scan({ record, status: 'NOT_LOADED' }, { action: 'mark' })).status).toBe(200);
    const taken = { ...sent, owner: other.uuid, madeBy: person.uuid };
    expect(await scan(taken, { key, cookie: other.cookie })).toEqual(first);
    expect(await totalOf(dock, 'ASSET_LOADING_STATUS_CHANGED')).toBe(2);
    // A scan that was never sent before counts as new.
    const another = crypto.randomUUID();
    expect((await scan({ ...taken, scanId: another }, { key: another, cookie: other.cookie })).status).toBe(
      200,
    );
    expect((await dock.must('GET', '/manifest/M')).body.loadedAssetsCount).toBe(1);
  });

  it('a scan that is refused before it is read gets problem details, stays on the device and is sent again', async () => {
    const { path, person } = await loadingGate();
    const headers = { Accept: 'application/json' };
    const fields = { scan: SSCC[0], action: 'scan', key: 'k' };
    const refused = await post(path, { ...fields, token: 'old' }, { ...headers, Cookie: person.cookie });
    expect([refused.status, refused.headers.get('Content-Type')]).toEqual([403, 'application/problem+json']);
    const signedOut = await post(path, { ...fields, token: 'old' }, { ...headers, Cookie: 'session=none' });
    expect([signedOut.status, signedOut.headers.get('Location')]).toEqual([
      303,
      expect.stringContaining('/app/login?next='),
    ]);
  });
});

it('a silent scanner shows beside the load on gate page, board and wall', async () => {
  const { dock, path, person } = await loadingGate();
  const device = await newDevice(dock, 'SCANNER', { name: 'Camera 2', gateExternalId: 'G' });
  await dock.device('POST', '/heartbeat', { ...device, status: 'ONLINE' });
  await noteSilences(SILENCE_MS);
  const silence = /Camera 2 has not reported since \d\d? \w+ \d{4}, \d\d:\d\d/;
  for (const [page, state, alert] of [
    [path, '4 to load', silence],
    ['/app/board', 'data-state="LOADING"', silence],
    ['/app/board?screen=wall', 'data-state="LOADING"', /<small class="trouble">Device offline</],
  ] as const) {
    const html = await (await look(page, person.cookie)).text();
    expect(html).toContain(state);
    expect(html).toMatch(alert);
  }
});
