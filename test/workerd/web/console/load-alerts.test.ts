import { afterEach, describe, expect, it, vi } from 'vitest';
import { SIGNS } from '../../../../src/core/lib/signs.ts';
import { signIn } from '../../delivery/live/listener.ts';
import {
  clock,
  departingDock,
  departs,
  HOUR,
  minute,
  resolveByHand,
} from '../../dispatch/departure/departures.ts';
import type { Dock } from '../../dispatch/load/shipment/dock.ts';
import { unescaped } from '../../markup.ts';
import { recorded } from '../../statements.ts';
import { pagesOf } from './forms.ts';

afterEach(() => vi.useRealTimers());

/** The name of a shipment that looks like a date. */
const NAME = '2026-01-01T10:00:00Z';

/** The alerts in the header of a page as `text link`, and the topics that the page listens to. */
function alertsIn(html: string): { alerts: string[]; topics: string[] } {
  const list = /<ul class="load-alerts".*?<\/ul>/s.exec(html)?.[0] ?? '';
  const alerts = [...list.matchAll(/<a href="([^"]*)">(.*?)<\/a>/gs)].map(
    ([, href, text]) => `${unescaped(text!.replace(/<[^>]*>/g, ''))} ${href}`,
  );
  return { alerts, topics: JSON.parse(unescaped(/data-topics="([^"]*)"/.exec(html)![1]!)) };
}

/** A shipment of manifest M at a site in Berlin, without a gate unless `more` has one. It departs in an hour. */
async function world(
  more: { gateIdentifier?: string } = {},
): Promise<{ dock: Dock; shipment: string; manifest: string; planned: number }> {
  const dock = await departingDock({ timeZone: 'Europe/Berlin' });
  const planned = Date.parse('2027-07-01T10:00:00Z');
  clock(planned - HOUR);
  await dock.manifest('M', 'A', 'B');
  await dock.shipment(NAME, ['M'], { customFields: [departs(planned)], ...more });
  const { uuid } = (await dock.must('GET', `/shipment/${encodeURIComponent(NAME)}`)).body;
  const manifest = (await dock.must('GET', '/manifest/M')).body.uuid;
  return { dock, planned, shipment: `/app/shipment/${uuid}`, manifest: `/app/manifest/${manifest}` };
}

describe('the header of the page of a shipment or manifest', () => {
  it('a late departure is in the header with a link, until it is resolved, and the page listens to both', async () => {
    const { dock, shipment, manifest, planned } = await world();
    const pages = pagesOf(await signIn(dock));
    expect(alertsIn((await pages.get(shipment)).html).alerts).toEqual([]);
    clock(planned + 11_000);
    await minute(dock);
    const [alert] = (await dock.must('GET', '/alert-event')).body.content;
    for (const path of [shipment, manifest]) {
      const { html } = await pages.get(path);
      const { alerts, topics } = alertsIn(html);
      // A screen reader announces an alert whose id is new on the page.
      expect(html).toContain(`<li id="a-${alert.uuid}" data-announce="${NAME} has not left. `);
      expect(alerts).toEqual([
        `${NAME} has not left. Its planned departure was at 1 Jul 2027, 12:00. /app/alert/${alert.uuid}`,
      ]);
      expect(topics).toContain(`alert:${alert.uuid}`);
      expect(topics).toContain(`shipment:${NAME}`);
    }
    const [list, page] = [await pages.get('/app/alert'), await pages.get(`/app/alert/${alert.uuid}`)];
    for (const { html } of [list, page]) {
      expect(unescaped(html)).toContain(`${NAME} has not left.`);
      expect(html).toContain('1 Jul 2027, 12:00.');
    }
    await resolveByHand(dock);
    for (const path of [shipment, manifest])
      expect(alertsIn((await pages.get(path)).html).alerts).toEqual([]);
  });

  it('a late departure has the icon of a clock on the page of its shipment, and the card of its gate announces it', async () => {
    const dock = await departingDock();
    await dock.manifest('M', 'A');
    await dock.shipment('S', ['M'], { gateIdentifier: 'G', customFields: [departs(Date.now() - HOUR)] });
    await minute(dock);
    const pages = pagesOf(await signIn(dock));
    const { uuid } = (await dock.must('GET', '/shipment/S')).body;
    const { html } = await pages.get(`/app/shipment/${uuid}`);
    expect(/class="load-alerts".*?<path d="([^"]*)"/s.exec(html)?.[1]).toBe(SIGNS.clock);
    const [alert] = (await dock.must('GET', '/alert-event')).body.content;
    const board = (await pages.get('/app/board')).html;
    expect(board).toMatch(
      new RegExp(`<span class="hidden" id="a-${alert.uuid}" data-announce="[^"]*S has not left`),
    );
    expect(board).not.toContain('class="gate-alerts"');
  });

  it('missing pallets of a completed shipment are in the header, and the page needs one round trip', async () => {
    const dock = await departingDock();
    await dock.manifest('M', 'A', 'B');
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    for (const status of ['IN_PROGRESS', 'COMPLETED'])
      await dock.must('POST', `/shipment/S/status/${status}`);
    const shipment = `/app/shipment/${(await dock.must('GET', '/shipment/S')).body.uuid}`;
    const pages = pagesOf(await signIn(dock));
    let html = '';
    const trips = await recorded(async () => {
      ({ html } = await pages.get(shipment));
    });
    expect(trips).toHaveLength(1);
    expect(alertsIn(html).alerts.join()).toContain('S was completed without 2 of 2 pallets.');
    const other = pagesOf(await signIn(await departingDock()));
    expect((await other.get(shipment)).status).toBe(404);
  });
});

it('the wall and the gate say how late a truck is instead of its alert, which is on the board', async () => {
  const { dock, planned } = await world({ gateIdentifier: 'G' });
  const pages = pagesOf(await signIn(dock));
  clock(planned + 11_000);
  await minute(dock);
  clock(planned + 61_000);
  const text = `${NAME} has not left.`;
  expect((await pages.get('/app/board')).html).toContain(text);
  const wall = (await pages.get('/app/board?screen=wall')).html;
  expect(wall).not.toContain(text);
  expect(wall).toContain('1 min late');
  // While the truck is not being loaded, its lateness is no alert at the gate.
  const { uuid } = (await dock.must('GET', '/gate/G')).body;
  expect((await pages.get(`/app/gate/${uuid}`)).html).not.toContain(text);
  await dock.must('POST', `/shipment/${encodeURIComponent(NAME)}/status/IN_PROGRESS`);
  const gate = (await pages.get(`/app/gate/${uuid}`)).html;
  expect(gate).not.toContain(text);
  expect(gate).toContain('1 min late');
});
