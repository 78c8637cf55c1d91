import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGoodPage, newPerson, signedIn, typeSignIn } from './browser.ts';
import { atDock, SOON } from './dock.ts';

const { world, dock, admin } = await atDock(
  'drafts',
  { G1: 'Dock 01' },
  {
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: [{ fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' }],
  },
);
await dock.must('POST', '/manifest', { externalIdentifier: 'ORD-1', assets: ['D-1'] });
await dock.must('POST', '/manifest', { externalIdentifier: 'ORD-2', assets: ['D-2'] });

const NEW = '/app/shipment/new';
const TYPED = { id: 'T-7', carrier: 'Nordfracht', note: 'Ring twice', gate: 'G1', ticked: ['ORD-1'] };

async function type(page: Page, id = TYPED.id): Promise<void> {
  await page.locator('[name=identifier]').fill(id);
  await page.locator('form.making [list]').fill(TYPED.carrier);
  await page.locator('[name=notes]').fill(TYPED.note);
  await page.locator('[name=gate]').selectOption('G1');
  await page.getByRole('checkbox', { name: /ORD-1/ }).check();
}

const valuesOf = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const form = document.querySelector('form.making');
    const value = (name) => form.querySelector('[name="' + name + '"]').value;
    return {
      id: value('identifier'),
      carrier: form.querySelector('[list]').value,
      note: value('notes'),
      gate: value('gate'),
      ticked: [...form.querySelectorAll('[name=manifest]:checked')].map((box) => box.value),
    };
  })()`);

const EMPTY = { id: '', carrier: '', note: '', gate: '', ticked: [] };

describe('the form for a new shipment', () => {
  it('keeps what was typed over a reload, and empties itself on request', async () => {
    const page = await signedIn(world, admin);
    await page.goto(NEW);
    expect(await page.getByRole('button', { name: 'Empty the form' }).isVisible()).toBe(false);
    await type(page);
    await page.reload();
    expect(await valuesOf(page)).toEqual(TYPED);
    await expectGoodPage(page, 'draft');
    // A manifest that another search had found is not on the page any more.
    await page.goto(`${NEW}?find=ORD-2`);
    expect(await valuesOf(page)).toEqual(TYPED);
    await page.getByRole('button', { name: 'Empty the form' }).click();
    expect(await valuesOf(page)).toEqual(EMPTY);
    await page.reload();
    expect(await valuesOf(page)).toEqual(EMPTY);
  });

  it('keeps what was typed over the end of the session, for the same user only, until it is sent', async () => {
    const page = await signedIn(world, admin);
    await page.goto(NEW);
    await type(page, 'T-8');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create shipment' }).click();
    await page.waitForURL(/\/app\/login/);
    // Another user signs in on the same computer.
    await typeSignIn(page, await newPerson(world, dock, 'OPERATOR'));
    await page.waitForURL(/\/app\/shipment\/new/);
    expect(await valuesOf(page)).toEqual(EMPTY);
    await page.context().clearCookies();
    await page.goto(`/app/login?next=${NEW}`);
    await typeSignIn(page, admin);
    await page.waitForURL(/\/app\/shipment\/new/);
    expect(await valuesOf(page)).toEqual({ ...TYPED, id: 'T-8' });
    await page.getByRole('button', { name: 'Create shipment' }).click();
    await page.waitForURL(/shipment\/[0-9a-f]{8}-/);
    await page.goto(NEW);
    expect(await valuesOf(page)).toEqual(EMPTY);
  });

  it('shows the values that the server refused, and not older ones', async () => {
    const page = await signedIn(world, admin);
    await page.goto(NEW);
    await page.locator('[name=identifier]').fill('T-8');
    await page.getByRole('button', { name: 'Create shipment' }).click();
    await page.locator('.notice.bad').waitFor(SOON);
    expect(await valuesOf(page)).toEqual({ ...EMPTY, id: 'T-8' });
  });
});
