import { describe, expect, it } from 'vitest';
import { pickerText } from '../../../../src/core/lib/zone.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid, pagesOf } from './forms.ts';

const HOUR_MS = 3_600_000;

/** A dock with shipment S in progress, its pages as a user with this authority, and the address of S. */
async function opened(authority = 'ADMINISTRATOR') {
  const dock = await loadingDock({
    timeZone: 'Europe/Berlin',
    shipmentCustomFields: [{ fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' }],
  });
  const shipment = async () => (await dock.must('GET', '/shipment/S')).body;
  const { uuid } = await shipment();
  return {
    dock,
    shipment,
    uuid,
    page: `/app/shipment/${uuid}`,
    gate: `/app/gate/${await gateUuid(dock)}`,
    pages: pagesOf(await signIn(dock, authority)),
  };
}

describe('the page of a shipment', () => {
  it('records the arrival by one button, and changes it by a pencil', async () => {
    const { dock, page, pages, shipment } = await opened();
    expect((await pages.get(page)).html).toContain('Truck is here');
    const sent = await pages.send(page, 'arrive', {});
    expect([sent.status, sent.notice]).toEqual([303, 'The arrival is recorded.']);
    const { arrivalDate } = await shipment();
    expect(Math.abs(Date.now() - Date.parse(arrivalDate))).toBeLessThan(60_000);
    await pages.send(page, 'arrive', {});
    expect((await shipment()).arrivalDate).toBe(arrivalDate);
    const { html } = await pages.get(page);
    expect(html).not.toContain('Truck is here');
    expect(html).toContain('Change Arrived');
    const arrived = Math.floor((Date.now() - 2 * HOUR_MS) / 60_000) * 60_000;
    await pages.send(page, 'changeArrival', {
      arrivalDate: pickerText('Europe/Berlin', arrived),
      driverName: 'Ann Lee',
    });
    expect(await shipment()).toMatchObject({
      arrivalDate: new Date(arrived).toISOString(),
      driverName: 'Ann Lee',
    });
    await dock.must('POST', '/shipment/S/arrival', {
      arrivalDate: new Date(Date.now() - HOUR_MS).toISOString(),
    });
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const closed = (await pages.get(page)).html;
    expect(closed).toContain('Ann Lee');
    expect(closed).toMatch(/Time on site<\/dt>\s*<dd>1 h/);
    expect(closed).not.toContain('Change Arrived');
    const summary = await pages.get(new URL((await shipment()).shipmentSummaryUrl).pathname);
    expect(summary.html).toMatch(/Time on site<\/dt><dd>1 h/);
    expect(summary.html).not.toContain('Ann Lee');
  });

  it.each([
    ['a day that does not exist', '2026-02-30T10:00'],
    ['the future', '2099-01-01T10:00'],
    ['a day long before the shipment', '2025-11-28T10:00'],
  ])('the page of a shipment refuses an arrival on %s and keeps the form open', async (_, arrivalDate) => {
    const { page, pages, shipment } = await opened();
    await pages.send(page, 'arrive', {});
    const before = await shipment();
    const sent = await pages.send(page, 'changeArrival', { arrivalDate, driverName: '' });
    expect(sent.status).toBe(400);
    expect(sent.html).toMatch(/<details class="pencil" open/);
    expect(await shipment()).toEqual(before);
  });

  it('offers no button to a user who may only look', async () => {
    const { page, pages, shipment } = await opened('VIEWER');
    expect((await pages.get(page)).html).not.toContain('Truck is here');
    expect((await pages.send(page, 'arrive', {})).status).toBe(403);
    expect((await shipment()).arrivalDate).toBeNull();
  });

  it('shares the page of the driver while the shipment is open', async () => {
    const { page, pages, shipment } = await opened();
    const { driverUrl } = await shipment();
    expect((await pages.get(page)).html).toContain(`${page}/share`);
    const { html } = await pages.get(`${page}/share?language=pl`);
    expect(html).toContain(`${driverUrl}?language=pl`);
    expect(html).toContain('Twoja brama i godzina');
    expect(html).not.toContain('shipment-summary');
  });
});

describe('an arrival at a gate', () => {
  it('the button of a gate records an arrival, and gate, board, wall and day show it', async () => {
    const { dock, gate, pages, shipment, uuid } = await opened();
    const now = new Date().toISOString();
    await dock.must('POST', '/shipment/S/custom-field', { fieldKey: 'etd', fieldValue: now });
    const screens = [gate, '/app/board', '/app/board?screen=wall', '/app/today'];
    const texts = async () => Promise.all(screens.map(async (screen) => (await pages.get(screen)).html));
    expect((await texts()).map((html) => /arrived \d/.test(html))).toEqual([false, false, false, false]);
    expect((await texts())[0]).toContain('Truck is here');
    expect((await pages.send(gate, 'arrive', { thing: `shipment:${uuid}` })).status).toBe(303);
    const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' });
    const said = `arrived ${clock.format(Date.parse((await shipment()).arrivalDate))}`;
    expect((await texts()).map((html) => html.includes(said))).toEqual([true, true, true, true]);
    expect((await texts())[0]).not.toContain('Truck is here');
  });
});
