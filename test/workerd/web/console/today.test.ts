import { describe, expect, it } from 'vitest';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';
import { gateUuid, type Pages, pagesOf } from './forms.ts';

const FIELDS = [
  { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
];
const HOUR = 3_600_000;

/** An instant as a WMS writes it, in the time zone of the site. */
const inBerlin = (at: number) => `${new Date(at + HOUR).toISOString().slice(0, 19)}+01:00`;

async function planned(
  dock: Dock,
  name: string,
  at: number,
  more: Record<string, string> = {},
): Promise<void> {
  await dock.manifest(`M-${name}`, `P-${name}`);
  await dock.shipment(name, [`M-${name}`]);
  for (const [fieldKey, fieldValue] of Object.entries({ etd: inBerlin(at), ...more }))
    await dock.must('POST', `/shipment/${name}/custom-field`, { fieldKey, fieldValue });
}

/** Noon of a winter day. The days before and after have the same offset. */
const NOON = Date.parse('2030-01-15T11:00:00Z');

const DAY = '/app/today?day=2030-01-15';

/** The field value for a shipment in the forms of the day: uuid, gate and departure. */
async function placeOf(dock: Dock, name: string, departs: number, gate = ''): Promise<string> {
  return `${(await dock.must('GET', `/shipment/${name}`)).body.uuid} ${gate} ${departs}`;
}

async function newDay(): Promise<{ dock: Dock; pages: Pages }> {
  const dock = await newDock({ shipmentCustomFields: FIELDS, timeZone: 'Europe/Berlin' });
  await planned(dock, 'NOON', NOON, { haulier: 'Federal <b>' });
  // Ten minutes before and after midnight at the site. In UTC, both are on the same day.
  await planned(dock, 'LAST', NOON + 12 * HOUR - 600_000);
  await planned(dock, 'TOMORROW', NOON + 12 * HOUR + 600_000);
  await dock.manifest('M-NEVER');
  await dock.shipment('NEVER', ['M-NEVER']);
  return { dock, pages: pagesOf(await signIn(dock)) };
}

describe('the page of a day', () => {
  it('the day page shows what leaves on a day at the site, and when', async () => {
    const { pages } = await newDay();
    const { status, html } = await pages.get('/app/today?day=2030-01-15');
    expect(status).toBe(200);
    expect(html).toMatch(/Tuesday,? 15 January 2030/);
    for (const text of ['NOON', 'LAST', '12:00', '23:50', 'Federal &lt;b&gt;']) expect(html).toContain(text);
    for (const text of ['TOMORROW', 'NEVER']) expect(html).not.toContain(text);
    // The hours include the departure of LAST, which has no gate yet and can be dragged to one.
    expect(html).toContain('>23:00</span>');
    expect((await pages.get('/app/today?day=2030-01-16')).html).toContain('TOMORROW');
  });

  it('the day page assigns a gate to a shipment without one', async () => {
    const { dock, pages } = await newDay();
    expect((await pages.get(DAY)).html).toContain('No gate yet');
    const sent = await pages.send(DAY, 'move', {
      shipment: await placeOf(dock, 'NOON', NOON),
      gate: await gateUuid(dock),
    });
    expect(sent.status).toBe(303);
    expect((await dock.must('GET', '/shipment/NOON')).body.gate.externalIdentifier).toBe('G');
    expect((await pages.get(DAY)).html).toMatch(/class="slot ready brief"[^>]*><b>.*?NOON/s);
    const viewer = pagesOf(await signIn(dock, 'VIEWER'));
    expect((await viewer.get(DAY)).html).not.toContain('name="gate"');
  });

  it('the day page shows today the overdue shipments of earlier days', async () => {
    const { dock, pages } = await newDay();
    await planned(dock, 'OVERDUE', Date.now() - 50 * HOUR);
    const { html } = await pages.get('/app/today');
    expect(html).toContain('OVERDUE (2 days)');
    await dock.must('POST', '/shipment/OVERDUE/status/CANCELLED');
    expect((await pages.get('/app/today')).html).not.toContain('OVERDUE');
  });

  it('the day page refuses an impossible day and explains missing departure fields', async () => {
    const { pages } = await newDay();
    expect((await pages.get('/app/today?day=2030-02-30')).status).toBe(400);
    const other = pagesOf(await signIn(await newDock()));
    const { html } = await other.get('/app/today');
    expect(html).toContain('does not plan departures yet');
    // It dispatches by shipment already.
    expect(html).not.toContain('Dispatch by shipment');
  });

  it('the day page of an organization that dispatches by manifest has the switch to shipments', async () => {
    // It has the field already, from a time when it dispatched by shipment.
    const shipmentCustomFields = [{ fieldKey: 'departs', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' }];
    const dock = await newDock({ dispatchStrategy: 'MANIFEST', shipmentCustomFields });
    const pages = pagesOf(await signIn(dock));
    const shown = await pages.get('/app/today');
    expect([shown.status, shown.html.includes('Dispatch by shipment')]).toEqual([200, true]);
    const viewer = await pagesOf(await signIn(dock, 'VIEWER')).get('/app/today');
    expect([viewer.status, viewer.html.includes('An administrator can change this')]).toEqual([200, true]);
    expect(viewer.html).not.toContain('value="plan"');
    // The other pages about shipments lead there.
    const refused = await pages.get('/app/shipment');
    expect([refused.status, /<a class="button" href="([^"]+)"/.exec(refused.html)?.[1]]).toEqual([
      403,
      '/app/today',
    ]);
    const switched = await pages.send('/app', 'plan', { roles: 'PLANNED_DEPARTURE', returnTo: '/app/today' });
    expect([switched.status, switched.location]).toEqual([303, '/app/today']);
    expect((await pages.get('/app/today')).html).toContain('Gates over the day');
    expect((await pages.get('/app/shipment')).status).toBe(200);
  });

  it('the day page is read in one round trip by the date index', async () => {
    const { pages } = await newDay();
    const trips = await recorded(() => pages.get('/app/today?day=2030-01-15'));
    expect(trips).toHaveLength(1);
    expect(trips[0]!.rowsRead).toBeLessThan(60);
  });
});

describe('a shipment that is moved on the day', () => {
  const stateOf = async (dock: Dock, name: string) => {
    const { gate, customFields, updateDate } = (await dock.must('GET', `/shipment/${name}`)).body;
    const fields = Object.fromEntries(
      customFields.map(({ fieldKey, fieldValue }: Record<string, string>) => [fieldKey, fieldValue]),
    );
    return { gate: gate?.externalIdentifier ?? null, fields, updateDate };
  };

  it('a move on the day page sets gate and departure in one command and can be undone', async () => {
    const { dock, pages } = await newDay();
    const gate = await gateUuid(dock);
    const records = async () => (await dock.must('GET', '/audit-log?pageSize=1')).body.totalElements;
    const before = await records();
    const shipment = await placeOf(dock, 'NOON', NOON);
    const sent = await pages.send(DAY, 'move', { shipment, gate, departure: '2030-01-15T14:30' });
    expect(sent.status).toBe(303);
    expect(await stateOf(dock, 'NOON')).toMatchObject({
      gate: 'G',
      fields: { etd: '2030-01-15T14:30:00+01:00', haulier: 'Federal <b>' },
    });
    // One record for the shipment and one for its manifest, which moves with it.
    expect((await records()) - before).toBe(2);
    const { html } = await pages.get(sent.location!);
    expect(html).toContain('Undo: NOON');
    const undone = await pages.send(DAY, 'move', {
      shipment: await placeOf(dock, 'NOON', NOON + 2.5 * HOUR, gate),
      ...Object.fromEntries(
        [...html.matchAll(/name="(gate|departure)" value="([^"]+)"/g)]
          .slice(0, 2)
          .map(([, name, value]) => [name, value]),
      ),
    });
    expect(undone.status).toBe(303);
    expect(await stateOf(dock, 'NOON')).toMatchObject({
      gate: null,
      fields: { etd: inBerlin(NOON), haulier: 'Federal <b>' },
    });
  });

  it('a refused move on the day page leaves the shipment and shows the reason', async () => {
    const { dock, pages } = await newDay();
    const gate = await gateUuid(dock);
    const shipment = await placeOf(dock, 'NOON', NOON);
    const before = await stateOf(dock, 'NOON');
    for (const [form, status, why] of [
      [{ gate: crypto.randomUUID() }, 400, 'gate'],
      [{ gate, departure: '2030-13-15T14:30' }, 400, 'Departure: Enter a date and a time'],
      [{ gate, departure: 'soon' }, 400, 'Departure: Enter a date and a time'],
    ] as const) {
      const refused = await pages.send(DAY, 'move', { shipment, ...form });
      expect([form, refused.status]).toEqual([form, status]);
      expect(refused.html).toContain(why);
      expect(refused.html).toContain('15 January 2030');
      expect(await stateOf(dock, 'NOON')).toEqual(before);
    }
    await dock.must('POST', '/shipment/NOON/status/CANCELLED');
    const closed = await pages.send(DAY, 'move', { shipment, gate });
    expect(closed.status).toBe(409);
    expect(closed.html).toContain('NOON (Cancelled): The shipment is completed or cancelled.');
    const viewer = pagesOf(await signIn(dock, 'VIEWER'));
    expect((await viewer.send(DAY, 'move', { shipment, gate })).status).toBe(403);
    expect((await stateOf(dock, 'NOON')).gate).toBe(null);
  });

  it('the day page reports two shipments at one gate at the same time', async () => {
    const { dock, pages } = await newDay();
    await planned(dock, 'SOON', NOON + 10 * 60_000);
    for (const name of ['NOON', 'LAST']) await dock.must('POST', `/shipment/${name}/gate/G`);
    expect((await pages.get(DAY)).html).not.toContain('clash');
    await dock.must('POST', '/shipment/SOON/gate/G');
    const { html } = await pages.get(DAY);
    expect(html).toContain('1 gate has two shipments at the same time');
    expect(html).toMatch(/slot ready clash brief"[^>]*><b>.*?NOON.*?at the same time as SOON/s);
    expect(html).not.toMatch(/slot ready clash brief"[^>]*>[^/]*LAST/);
  });

  it('the day page moves a shipment in German too', async () => {
    const dock = (await newDay()).dock;
    const { cookie, ...user } = await signIn(dock);
    const pages = pagesOf({ ...user, cookie: `${cookie}; language=de` });
    const { html } = await pages.get(DAY);
    for (const text of ['Dienstag, 15. Januar 2030', 'Noch ohne Tor', 'Eine Sendung verschieben'])
      expect(html).toContain(text);
    // The whole page is translated, so `main` has no `lang` attribute.
    expect(html).toContain('<main id="main" tabindex="-1">');
    expect((await pages.get('/app/report')).html).toContain('Geladene Paletten je Stunde');
    expect((await pages.get('/app/search?q=nirgends')).html).toContain('Nichts heißt hier nirgends');
  });
});

describe('lists and the page of a shipment', () => {
  it('lists and the shipment page show departure and carrier in site time, with the delay until it left', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS, timeZone: 'Europe/Berlin' });
    await planned(dock, 'S', NOON, { haulier: 'Federal' });
    await planned(dock, 'OLD', Date.now() - 65 * 60_000);
    const { body } = await dock.must('GET', '/shipment/S');
    const pages = pagesOf(await signIn(dock));
    for (const path of ['/app/shipment', `/app/shipment/${body.uuid}`]) {
      const { html } = await pages.get(path);
      expect(html).toMatch(/<time datetime="2030-01-15T11:00:00.000Z"[^>]*>15 Jan 2030, 12:00<\/time>/);
      expect(html).toContain('Federal');
    }
    expect((await pages.get('/app/shipment')).html).toContain('1 h 5 min late');
  });
});
