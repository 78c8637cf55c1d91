import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../client.ts';
import { accessibilityFaults } from './accessibility.ts';
import { expectGoodPage, newPerson, type Person, shot, signedIn, startWorld } from './browser.ts';
import { type Dock, live, newDock, SOON } from './dock.ts';

const world = await startWorld();

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
const buttons = (page: Page) =>
  page
    .locator('#live button')
    .allTextContents()
    .then((all) => all.map((text) => text.trim().replace(/^(Tap for )?sound.*/i, 'Sound')));

/** The button that opens the waiting scans. It is hidden without such scans. */
const ASIDE = 'Waiting scans that are not in the list of pallets';

describe('permissions on the board', () => {
  let dock: Dock;
  beforeAll(async () => {
    dock = await newDock(world, 'rights', { G1: 'Gate 1' }, { dispatchStrategy: 'SHIPMENT' });
    await dock.couple('A', 'B', 'X');
    await dock.must('POST', '/manifest', { externalIdentifier: 'M', assets: ['A', 'B'] });
    const manifests = [{ manifestExternalId: 'M' }];
    await dock.must('POST', '/shipment', { identifier: 'S', manifests, gateIdentifier: 'G1' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await dock.scan('G1', 'A', 'X');
    await dock.manifest('N', []);
  });

  it('a viewer sees the whole board live and no button', async () => {
    const page = await signedIn(world, await newPerson(world, dock, 'VIEWER'));
    for (const [path, some] of [
      [dock.gatePath('G1'), ['Silence', 'Sound', ASIDE, 'Close', 'Find', 'More', 'Close']],
      ['/app/board', []],
    ] as const) {
      await page.goto(path);
      await live(page);
      expect([path, await buttons(page)]).toEqual([path, some]);
      await page.getByText('1 / 2').first().waitFor();
    }
  });

  it('a forklift driver marks and removes pallets, and completes the load', async () => {
    const page = await signedIn(world, await newPerson(world, dock, 'FORKLIFT_OPERATOR'));
    await page.goto(dock.gatePath('G1'));
    await live(page);
    expect(new Set(await buttons(page))).toEqual(
      new Set([
        'Silence',
        'It is off the truck',
        'Sound',
        ASIDE,
        'Enter',
        'Find',
        'Mark loaded',
        'Taken off again',
        'Truck is here',
        'Not loaded',
        'More',
        'Photo of damage',
        'Photo of load',
        'Photo of seal',
        'Other photo',
        'Close',
      ]),
    );
    await page.getByRole('button', { name: 'It is off the truck: X' }).click();
    await page.locator('#wrong').waitFor({ state: 'detached', ...SOON });
    await page.getByRole('button', { name: 'Mark loaded: B', exact: true }).click();
    await page.getByText('2 / 2').waitFor(SOON);
    await expectGoodPage(page, 'gate-forklift');
    await page.getByRole('link', { name: 'Complete: S', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Complete', exact: true }).click();
    await page.getByText('Nothing is being loaded here.').waitFor(SOON);
  });
});

describe('without JavaScript', () => {
  it('a shift at a gate works without JavaScript', async () => {
    const dock = await newDock(world, 'plain-dock', { G1: 'Gate 1', G2: 'Gate 2' });
    await dock.couple('A', 'B', 'X');
    await dock.manifest('M', ['A', 'B']);
    const page = await signedIn(world, await newPerson(world, dock, 'ADMINISTRATOR'), {
      javaScriptEnabled: false,
    });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto('/app/board');
    await page.getByText('Not live').waitFor();
    await page.getByRole('radio', { name: 'M' }).check();
    await page.getByLabel('Gate', { exact: true }).selectOption({ label: 'Gate 1' });
    await press('Assign');
    await page.getByText('The gate is assigned to the manifest.').waitFor();
    await page.getByRole('link', { name: 'Gate 1' }).click();
    await press('Start: M');
    await page.getByText('0 / 2').waitFor();
    await dock.scan('G1', 'A', 'X');
    await page.getByRole('link', { name: 'Refresh' }).click();
    await page.getByRole('alertdialog', { name: 'Wrong pallet' }).waitFor();
    await shot(page, 'gate-plain');
    await dock.must('GET', '/manifest/M');
    await press('It is off the truck: X');
    await page.getByText('The pallet is off the truck.').waitFor();
    await press('Mark loaded: B');
    await page.getByText('2 / 2').waitFor();
    // The second page is out of date. Its request is refused, and it shows the reason.
    const other = await page.context().newPage();
    await other.goto(dock.gatePath('G1'));
    await page.getByRole('link', { name: 'Complete: M' }).click();
    await press('Complete');
    await page.getByText('Nothing is being loaded here.').waitFor();
    await other.getByRole('link', { name: 'Complete: M' }).click();
    await other.getByRole('button', { name: 'Complete', exact: true }).click();
    await other.getByRole('alert').filter({ hasText: '(Completed): ' }).waitFor();
  });
});

describe('hostile texts from a WMS or a device', () => {
  it('the board shows any stored text as text', async () => {
    const evil = (name: string) =>
      `"><img src=x onerror=pwned('${name}')><script>pwned('${name}')</script>'${name}`;
    const dock = await newDock(
      world,
      'evil',
      { G1: evil('gate'), [evil('gate-id')]: '{{constructor}} </title>' },
      { dispatchStrategy: 'SHIPMENT', name: evil('org') },
    );
    const [pallet, wrong, manifest, shipment] = ['pallet', 'wrong', 'manifest', 'shipment'].map(evil) as [
      string,
      string,
      string,
      string,
    ];
    await dock.couple(pallet, wrong);
    await dock.must('POST', '/manifest', { externalIdentifier: manifest, assets: [pallet, 'B'] });
    await dock.must('POST', '/shipment', {
      identifier: shipment,
      notes: evil('notes'),
      manifests: [{ manifestExternalId: manifest }],
      gateIdentifier: 'G1',
    });
    await dock.must('POST', `/shipment/${encodeURIComponent(shipment)}/status/IN_PROGRESS`);
    await dock.manifest(evil('waiting'), [wrong]);
    const page = await signedIn(world, await newPerson(world, dock, 'ADMINISTRATOR'));
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.addInitScript("globalThis.pwned = (name) => { throw new Error('pwned by ' + name); };");
    for (const path of ['/app/board', dock.gatePath('G1')]) {
      await page.goto(path);
      await live(page);
    }
    // Texts that arrive by a refresh use another code path than texts of the first load.
    await dock.scan('G1', pallet, 4711, wrong);
    await page.getByText('1 of 2').waitFor(SOON);
    await page.getByText(wrong).first().waitFor();
    await page.getByText(evil('notes')).waitFor();
    await page.goto('/app/board');
    await live(page);
    await page.getByText(wrong).first().waitFor();
    const search = `${dock.gatePath('G1')}?q=${encodeURIComponent(evil('q'))}`;
    await page.goto(search);
    await page.getByText(`Nothing here matches “${evil('q')}”.`).waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.goto(dock.gatePath('G1'));
    await live(page);
    await expectGoodPage(page, 'gate-evil');
  });
});

describe('fifty gates', () => {
  let dock: Dock;
  let admin: Person;
  beforeAll(async () => {
    dock = await newDock(
      world,
      'large',
      Object.fromEntries(numbered('G', 50).map((id) => [id, `Gate ${id.slice(1)}`])),
    );
    admin = await newPerson(world, dock, 'ADMINISTRATOR');
    await dock.couple(...numbered('P-', 50), 'X');
    for (const gate of numbered('G', 50)) {
      const number = gate.slice(1);
      await dock.manifest(`M-${number}`, [`P-${number}`, ...numbered(`Q-${number}-`, 40)], {
        gateExternalId: gate,
      });
      await dock.must('POST', `/manifest/M-${number}/status/IN_PROGRESS`);
      await dock.manifest(`N-${number}`, numbered(`R-${number}-`, 20), { gateExternalId: gate });
    }
    for (const gate of numbered('G', 10)) await dock.scan(gate, 'X', 4711, 4712, 4713, 4714);
    for (const name of numbered('W-', 60)) await dock.manifest(name, []);
  });

  it('fifty gates cost as many requests as one, and the page has a bounded size', async () => {
    const page = await signedIn(world, admin);
    const sizes: Record<string, [number, number]> = {};
    for (const [path, trips] of [
      ['/app/board', 1],
      [dock.gatePath('G1'), 1],
    ] as const) {
      const answer = (await page.goto(path))!;
      const cost = answer.headers()['server-timing']!;
      expect([path, Number(/(\d+) round trips/.exec(cost)![1])]).toEqual([path, trips]);
      // For each gate, records of four kinds are read by index, plus a few more rows.
      expect(Number(/(\d+) rows read/.exec(cost)![1])).toBeLessThan(10_000);
      const body = await answer.body();
      sizes[path] = [body.length, gzipSync(body).length];
    }
    expect(sizes['/app/board']![0]).toBeLessThan(250_000);
    expect(sizes['/app/board']![1]).toBeLessThan(40_000);
    expect(sizes[dock.gatePath('G1')]![0]).toBeLessThan(170_000);
    expect(sizes[dock.gatePath('G1')]![1]).toBeLessThan(25_000);
  });

  it('fifty gates fit one screen and keep their positions', async () => {
    // The plate of the door, then the name.
    const heads = numbered('Gate ', 50).map((name, index) => `${String(index + 1).padStart(2, '0')} ${name}`);
    const page = await signedIn(world, admin, { viewport: { width: 1920, height: 1080 } });
    await page.goto('/app/board');
    await live(page);
    expect(await page.locator('.gate h2').allTextContents()).toEqual(heads);
    expect(await page.locator('[data-count="WRONG"] b').textContent()).toBe('50');
    await shot(page, 'board-50');
    await dock.scan('G50', 'X');
    await page.locator('[data-count="WRONG"] b', { hasText: '51' }).waitFor(SOON);
    expect(await page.locator('.gate h2').allTextContents()).toEqual(heads);
    await page.locator('[data-count="WRONG"]').click();
    expect(new URL(page.url()).hash).toBe(`#gate-${dock.gates['G1']}`);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

describe('a gate', () => {
  it('an open page of a deleted gate says so', async () => {
    const dock = await newDock(world, 'gone', { G1: 'Gate 1', G2: 'Gate 2' });
    const page = await signedIn(world, await newPerson(world, dock, 'VIEWER'));
    await page.goto(dock.gatePath('G2'));
    await live(page);
    await operator(world.service, 204, { method: 'DELETE', path: `/organization/${dock.uuid}/gate/G2` });
    await page.locator('.idle', { hasText: 'Out of service' }).waitFor(SOON);
    await page.reload();
    await page.locator('.idle', { hasText: 'Out of service' }).waitFor();
  });
});
