import { beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../../../src/core/lib/id.ts';
import { badgeKey, badgeProof, listedBadge } from '../../../../src/dispatch/tablet/badge-rules.ts';
import { operator } from '../../client.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { gateUuid } from '../../web/console/forms.ts';
import { type Dock, newDock } from '../load/shipment/dock.ts';
import { type Device, deviceOf, type FormAnswer, logOf, newTablet } from './tablets.ts';

let dock: Dock;
let gate: string;
let manager: Device;
let device: Device;

const worker = (name: string, workerSecret: string): Promise<FormAnswer> =>
  manager.send('/app/gate-worker', { action: 'create', name, workerSecret });

beforeEach(async () => {
  dock = await newDock({ gateWorkerIdentification: 'BADGE' });
  gate = `/app/gate/${await gateUuid(dock)}`;
  manager = deviceOf((await signIn(dock)).cookie);
  await dock.couple('A', 'B');
  await dock.manifest('M', 'A', 'B');
  await dock.must('POST', '/manifest/M/gate/G');
  await dock.must('POST', '/manifest/M/status/TO_DO');
  await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
  await worker('Ana', 'W-0001');
  await worker('Ben', 'W-0002');
  device = await newTablet(manager, gate, 'Dock 1');
});

const attribute = async (of: Device, name: string): Promise<string | undefined> =>
  new RegExp(` data-${name}="([^"]*)"`).exec((await of.get(gate)).text)?.[1]?.replaceAll('&quot;', '"');
const badgesAt = async (of: Device): Promise<[string, string][]> =>
  JSON.parse((await attribute(of, 'badges')) ?? '[]');
const tabletOf = async (of: Device): Promise<string> => (await attribute(of, 'owner'))!;
/** The proof of a badge, as a tablet computes it. */
const proofAt = async (of: Device, badge: string): Promise<string> =>
  badgeProof(await badgeKey(dock.uuid, badge), await tabletOf(of));
/** Sends the identification that a tablet has queued. */
const begin = (badgeProof: string, begins: string, of = device): Promise<FormAnswer> =>
  of.send(gate, { action: 'work', badgeProof, begins });
const scan = (text: string, turn: string): Promise<FormAnswer> =>
  device.send(gate, { action: 'scan', scan: text, turn });
const whoScanned = async (): Promise<string[]> =>
  (await logOf(dock, 'SCANS_RECORDED')).map(({ actor }) => actor.displayName);
async function remove(name: string): Promise<void> {
  const { text } = await manager.get('/app/gate-worker');
  const uuid = new RegExp(`worker=([0-9a-f-]+)"[^>]*aria-label="Delete ${name}"`).exec(text)![1]!;
  const asked = await manager.get(`/app/gate-worker?confirm=delete&worker=${uuid}`);
  const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.text)![1]!;
  await manager.send('/app/gate-worker', { action: 'delete', worker: uuid, confirmed });
}

describe('badges without a connection', () => {
  it('the page of a tablet lists the badges of the site as hashes that only this tablet can compute', async () => {
    const listed = await badgesAt(device);
    expect(listed.map(([, name]) => name).sort()).toEqual(['Ana', 'Ben']);
    const hash = await listedBadge(await proofAt(device, ' w-0001 '));
    expect(listed).toContainEqual([hash, 'Ana']);
    expect((await device.get(gate)).text).not.toMatch(/W-000[12]/i);
    const other = await newTablet(manager, gate, 'Dock 2');
    expect((await badgesAt(other)).map(([each]) => each)).not.toContain(hash);
    // A change of the list is announced to the page.
    expect(JSON.parse((await attribute(device, 'topics'))!)).toContain('workers');
    // A user at a desk gets no list.
    expect(await badgesAt(manager)).toEqual([]);
  });

  it('scans of a turn that began without the service carry its worker', async () => {
    const [first, second] = [newUuid(), newUuid()];
    const begun = await begin(await proofAt(device, 'W-0001'), first);
    expect([begun.status, JSON.parse(begun.text)]).toEqual([
      200,
      expect.objectContaining({ outcome: 'WORKER', pallet: 'Ana', turn: first }),
    ]);
    await scan('A', first);
    await begin(await proofAt(device, 'W-0002'), second);
    await scan('B', second);
    expect(await whoScanned()).toEqual(['Dock 1, Ana', 'Dock 1, Ben']);
  });

  it('a hash of the list, the proof of another tablet and a used turn begin no turn', async () => {
    const [hash] = (await badgesAt(device)).find(([, name]) => name === 'Ana')!;
    const other = await newTablet(manager, gate, 'Dock 2');
    for (const proof of [hash.padEnd(64, '0'), await proofAt(other, 'W-0001')])
      expect((await begin(proof, newUuid())).status).toBe(404);
    const turn = newUuid();
    expect((await begin(await proofAt(other, 'W-0001'), turn, other)).status).toBe(200);
    // An import accepts only ids that the service could have made.
    for (const refused of [turn, crypto.randomUUID()])
      expect((await begin(await proofAt(device, 'W-0002'), refused)).status).toBe(400);
    expect(await whoScanned()).toEqual([]);
  });

  it('a deleted or changed badge leaves the list, and scans of its turn wait for another name', async () => {
    const proof = await proofAt(device, 'W-0002');
    await remove('Ben');
    expect((await badgesAt(device)).map(([, name]) => name)).toEqual(['Ana']);
    const turn = newUuid();
    expect((await begin(proof, turn)).status).toBe(404);
    const refused = await scan('A', turn);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      403,
      { refused: expect.stringContaining('in your own name'), waits: true, held: true },
    ]);
    expect(await whoScanned()).toEqual([]);
  });

  it('tablets that ask for PINs or for nobody get no list, and accept no proof', async () => {
    const proof = await proofAt(device, 'W-0001');
    for (const gateWorkerIdentification of ['PIN', 'NONE']) {
      await operator('PUT', `/organization/${dock.uuid}`, { gateWorkerIdentification });
      expect(await badgesAt(device)).toEqual([]);
      expect((await begin(proof, newUuid())).status).toBe(404);
    }
  });
});

describe('the page of workers', () => {
  const setting = (gateWorkerIdentification: string) =>
    operator('PUT', `/organization/${dock.uuid}`, { gateWorkerIdentification });

  it('the form asks for the code that the tablets ask for', async () => {
    for (const [mode, label, hint] of [
      ['BADGE', 'Badge', 'At least 8 characters if it has only digits.'],
      ['PIN', 'PIN', '6 to 12 digits.'],
      ['NONE', 'Badge or PIN', 'A badge with only digits needs at least 8. A PIN needs 6 to 12 digits.'],
    ] as const) {
      await setting(mode);
      const { text } = await manager.get('/app/gate-worker');
      expect(text).toContain(`>${label}</label>`);
      expect(text).toContain(hint);
      expect(text).toContain('<a href="/app/settings">Change this in the settings</a>');
    }
    expect((await worker('Cleo', '482913')).status).toBe(200);
    await setting('BADGE');
    expect((await worker('Dan', '482914')).text).toContain(
      'A badge with only digits needs at least 8 digits.',
    );
    await setting('PIN');
    expect((await worker('Dan', 'W-0003')).text).toContain('A PIN has 6 to 12 digits.');
  });

  it('the list names the workers without the code that the tablets ask for', async () => {
    await setting('NONE');
    await worker('Cleo', '482913');
    expect((await manager.get('/app/gate-worker')).text).not.toContain('badge warn');
    await setting('PIN');
    const pins = (await manager.get('/app/gate-worker')).text;
    expect(pins).toContain('2 workers have a badge but no PIN. Give them a PIN.');
    expect(pins.match(/No PIN</g)).toHaveLength(2);
    await setting('BADGE');
    const badges = (await manager.get('/app/gate-worker')).text;
    expect(badges).toContain('1 worker has a PIN but no badge. Give this worker a badge.');
    expect(badges.match(/No badge</g)).toHaveLength(1);
  });
});
