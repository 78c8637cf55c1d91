import { describe, expect, it } from 'vitest';
import { SIGNS } from '../../../../src/core/lib/signs.ts';
import { look, signIn } from '../../delivery/live/listener.ts';
import { leaveAboard } from '../../dispatch/alert/aboard.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { unescaped } from '../../markup.ts';
import { gateUuid, pagesOf } from './forms.ts';

/** The text of a page without markup. */
const textOf = (html: string): string =>
  unescaped(html.slice(html.indexOf('<main')).replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');

/** A dock where the shipment S was at G with 12 pallets. They are still aboard. */
async function strandedDock(): Promise<Dock> {
  const dock = await newDock();
  const names = Array.from({ length: 12 }, (_, at) => `P${at}`);
  await dock.couple(...names);
  await dock.manifest('M', ...names);
  await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
  const pallets = names.map((wmsId) => ({ wmsId, markerCode: dock.codes[wmsId]! }));
  await leaveAboard(dock, { load: 'S', gate: 'G', pallets });
  return dock;
}

describe('the alert about pallets that are still aboard', () => {
  it('the alert about pallets that are still aboard is in the list of alerts of the gate page with the first pallets, and no hazard', async () => {
    const dock = await strandedDock();
    const pages = pagesOf(await signIn(dock));
    const path = `/app/gate/${await gateUuid(dock)}`;
    for (const at of [path, `${path}/scan`]) {
      const { html } = await pages.get(at);
      expect(html).not.toContain('class="haz"');
      const strip = /<div class="row" id="a-.*?<\/div>/s.exec(html)![0];
      expect(strip).toContain(SIGNS.warn);
      expect(textOf(`<main>${strip}`)).toContain(
        'S is no longer being loaded, but 12 pallets are still aboard. Take them off.',
      );
      expect(textOf(`<main>${/<button[^>]*class="strip alerts".*?<\/button>/s.exec(html)![0]}`)).toContain(
        '12 pallets are still aboard. Take them off. Alerts: 1 1',
      );
      expect(textOf(`<main>${/<details id="a-.*?<\/details>/s.exec(strip)![0]}`)).toBe(
        ' Pallets P0 P1 P10 P11 P2 P3 P4 P5 P6 P7 2 more ',
      );
    }
  });

  it('the alert about pallets that are still aboard names the pallets that are left, on every page, and nothing after the last one', async () => {
    const dock = await strandedDock();
    const pages = pagesOf(await signIn(dock));
    const { uuid } = (await dock.must('GET', '/shipment/S')).body;
    const [alert] = (await dock.must('GET', '/alert-event')).body.content;
    const places = [
      `/app/gate/${await gateUuid(dock)}`,
      '/app/board',
      '/app/alert',
      `/app/alert/${alert.uuid}`,
      `/app/shipment/${uuid}`,
    ];
    const unload = async (name: string) => expect((await dock.scan(name, 'UNLOAD')).status).toBe(200);
    for (let at = 0; at < 10; at += 1) await unload(`P${at}`);
    for (const place of places) {
      const text = textOf((await pages.get(place)).html);
      const isShort = place === '/app/board' || place.startsWith('/app/gate/');
      expect([place, text]).toEqual([
        place,
        expect.stringContaining(
          `2 pallets are still aboard. Take them off${isShort ? '.' : ': P10 and P11.'}`,
        ),
      ]);
    }
    await unload('P10');
    await unload('P11');
    for (const place of places.filter((one) => !one.startsWith('/app/alert')))
      expect([place, textOf((await pages.get(place)).html).includes('aboard')]).toEqual([place, false]);
    // A resolved alert says how many pallets there were.
    expect(textOf((await pages.get(`/app/alert/${alert.uuid}`)).html)).toContain(
      '12 pallets are still aboard.',
    );
  });

  it('the alert about pallets that are still aboard is named on the wall and links to its load', async () => {
    const dock = await strandedDock();
    const pages = pagesOf(await signIn(dock));
    expect(textOf((await pages.get('/app/board?screen=wall')).html)).toContain('Pallets left aboard');
    const { uuid } = (await dock.must('GET', '/shipment/S')).body;
    const [alert] = (await dock.must('GET', '/alert-event')).body.content;
    const { html } = await pages.get(`/app/alert/${alert.uuid}`);
    expect(html).toContain(`<a href="/app/shipment/${uuid}">S</a>`);
    expect(textOf((await pages.get('/app/alert?alertType=PALLETS_ABOARD')).html)).toContain(
      'Pallets left aboard',
    );
  });

  it('the alert about pallets that are still aboard is in the language of the page, also at a gate in a language without a desk', async () => {
    const dock = await strandedDock();
    const { cookie } = await signIn(dock);
    const path = `/app/gate/${await gateUuid(dock)}`;
    const shown = async (language: string) =>
      textOf(await (await look(path, `${cookie}; language=${language}`)).text());
    expect(await shown('de')).toContain('12 Paletten sind noch an Bord. Nehmen Sie sie vom Lkw.');
    expect(await shown('tr')).toContain('12 palet hâlâ kamyonda. Onları indirin.');
  });
});

describe('the alert about readings at a gate without work', () => {
  it('the alert about readings at a gate without work shows the number of pallets everywhere, and the readings on its page', async () => {
    const dock = await newDock();
    await dock.couple('A');
    await dock.scan('A');
    const pages = pagesOf(await signIn(dock));
    const [alert] = (await dock.must('GET', '/alert-event')).body.content;
    const places = [
      `/app/gate/${await gateUuid(dock)}`,
      '/app/board',
      '/app/alert',
      `/app/alert/${alert.uuid}`,
    ];
    const expectAll = async (text: string) => {
      for (const place of places)
        expect([place, textOf((await pages.get(place)).html).includes(text)]).toEqual([place, true]);
    };
    await expectAll('Gate G: Pallet A was scanned, but nothing is being loaded there.');
    for (const code of [901, 902]) await dock.scan(code);
    await expectAll('Gate G: 3 pallets were scanned, but nothing is being loaded there.');
    expect(textOf((await pages.get(`/app/alert/${alert.uuid}`)).html)).toContain('Readings 3');
  });

  it('the alert about readings at a gate without work keeps its element on the gate page, so that a further reading is not announced again', async () => {
    const dock = await newDock();
    const pages = pagesOf(await signIn(dock));
    const path = `/app/gate/${await gateUuid(dock)}`;
    const ids = async () => (await pages.get(path)).html.match(/id="a-[^"]+"/g);
    await dock.scan(901);
    const first = await ids();
    expect(first).toHaveLength(1);
    await dock.scan(902);
    expect(await ids()).toEqual(first);
  });
});
