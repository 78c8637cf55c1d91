import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { executeEach } from '../../../../src/core/writer/each.ts';
import { limitedOrganizations } from '../../../../src/dispatch/tablet/store.ts';
import { operator } from '../../client.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { bindings } from '../../failing.ts';
import { gateUuid } from '../../web/console/forms.ts';
import { type Dock, newDock } from '../load/shipment/dock.ts';
import { type Device, deviceOf, type FormAnswer, logOf, newTablet } from './tablets.ts';

const MINUTE_MS = 60_000;

let dock: Dock;
let gate: string;
let manager: Device;
let device: Device;

/**
 * Creates an organization whose tablets identify workers, with the workers Ana and Ben and a gate that loads A and B.
 */
async function opened(mode: 'BADGE' | 'PIN', codes: readonly [string, string]): Promise<void> {
  dock = await newDock({ gateWorkerIdentification: mode });
  gate = `/app/gate/${await gateUuid(dock)}`;
  manager = deviceOf((await signIn(dock)).cookie);
  await dock.couple('A', 'B');
  await dock.manifest('M', 'A', 'B');
  await dock.must('POST', '/manifest/M/gate/G');
  await dock.must('POST', '/manifest/M/status/TO_DO');
  await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
  device = await newTablet(manager, gate, 'Dock 1');
  for (const [index, name] of ['Ana', 'Ben'].entries()) {
    expect((await create(name, codes[index]!)).status).toBe(200);
  }
}

const create = (name: string, workerSecret: string): Promise<FormAnswer> =>
  manager.send('/app/gate-worker', { action: 'create', name, workerSecret });
const work = (workerSecret: string, at = device): Promise<FormAnswer> =>
  at.send(gate, { action: 'work', workerSecret });
const scan = (text: string, at = device): Promise<FormAnswer> =>
  at.send(gate, { action: 'scan', scan: text });
const outcomeOf = ({ text }: FormAnswer): string | undefined => JSON.parse(text).outcome;

/** Scans unknown texts and returns the different statuses of the answers. */
async function guess(count: number, name = 'X', at = device): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let index = 0; index < count; index += 1) statuses.add((await scan(`${name}-${index}`, at)).status);
  return statuses;
}

// biome-ignore lint/suspicious/noExplicitAny: alerts as the API shows them
const alerts = async (): Promise<any[]> =>
  (await dock.must('GET', '/alert-event?alertType=SIGN_IN_LIMIT_REACHED')).body.content;
const passTime = (minutes: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * MINUTE_MS });
};

afterEach(() => {
  vi.useRealTimers();
});

describe('the scan box of a tablet that asks for badges', () => {
  beforeEach(async () => {
    await opened('BADGE', ['W-0001', 'W-0002']);
    await work('W-0001');
  });

  it('the scan box takes no badge after 30 unknown texts, while pallets and the question still work', async () => {
    expect(await guess(30)).toEqual(new Set([404]));
    const badge = await scan('W-0002');
    expect(badge.status).toBe(404);
    expect(JSON.parse(badge.text).refused).toContain('“Who works here?”');
    expect(outcomeOf(await scan('A'))).toBe('LOADED');
    await device.send(gate, { action: 'workEnd' });
    expect(outcomeOf(await work('W-0002'))).toBe('WORKER');
    passTime(16);
    await work('W-0002');
    expect(outcomeOf(await scan('W-0001'))).toBe('WORKER');
  });

  it('the scan box counts unknown digits, unless they are the marker of a pallet', async () => {
    const { body } = await dock.must('GET', '/track?wmsId=A');
    const marker = String(body.content[0].markerCode);
    for (let code = 0; code < 30; code += 1) {
      expect((await scan(marker)).status).toBe(200);
      expect((await scan(String(70_000_000 + code))).status).toBe(404);
    }
    expect(outcomeOf(await scan(marker))).not.toBe('WORKER');
    expect((await scan('W-0002')).status).toBe(404);
  });

  it('the scan box counts guesses between known badges, also concurrent ones, and no known badge', async () => {
    for (let round = 0; round < 6; round += 1) {
      await guess(5, `X${round}`);
      if (round === 5) break;
      const badges = Array.from({ length: 6 }, () => scan('W-0001'));
      for (const answer of await Promise.all(badges)) expect(outcomeOf(answer)).toBe('WORKER');
    }
    expect((await scan('W-0002')).status).toBe(404);
  });

  it('the scan box looks up 30 of many concurrent texts', async () => {
    const many = Array.from({ length: 45 }, (_, index) => scan(`X-${index}`));
    for (const { status } of await Promise.all(many)) expect(status).toBe(404);
    expect((await scan('W-0002')).status).toBe(404);
  });

  it('the scan box counts a text once however often a tablet sends it', async () => {
    for (let round = 0; round < 4; round += 1) await guess(10);
    expect(outcomeOf(await scan('W-0002'))).toBe('WORKER');
    expect(await alerts()).toEqual([]);
  });

  it('the limit of the scan box applies to one tablet and locks no other one', async () => {
    await guess(31);
    const other = await newTablet(manager, gate, 'Dock 2');
    await work('W-0001', other);
    expect(outcomeOf(await scan('W-0002', other))).toBe('WORKER');
  });

  it('the limit of the scan box raises one alert, which a sign-in or the end of the window resolves', async () => {
    const endLimits = () => executeEach(bindings, 'DB', limitedOrganizations, 'endSignInLimit', Date.now());
    await guess(30);
    expect(await alerts()).toEqual([]);
    await guess(3, 'Y');
    const [raised, ...more] = await alerts();
    expect(more).toEqual([]);
    expect(raised).toMatchObject({ status: 'OPEN', severity: 'WARNING', gate: { externalIdentifier: 'G' } });
    expect(raised.message).toContain('Dock 1');
    const page = await manager.get('/app/alert');
    expect(page.text).toContain('too many unknown badges');
    await device.send(gate, { action: 'workEnd' });
    await work('W-0002');
    await guess(3, 'Z');
    expect((await alerts()).map(({ status }) => status)).toEqual(['RESOLVED']);
    passTime(16);
    await work('W-0001');
    await guess(31);
    expect((await alerts()).map(({ status }) => status)).toEqual(['OPEN', 'RESOLVED']);
    await endLimits();
    expect((await alerts())[0].status).toBe('OPEN');
    passTime(16);
    await endLimits();
    expect((await alerts()).map(({ status }) => status)).toEqual(['RESOLVED', 'RESOLVED']);
  });
});

describe('the question of a tablet who works there', () => {
  it('the question of a tablet takes ten unknown PINs at most, also with the own PIN in between', async () => {
    await opened('PIN', ['123456', '654321']);
    const wrong = async (count: number, from: number): Promise<number[]> => {
      const statuses = [];
      for (let index = 0; index < count; index += 1)
        statuses.push((await work(String(900_000 + from + index))).status);
      return statuses;
    };
    expect(await wrong(8, 0)).toEqual(Array(8).fill(404));
    expect((await work('123456')).status).toBe(200);
    expect(await wrong(3, 8)).toEqual([404, 404, 429]);
    expect((await work('654321')).status).toBe(429);
    expect((await alerts()).map(({ status }) => status)).toEqual(['OPEN']);
  });
});

describe('a pallet in place of a badge or PIN', () => {
  const SSCC = '395212349000000093';
  const refusedOf = ({ status, text }: FormAnswer) => [status, JSON.parse(text).refused];

  it('a pallet in place of a badge is named, is not counted, and does not reset the count', async () => {
    await opened('BADGE', ['W-0001', '1000000001']);
    for (let round = 0; round < 6; round += 1) {
      for (const pallet of [
        'A',
        String(dock.codes['A']),
        `(00)${SSCC}`,
        `urn:epc:id:sscc:395212.34900000009`,
      ])
        expect([pallet, ...refusedOf(await work(pallet))]).toEqual([
          pallet,
          403,
          'That is a pallet. First scan your badge.',
        ]);
    }
    // A badge with the text of a marker still works.
    expect(outcomeOf(await work('1000000001'))).toBe('WORKER');
    for (let index = 0; index < 10; index += 1) expect((await work(`X-${index}`)).status).toBe(404);
    expect((await work(SSCC)).status).toBe(403);
    expect((await work('W-0001')).status).toBe(429);
  });

  it('a tablet tries 30 different pallets as badges, so that a badge cannot be guessed by its pallets', async () => {
    await opened('BADGE', ['W-0001', '1000000060']);
    await dock.must('POST', '/marker-code/allocate?imageDelivery=URL&quantity=100');
    for (let index = 2; index < 32; index += 1)
      expect((await work(String(1_000_000_000 + index))).status).toBe(403);
    expect((await work('1000000060')).status).toBe(403);
    expect(outcomeOf(await work('W-0001'))).toBe('WORKER');
    // The scan box has a limit of its own.
    expect(outcomeOf(await scan('1000000060'))).toBe('WORKER');
    expect(await alerts()).toEqual([]);
  });

  it('the 30th pallet in place of a badge is still tried as a badge', async () => {
    await opened('BADGE', ['W-0001', '1000000060']);
    await dock.must('POST', '/marker-code/allocate?imageDelivery=URL&quantity=100');
    for (let index = 2; index < 31; index += 1)
      expect((await work(String(1_000_000_000 + index))).status).toBe(403);
    expect(outcomeOf(await work('1000000060'))).toBe('WORKER');
  });

  it('digits in place of a PIN are tried and counted as a PIN, except an SSCC', async () => {
    await opened('PIN', ['123456', '1000000001']);
    expect(refusedOf(await work(SSCC))).toEqual([403, 'That is a pallet. First enter your PIN.']);
    expect((await work(String(dock.codes['A']))).status).toBe(404);
    expect(outcomeOf(await work('1000000001'))).toBe('WORKER');
  });
});

describe('a new badge', () => {
  it('a new badge of digits needs eight of them, and existing badges still work', async () => {
    await opened('PIN', ['123456', '654321']);
    await operator('PUT', `/organization/${dock.uuid}`, { gateWorkerIdentification: 'BADGE' });
    const short = await create('Cleo', '1234567');
    expect([short.status, JSON.parse(short.text).refused]).toEqual([
      400,
      'A badge with only digits needs at least 8 digits.',
    ]);
    expect((await create('Cleo', '12345678')).status).toBe(200);
    expect(outcomeOf(await work('123456'))).toBe('WORKER');
    expect(outcomeOf(await scan('654321'))).toBe('WORKER');
  });
});

describe('the page of workers', () => {
  beforeEach(() => opened('PIN', ['123456', '654321']));

  it('the page of workers reports a used PIN ten times in a quarter of an hour and audits each report', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await create(`Guess ${attempt}`, '123456')).status);
      if (attempt < 5) expect((await create(`Miss ${attempt}`, `80000${attempt}`)).status).toBe(200);
    }
    expect(statuses).toEqual([...Array(10).fill(409), 429]);
    const records = await logOf(dock, 'GATE_WORKER_CODE_REFUSED');
    expect(records).toHaveLength(10);
    expect(records[0]).toMatchObject({ actor: { actorType: 'USER' }, entityExternalId: 'Guess 0' });
    expect(JSON.stringify(records)).not.toMatch(/Ana|123456/);
    const other = deviceOf((await signIn(dock)).cookie);
    const answer = await other.send('/app/gate-worker', {
      action: 'create',
      name: 'Dora',
      workerSecret: '700000',
    });
    expect(answer.status).toBe(200);
  });

  it('the page of workers counts neither a used name nor an invalid form as a guess', async () => {
    for (let attempt = 0; attempt < 11; attempt += 1) {
      expect((await create('Ana', '700000')).status).toBe(409);
      expect((await create('Cleo', '12345')).status).toBe(400);
    }
    expect((await create('Cleo', '700000')).status).toBe(200);
  });

  it('the page of workers takes 100 badges and PINs of a user in a quarter of an hour', async () => {
    const { text } = await manager.get('/app/gate-worker');
    const uuid = /name="worker" value="([0-9a-f-]+)"/.exec(text)![1]!;
    const change = (code: number): Promise<FormAnswer> =>
      manager.send('/app/gate-worker', { action: 'change', worker: uuid, workerSecret: String(code) });
    // Two workers with a PIN were created before.
    for (let code = 0; code < 98; code += 1) expect((await change(700_000 + code)).status).toBe(200);
    expect((await change(800_000)).status).toBe(429);
  });
});
