import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { phoneJpeg } from '../../images.ts';
import { expectGoodPage, shot, signedIn } from './browser.ts';
import { live, SOON, smallTargets, wedge } from './dock.ts';
import { fileDialog } from './ready.ts';
import { isKept, overWifi } from './wifi.ts';

const { world, wifi, dock, admin } = await overWifi(
  'finish',
  { G1: 'Dock 01', G2: 'Dock 02', G3: 'Dock 03', G4: 'Dock 04', G5: 'Dock 05', G6: 'Dock 06' },
  {
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: [
      { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
      { fieldKey: 'seal', fieldType: 'TEXT', role: 'SEAL' },
    ],
  },
);

/** The most taps from the first press to the completed truck. */
const TAPS_MAXIMUM = 6;

async function shipment(gate: string, identifier: string, pallets: string[]): Promise<void> {
  await dock.couple(...pallets);
  await dock.must('POST', '/manifest', { externalIdentifier: `M-${identifier}`, assets: pallets });
  await dock.must('POST', '/shipment', {
    identifier,
    gateIdentifier: gate,
    manifests: [{ manifestExternalId: `M-${identifier}` }],
    customFields: [{ fieldKey: 'plate', fieldValue: 'WND 5521' }],
  });
}
async function loading(gate: string, identifier: string, pallets: string[], loaded = pallets): Promise<void> {
  await shipment(gate, identifier, pallets);
  await dock.must('POST', `/shipment/${identifier}/status/IN_PROGRESS`);
  if (loaded.length > 0) await dock.scan(gate, ...loaded);
}

async function atGate(gate: string, width: number, height: number): Promise<Page> {
  const page = await signedIn(world, admin, { hasTouch: true, viewport: { width, height } });
  await page.goto(dock.gatePath(gate));
  await live(page);
  return page;
}

/** A finger that counts its taps. A drawn line and a held button are one tap each. */
function finger(page: Page) {
  const touching = page.context().newCDPSession(page);
  const touch = async (type: string, points: { x: number; y: number }[]) =>
    (await touching).send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: points });
  const middle = async (target: Locator) => {
    await target.evaluate<void, { scrollIntoView(how: object): void }>((element) =>
      element.scrollIntoView({ block: 'center' }),
    );
    const { x, y, width, height } = (await target.boundingBox())!;
    return { x: x + width / 2, y: y + height / 2, width, height };
  };
  const hand = {
    taps: 0,
    async tap(target: Locator) {
      hand.taps += 1;
      await target.tap();
    },
    async photo(button: Locator) {
      hand.taps += 1;
      // A mouse, because the taps of Playwright get lost after touches that the test itself has sent.
      const dialog = await fileDialog(page, () => button.click());
      await dialog.setFiles({ name: 'phone.jpg', mimeType: 'image/jpeg', buffer: phoneJpeg() });
    },
    async draw() {
      hand.taps += 1;
      const { x, y, width, height } = await middle(page.locator('dialog canvas'));
      await touch('touchStart', [{ x: x - width / 4, y }]);
      for (const [part, up] of [
        [-0.1, 0.2],
        [0, -0.2],
        [0.1, 0.2],
        [0.25, 0],
      ] as const)
        await touch('touchMove', [{ x: x + width * part, y: y - height * up }]);
      await touch('touchEnd', []);
      // A tap right after this would be a double tap.
      await page.waitForTimeout(500);
    },
    async hold(button: Locator) {
      hand.taps += 1;
      const { x, y } = await middle(button);
      await touch('touchStart', [{ x, y }]);
      await page.waitForTimeout(1_200);
      await touch('touchEnd', []);
    },
  };
  return hand;
}

/** Whether an element is wholly above the buttons of the dialog, without scrolling. */
// biome-ignore lint/suspicious/noExplicitAny: tests have no types of the DOM
const inSight = (element: any): boolean => {
  const foot = element.ownerDocument.querySelector('dialog .answers').getBoundingClientRect();
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= foot.top + 1;
};

const signaturesOf = (name: string) => dock.must('GET', `/shipment/${name}/signature`);
const statusOf = async (name: string) => (await dock.must('GET', `/shipment/${name}`)).status;

describe('the end of loading at a gate', () => {
  it.each([
    { gate: 'G1', width: 1024, height: 768 },
    { gate: 'G2', width: 360, height: 780 },
  ])('photo, seal, signature and completion take at most six taps at $width x $height', async (at) => {
    const { gate, width, height } = at;
    const [one, next] = [`S-${width}`, `N-${width}`];
    const pallets = ['A', 'B', 'C'].map((letter) => `${letter}-${width}`);
    await loading(gate, one, pallets, pallets.slice(0, 2));
    await shipment(gate, next, [`D-${width}`]);
    const page = await atGate(gate, width, height);
    const hand = finger(page);
    await hand.tap(page.getByRole('link', { name: `Complete: ${one}` }));
    const dialog = page.getByRole('dialog', { name: 'Complete with 1 missing?' });
    await hand.photo(dialog.getByRole('button', { name: `Photo of load: ${one}` }));
    // The seal is scanned without a tap.
    await wedge(page, 'SEAL-1');
    expect(await dialog.getByRole('textbox', { name: 'Seal' }).inputValue()).toBe('SEAL-1');
    await hand.tap(dialog.getByRole('radio', { name: 'Next truck' }));
    await hand.tap(dialog.getByLabel('Name'));
    await page.keyboard.type('Eva Meier');
    await hand.draw();
    await shot(page, `finish-${width}`);
    await hand.hold(dialog.getByRole('button', { name: 'Complete with 1 missing' }));
    // The page shows who has signed, and the next truck.
    const left = page.locator('.left-here');
    await left.getByText(`${one} was completed at`).waitFor(SOON);
    await left.getByText('2 of 3 loaded').waitFor();
    await left.getByText('Signed: Eva Meier (Driver)').waitFor();
    await page.getByText('Ready to start').waitFor();
    await page.locator('.next-up', { hasText: next }).waitFor();
    expect(await page.getByRole('button', { name: `Start: ${next}` }).isVisible()).toBe(true);
    expect(hand.taps).toBeLessThanOrEqual(TAPS_MAXIMUM);
    await expectGoodPage(page, `finish-left-${width}`);
    expect(await statusOf(one)).toBe('COMPLETED');
    const [signature] = await signaturesOf(one);
    // The signature covers the seal, and nothing has changed since.
    expect(signature).toMatchObject({
      ...{ role: 'DRIVER', name: 'Eva Meier', superseded: false },
      signedFor: { status: 'IN_PROGRESS', loadedAssetsCount: 2, totalAssetsCount: 3, seal: 'SEAL-1' },
    });
    const photos = await dock.must('GET', `/photo?shipmentExternalId=${one}`);
    expect(photos.content.map(({ kind }: { kind: string }) => kind)).toEqual(['LOAD']);
  });

  it('a name without a drawing is refused in the question, and a drawing stays when the question is asked again', async () => {
    await loading('G3', 'S-3', ['E-1', 'E-2'], ['E-1']);
    const page = await atGate('G3', 1024, 768);
    const hand = finger(page);
    await page.getByRole('link', { name: 'Complete: S-3' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Why?').waitFor();
    await shot(page, 'finish-question-view');
    // The names of the missing pallets come before the question why, and both are in sight on a tablet.
    for (const part of [
      dialog.getByText('E-2', { exact: false }),
      dialog.getByText('Why?'),
      dialog.locator('canvas'),
    ])
      expect([await part.first().innerText(), await part.first().evaluate(inSight)]).toEqual([
        expect.anything(),
        true,
      ]);
    expect(
      await page.evaluate(
        `Boolean(document.querySelector('dialog .named').compareDocumentPosition(document.querySelector('dialog .reasons')) & 4)`,
      ),
    ).toBe(true);
    await expectGoodPage(page, 'finish-question');
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 768 });
    await dialog.getByRole('radio', { name: 'Next truck' }).tap();
    await dialog.getByLabel('Name').fill('Ben Kraft');
    await hand.hold(dialog.getByRole('button', { name: 'Complete with 1 missing' }));
    await dialog.getByText('Not saved: draw your signature first.').waitFor(SOON);
    expect(await statusOf('S-3')).toBe('IN_PROGRESS');
    await hand.draw();
    // Another pallet was loaded, so the question has other numbers.
    await dock.scan('G3', 'E-2');
    await hand.hold(dialog.getByRole('button', { name: 'Complete with 1 missing' }));
    await page.getByRole('dialog', { name: 'Complete S-3?' }).waitFor(SOON);
    // Nothing is missing, so the question does not ask why.
    expect(await dialog.getByText('Why?').count()).toBe(0);
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Ben Kraft');
    await hand.hold(dialog.getByRole('button', { name: 'Complete', exact: true }));
    await page.locator('.left-here').getByText('Signed: Ben Kraft (Driver)').waitFor(SOON);
    expect((await signaturesOf('S-3'))[0].strokes).toHaveLength(1);
  });

  it('a signature on a phone appears at the gate, during loading and after completion', async () => {
    await loading('G4', 'S-4', ['F-1']);
    const page = await atGate('G4', 1024, 768);
    await page.getByRole('link', { name: 'Complete: S-4' }).tap();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Seal' }).fill('S-55');
    await page.getByRole('dialog').getByRole('link', { name: 'Sign on a phone' }).tap();
    const code = page.getByRole('img', { name: 'QR code of the signing page' });
    await code.waitFor(SOON);
    await live(page);
    const strokes = [
      [
        [1, 2],
        [300, 200],
      ],
    ];
    await dock.must('POST', '/shipment/S-4/signature', { role: 'DRIVER', name: 'Ida Lund', strokes });
    // The page with the code notices the signature.
    await page.getByText('Signed: Ida Lund (Driver)').waitFor(SOON);
    expect(await code.count()).toBe(0);
    await expectGoodPage(page, 'finish-signed-phone');
    await page.getByRole('link', { name: 'Back' }).tap();
    await live(page);
    await page.locator('.count').getByText('Signed: Ida Lund (Driver)').waitFor(SOON);
    await shot(page, 'finish-signed-before');
    await page.getByRole('link', { name: 'Complete: S-4' }).tap();
    // The seal that was typed before the signature is still there.
    expect(await page.getByRole('dialog').getByRole('textbox', { name: 'Seal' }).inputValue()).toBe('S-55');
    // The question names the driver who has signed, and does not ask again.
    await page.getByRole('dialog').getByText('Signed: Ida Lund (Driver)').waitFor(SOON);
    expect(await page.getByRole('dialog').locator('canvas').count()).toBe(0);
    // The question is in sight as a whole.
    const question = page.locator('dialog.question');
    expect(await question.evaluate((each) => each.scrollHeight - each.clientHeight)).toBeLessThanOrEqual(0);
    await shot(page, 'finish-signed-question');
    await finger(page).hold(page.getByRole('dialog').getByRole('button', { name: 'Complete', exact: true }));
    await page.locator('.left-here').getByText('Signed: Ida Lund (Driver)').waitFor(SOON);
    await dock.must('POST', '/shipment/S-4/signature', { role: 'CONSIGNEE', name: 'Ole Berg', strokes });
    await page.locator('.left-here').getByText('Signed: Ole Berg (Consignee)').waitFor(SOON);
  });

  it('a truck is completed after its photo is sent, without another tap', async () => {
    await loading('G6', 'S-7', ['J-1']);
    const page = await atGate('G6', 1024, 768);
    let isBlocked = true;
    await page.route('**/photo', (route) => (isBlocked ? route.abort() : route.continue()));
    await page.getByRole('link', { name: 'Complete: S-7' }).tap();
    const dialog = page.getByRole('dialog');
    const hand = finger(page);
    await hand.photo(dialog.getByRole('button', { name: 'Photo of load: S-7' }));
    await page.locator('#photos').getByText('1 photo waits on this tablet.').waitFor(SOON);
    await hand.hold(dialog.getByRole('button', { name: 'Complete', exact: true }));
    await dialog.getByText('First wait until the photo is sent.').waitFor(SOON);
    expect(await statusOf('S-7')).toBe('IN_PROGRESS');
    isBlocked = false;
    await page.locator('.left-here').getByText('S-7 was completed at').waitFor(SOON);
    expect((await dock.must('GET', '/photo?shipmentExternalId=S-7')).content).toHaveLength(1);
  });

  it('without a connection the page says what waits, and the drawing stays until the connection is back', async () => {
    await loading('G5', 'S-5', ['H-1', 'H-2'], ['H-1']);
    const page = await atGate('G5', 1024, 768);
    const hand = finger(page);
    await isKept(page);
    await page.getByRole('link', { name: 'Complete: S-5' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Next truck' }).tap();
    await dialog.getByLabel('Name').fill('Jon Falk');
    await hand.draw();
    wifi.die();
    await page.context().setOffline(true);
    await page.locator('body[data-feed="lost"]').waitFor(SOON);
    await hand.photo(dialog.getByRole('button', { name: 'Photo of load: S-5' }));
    await page.locator('#photos').getByText('1 photo waits on this tablet.').waitFor(SOON);
    const yes = dialog.getByRole('button', { name: 'Complete with 1 missing' });
    await hand.hold(yes);
    await dialog
      .getByText(/No connection\. .* As of [\d:]+\. Keep scanning\. .* 1 photo waits on this tablet\./)
      .waitFor(SOON);
    await shot(page, 'finish-offline');
    expect(await statusOf('S-5')).toBe('IN_PROGRESS');
    wifi.comeBack();
    await page.context().setOffline(false);
    await page.locator('#photos').waitFor({ state: 'hidden', timeout: 30_000 });
    await page.locator('body[data-feed="live"]').waitFor(SOON);
    await hand.hold(yes);
    await page.locator('.left-here').getByText('Signed: Jon Falk (Driver)').waitFor({ timeout: 30_000 });
    // Opened without a connection, the question says the same.
    await shipment('G5', 'S-6', ['H-3']);
    await page.getByRole('button', { name: 'Start: S-6' }).tap();
    await page.getByText('0 / 1').waitFor(SOON);
    wifi.die();
    await page.context().setOffline(true);
    await page.locator('body[data-feed="lost"]').waitFor(SOON);
    await wedge(page, 'H-3');
    await page.getByText('1 item waits on this tablet.').waitFor(SOON);
    await page.getByRole('link', { name: 'Complete: S-6' }).tap();
    await dialog.getByText(/No connection\. .* 1 item waits on this tablet\./).waitFor(SOON);
    wifi.comeBack();
    await page.context().setOffline(false);
  });
});
