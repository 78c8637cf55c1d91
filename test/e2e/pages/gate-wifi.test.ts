import { beforeEach, describe, expect, it } from 'vitest';
import { expectGoodPage, signedIn, typeSignIn } from './browser.ts';
import { live, SOON, wedge } from './dock.ts';
import { isKept, overWifi } from './wifi.ts';

const { world, wifi, dock, admin, opened } = await overWifi('wifi', {
  G1: 'Dock 01',
  G2: 'Dock 02',
  G3: 'Dock 03',
  G4: 'Dock 04',
  G5: 'Dock 05',
  G6: 'Dock 06',
  G7: 'Dock 07',
  G8: 'Dock 08',
});

beforeEach(() => wifi.comeBack());

const statuses = async (manifest: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await dock.must('GET', `/manifest/${manifest}/asset-loading`)).map(
      (record: { trackIdentifier: string; loadingStatus: string }) => [
        record.trackIdentifier,
        record.loadingStatus,
      ],
    ),
  );

describe('dead Wi-Fi', () => {
  it('a page notices dead Wi-Fi within 5 seconds and sends queued scans and presses once', async () => {
    await dock.couple('A-1', 'A-2', 'A-3');
    await dock.manifest('M-1', ['A-1', 'A-2', 'A-3', 'A-4', 'A-5'], { gateExternalId: 'G1' });
    await dock.must('POST', '/manifest/M-1/status/IN_PROGRESS');
    const page = await opened('G1');
    await isKept(page);
    wifi.die();
    const died = performance.now();
    await page.locator('body:not([data-feed="live"]) #offline').waitFor();
    expect(performance.now() - died).toBeLessThan(5_000);
    await wedge(page, String(dock.codes['A-1']));
    await wedge(page, 'A-2');
    await page.locator('#answer.hold', { hasText: 'On the list, waiting' }).waitFor();
    await page.getByRole('button', { name: 'Mark loaded: A-4' }).click();
    await page.getByRole('button', { name: 'Mark loaded: A-5' }).click();
    await page.getByText('4 items wait on this tablet.').waitFor();
    await page.waitForTimeout(800);
    // A scan that is undone before it was sent never reaches the service.
    await page.getByRole('button', { name: 'Undo A-5' }).click();
    await page.getByText('3 items wait on this tablet.').waitFor();
    await expectGoodPage(page, 'gate-offline');
    // After a restart of the tablet, its page loads without a connection and shows the queued actions.
    await page.reload();
    await page.getByText('3 items wait on this tablet.').waitFor(SOON);
    await wedge(page, 'A-3');
    await page.getByText('4 items wait on this tablet.').waitFor();
    expect(await statuses('M-1')).toMatchObject({ 'A-1': 'NOT_LOADED', 'A-4': 'NOT_LOADED' });
    wifi.comeBack();
    await page.getByText('4 / 5').waitFor({ timeout: 30_000 });
    await page.locator('#offline').waitFor({ state: 'hidden', timeout: 30_000 });
    expect(await statuses('M-1')).toEqual({
      'A-1': 'LOADED',
      'A-2': 'LOADED',
      'A-3': 'LOADED',
      'A-4': 'LOADED',
      'A-5': 'NOT_LOADED',
    });
    const { content } = await dock.must('GET', '/audit-log?action=SCANS_RECORDED&entityExternalId=G1');
    expect(content).toHaveLength(3);
  });

  it('the service worker keeps the files of kept pages and drops files of former deployments', async () => {
    const page = await opened('G1');
    await isKept(page);
    const shared = () =>
      page.evaluate<string[]>(`(async () => {
        const requests = await (await caches.open('gate-1')).keys();
        return requests.map(({ url }) => url).filter((url) => url.includes('/shared/'));
      })()`);
    const before = await shared();
    expect(before.length).toBeGreaterThan(3);
    const [ofBefore, ofAnother] = ['chunk-OFBEFORE.js', 'chunk-OFANOTHER.js'].map(
      (name) => `${wifi.origin}/assets/console/shared/${name}`,
    );
    await page.evaluate(`(async () => {
      const [cache, lists] = await Promise.all(['gate-1', 'gate-files-1'].map((name) => caches.open(name)));
      await cache.put('${ofBefore}', new Response(''));
      await cache.put('${ofAnother}', new Response(''));
      await lists.put('/app/gate/another', Response.json(['${ofAnother}']));
    })()`);
    await page.reload();
    await expect.poll(shared, { timeout: 20_000 }).not.toContain(ofBefore);
    expect((await shared()).toSorted()).toEqual([...before, ofAnother!].toSorted());
  });

  it('queued actions survive when the browser closes its database', async () => {
    await dock.manifest('M-C', ['K-1'], { gateExternalId: 'G8' });
    await dock.must('POST', '/manifest/M-C/status/IN_PROGRESS');
    const page = await opened('G8');
    await isKept(page);
    await page.evaluate(`(() => {
      const begin = IDBDatabase.prototype.transaction;
      let closed;
      IDBDatabase.prototype.transaction = function (...of) {
        closed ??= this;
        if (this === closed) throw new DOMException('The connection is closing.', 'InvalidStateError');
        return begin.apply(this, of);
      };
    })()`);
    wifi.die();
    await page.locator('body:not([data-feed="live"]) #offline').waitFor();
    await wedge(page, 'K-1');
    await page.getByText('1 item waits on this tablet.').waitFor(SOON);
    await page.reload();
    await page.getByText('1 item waits on this tablet.').waitFor(SOON);
  });

  it('a page loses and doubles no reading when answers are lost', async () => {
    await dock.couple('B-1', 'B-2');
    await dock.manifest('M-2', ['B-1', 'B-2'], { gateExternalId: 'G2' });
    await dock.must('POST', '/manifest/M-2/status/IN_PROGRESS');
    const page = await opened('G2');
    wifi.loseAnswerTo('scan=B-1');
    await wedge(page, 'B-1');
    await wedge(page, 'B-2');
    await page.getByText('2 / 2').waitFor(SOON);
    const scans = await dock.must('GET', '/audit-log?action=SCANS_RECORDED&entityExternalId=G2');
    expect(scans.totalElements).toBe(2);
    const timeline = await dock.must('GET', '/track/B-1/activity');
    const told = timeline.content.map(({ activityType }: { activityType: string }) => activityType);
    expect(told.filter((type: string) => type === 'LOADED' || type === 'SEEN')).toEqual(['LOADED']);
  });

  it('a page that is reloaded before the answer loses and doubles no scan, press or undo', async () => {
    await dock.couple('D-1');
    await dock.manifest('M-4', ['D-1', 'D-2', 'D-3'], { gateExternalId: 'G4' });
    await dock.must('POST', '/manifest/M-4/status/IN_PROGRESS');
    const page = await opened('G4');
    await isKept(page);
    const row = page.locator('#open > li', { hasText: 'D-2' });
    const lost = async (last: string, act: () => Promise<void>, then: string) => {
      wifi.dieAfter(last);
      await act();
      await page.locator('body[data-feed="lost"] #offline').waitFor();
      await page.reload();
      await page.getByText('1 item waits on this tablet.').waitFor(SOON);
      wifi.comeBack();
      await page.locator('#offline').waitFor({ state: 'hidden', timeout: 30_000 });
      await page.getByText(then).waitFor(SOON);
    };
    await lost('scan=D-1', () => wedge(page, 'D-1'), '1 / 3');
    const undo = page.getByRole('button', { name: 'Undo D-2' });
    await lost(
      'status=LOADED',
      () => page.getByRole('button', { name: 'Mark loaded: D-2' }).click(),
      '2 / 3',
    );
    await row.getByText('Loaded', { exact: true }).waitFor(SOON);
    await page.waitForTimeout(800);
    await lost('status=NOT_LOADED', () => undo.click(), '1 / 3');
    expect(await statuses('M-4')).toEqual({ 'D-1': 'LOADED', 'D-2': 'NOT_LOADED', 'D-3': 'NOT_LOADED' });
    const told = async (action: string, entity: string) =>
      (await dock.must('GET', `/audit-log?action=${action}&entityExternalId=${entity}`)).totalElements;
    expect(await told('SCANS_RECORDED', 'G4')).toBe(1);
    expect(await told('ASSET_LOADING_STATUS_CHANGED', 'D-2')).toBe(2);
  });

  it('undo takes back a scan that may have been sent, and the row says so', async () => {
    await dock.manifest('M-5', ['E-1', 'E-2'], { gateExternalId: 'G5' });
    await dock.must('POST', '/manifest/M-5/status/IN_PROGRESS');
    const page = await opened('G5');
    wifi.dieAfter('status=LOADED');
    await page.getByRole('button', { name: 'Mark loaded: E-1' }).click();
    await page.locator('#open > li.wait', { hasText: 'E-1' }).waitFor();
    await page.waitForTimeout(800);
    await page.getByRole('button', { name: 'Undo E-1' }).click();
    await page.getByText('2 items wait on this tablet.').waitFor();
    expect(await page.getByRole('button', { name: 'Mark loaded: E-1' }).isVisible()).toBe(true);
    await page.evaluate(`globalThis.loaded = 0;
      new MutationObserver(() => { globalThis.loaded += document.querySelectorAll('#open > li.done').length; })
        .observe(document.getElementById('live'), { attributes: true, childList: true, subtree: true });`);
    wifi.comeBack();
    await page.locator('#offline').waitFor({ state: 'hidden', timeout: 30_000 });
    await page.getByText('0 / 2').waitFor(SOON);
    expect(await page.evaluate('globalThis.loaded')).toBe(0);
    expect(await statuses('M-5')).toEqual({ 'E-1': 'NOT_LOADED', 'E-2': 'NOT_LOADED' });
  });

  it('queued actions keep their key over a sign-in and take effect once', async () => {
    await dock.manifest('M-6', ['F-1'], { gateExternalId: 'G6' });
    const page = await opened('G6');
    await isKept(page);
    wifi.dieAfter('action=start');
    await page.getByRole('button', { name: 'Start: M-6' }).click();
    await page.locator('body[data-feed="lost"] #offline').waitFor();
    await page.getByText('1 item waits on this tablet.').waitFor();
    // A second press while the first is queued adds nothing.
    await page.getByRole('button', { name: 'Start: M-6' }).click();
    await page.waitForTimeout(1_200);
    await page.getByRole('button', { name: 'Start: M-6' }).click();
    expect(await page.getByText('Waiting to be sent').first().isVisible()).toBe(true);
    expect(await page.getByText('1 item waits on this tablet.').isVisible()).toBe(true);
    await page.context().clearCookies();
    // A browser may repeat a request that it has begun to send, with its old cookie. The reload prevents this.
    await page.reload();
    await page.getByText('1 item waits on this tablet.').waitFor(SOON);
    wifi.comeBack();
    await page.waitForURL(/\/app\/login\?next=/, { timeout: 30_000 });
    await typeSignIn(page, admin);
    await page.waitForURL(`**${dock.gatePath('G6')}`);
    // The page shows the result of the first attempt. A new attempt would have been refused.
    await page.locator('#answer.told', { hasText: 'is being loaded' }).waitFor(SOON);
    const log = await dock.must('GET', '/audit-log?entityExternalId=M-6&action=MANIFEST_STATUS_CHANGED');
    expect(log.totalElements).toBe(1);
  });

  it('a load cannot be completed while actions are queued', async () => {
    await dock.manifest('M-7', ['H-1', 'H-2'], { gateExternalId: 'G7' });
    await dock.must('POST', '/manifest/M-7/status/IN_PROGRESS');
    const page = await signedIn(world, admin, { serviceWorkers: 'block' });
    await page.goto(dock.gatePath('G7'));
    await live(page);
    let isAnswered = false;
    await page.route('**/app/gate/*', (route) =>
      !isAnswered && route.request().postData()?.includes('scan=') ? route.abort() : route.continue(),
    );
    await wedge(page, 'H-1');
    await page.getByText('1 item waits on this tablet.').waitFor(SOON);
    await page.getByRole('link', { name: 'Complete: M-7' }).click();
    await page.getByRole('radio', { name: 'Next truck' }).check();
    await page.getByRole('button', { name: 'Complete with 2 missing' }).click();
    await page.getByRole('dialog').getByText('Send the waiting items first').waitFor(SOON);
    isAnswered = true;
    await page.getByText('1 / 2').waitFor(SOON);
    // The numbers have changed, so the question is asked again.
    await page.getByRole('dialog', { name: 'Complete with 1 missing?' }).waitFor(SOON);
    expect((await dock.must('GET', '/manifest/M-7')).manifestStatus).toBe('IN_PROGRESS');
  });

  it('an offline page asks no question whose numbers it cannot know', async () => {
    await dock.manifest('M-3', ['C-1'], { gateExternalId: 'G3' });
    await dock.must('POST', '/manifest/M-3/status/IN_PROGRESS');
    const page = await opened('G3');
    wifi.die();
    await page.getByRole('link', { name: 'Complete: M-3' }).click();
    const began = performance.now();
    await page.getByRole('dialog').getByText('No connection.').waitFor();
    expect(performance.now() - began).toBeLessThan(9_000);
    wifi.comeBack();
    expect((await dock.must('GET', '/manifest/M-3')).manifestStatus).toBe('IN_PROGRESS');
  });
});
