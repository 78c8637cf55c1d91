import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTenant } from '../client.ts';
import type { Service } from '../service.ts';
import { ownService } from '../shared.ts';
import { newPerson, type Person, shot, signedIn, type World, worldOn } from './browser.ts';
import { dispatched } from './dispatched.ts';
import { type Dock, live, newDock, SOON } from './dock.ts';

let world: World<Service>;
let dock: Dock;
let admin: Person;
/** Path of a proof document, and its bytes before the service was killed. */
let proof: string;
let proofBefore: Buffer;

beforeAll(async () => {
  world = await worldOn(await ownService());
  dock = await newDock(world, 'south', { G1: 'Gate 1', G2: 'Gate 2', G3: 'Gate 3', G4: 'Gate 4' });
  admin = await newPerson(world, dock, 'ADMINISTRATOR');
  await dock.couple('P-1', 'P-2', 'P-3', 'P-4', 'P-5', 'P-6', 'X-9');
  await dock.manifest('M-1', ['P-1', 'P-2', 'P-3', 'P-4', 'P-5', 'P-6'], { gateExternalId: 'G1' });
  await dock.must('POST', '/manifest/M-1/status/IN_PROGRESS');
  const summary = await dispatched(
    await newTenant(world.service, 'shipper', { dispatchStrategy: 'SHIPMENT' }),
  );
  proof = summary.replace('shipment-summary', 'proof-of-shipment').concat('.pdf');
  proofBefore = await read(proof);
});
afterAll(async () => {
  await world?.end();
  await world?.service.dispose();
});

async function read(document: string): Promise<Buffer> {
  const response = await fetch(document);
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await response.arrayBuffer());
}

/** Waits until the page shows a connection state. The state may alternate while the page tries to connect. */
const says = (page: Page, state: 'polling' | 'lost', text: RegExp) =>
  page.locator(`body[data-feed="${state}"] #feed`, { hasText: text }).waitFor({ timeout: 20_000 });

describe('a page', () => {
  it('a page reports a lost connection when the service is killed and catches up afterwards', async () => {
    const page = await signedIn(world, admin);
    await page.goto(dock.gatePath('G1'));
    await live(page);
    await dock.scan('G1', 'P-1');
    await page.getByText('1 / 6').waitFor(SOON);
    await world.service.kill();
    await says(page, 'lost', /Offline/);
    await shot(page, 'gate-lost');
    // A press now stays in the queue of the device.
    await page.getByRole('button', { name: 'Mark loaded: P-2', exact: true }).click();
    await page.getByText('1 item waits on this tablet.').waitFor();
    await world.service.start();
    await dock.scan('G1', 'P-3', 'X-9');
    await page.locator('.n', { hasText: '3 / 6' }).waitFor({ timeout: 20_000 });
    await page.getByRole('alertdialog', { name: 'Wrong pallet' }).waitFor();
    await live(page);
    await dock.scan('G1', 'P-4');
    await page.locator('.n', { hasText: '4 / 6' }).waitFor(SOON);
    await page.getByRole('button', { name: 'It is off the truck: X-9' }).click();
    await page.locator('#wrong').waitFor({ state: 'detached' });
  });

  it('a page that cannot listen refreshes by itself and says that it is not live', async () => {
    const page = await signedIn(world, admin);
    await page.routeWebSocket('**/app/feed*', (socket) => socket.close());
    await page.goto(dock.gatePath('G1'));
    await says(page, 'polling', /Not live/);
    await dock.scan('G1', 'P-5');
    await page.getByText('5 / 6').waitFor({ timeout: 15_000 });
    await shot(page, 'gate-polling');
  });

  it('a page notices a dead connection that nobody closed, as after a sleep', async () => {
    const page = await signedIn(world, admin);
    let dead = false;
    let connections = 0;
    await page.routeWebSocket('**/app/feed*', (socket) => {
      connections += 1;
      const server = socket.connectToServer();
      const buried = connections === 1;
      server.onMessage((message) => {
        if (!(buried && dead)) socket.send(message);
      });
    });
    await page.clock.install();
    await page.goto(dock.gatePath('G1'));
    await live(page);
    dead = true;
    await dock.scan('G1', 'P-6');
    await page.clock.fastForward(21_000);
    await page.clock.fastForward(9_000);
    await page.clock.fastForward(2_000);
    await page.getByText('6 / 6').waitFor(SOON);
    expect(connections).toBeGreaterThan(1);
  });

  it('a page whose session has ended leads to the sign-in and back', async () => {
    const person = await newPerson(world, dock, 'OPERATOR', 'Sam Dock');
    const page = await signedIn(world, person);
    await page.goto(dock.gatePath('G2'));
    await live(page);
    await dock.must('DELETE', `/user/${person.uuid}/reset-password`);
    await dock.manifest('M-2', ['P-9'], { gateExternalId: 'G2' });
    await page.waitForURL(/\/app\/login\?next=/, { timeout: 10_000 });
    expect(new URL(page.url()).searchParams.get('next')).toBe(dock.gatePath('G2'));
  });
});

describe('a press whose answer is lost', () => {
  it('a press whose answer is lost keeps its key and takes effect once', async () => {
    await dock.manifest('M-3', ['P-7'], { gateExternalId: 'G3' });
    const page = await signedIn(world, admin, { serviceWorkers: 'block' });
    await page.goto(dock.gatePath('G3'));
    await live(page);
    const keys: (string | null)[] = [];
    await page.route('**/app/gate/*', async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.continue();
      keys.push(new URLSearchParams(request.postData()!).get('key'));
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Start: M-3' }).click();
    await page.getByText('0 / 1').waitFor(SOON);
    await expect.poll(() => keys, SOON).toEqual([keys[0], keys[0]]);
    await page.locator('#answer.told', { hasText: 'is being loaded' }).waitFor(SOON);
    const log = await dock.must('GET', '/audit-log?entityExternalId=M-3&action=MANIFEST_STATUS_CHANGED');
    expect(log.totalElements).toBe(1);
    await dock.must('POST', '/manifest/M-3/status/CANCELLED');
  });

  it('a double press is sent once', async () => {
    await dock.manifest('M-4', ['P-8'], { gateExternalId: 'G4' });
    const page = await signedIn(world, admin);
    await page.goto(dock.gatePath('G4'));
    await live(page);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await page.getByRole('button', { name: 'Start: M-4' }).dblclick();
    await page.getByText('0 / 1').waitFor(SOON);
    expect(sent).toHaveLength(1);
  });
});

it('a document has the same bytes after the service was killed and started again', async () => {
  // An earlier test has killed the service, unless this test runs alone.
  if (world.service.starts === 1) {
    await world.service.kill();
    await world.service.start();
  }
  expect(Buffer.compare(await read(proof), proofBefore)).toBe(0);
});
