import { describe, expect, it } from 'vitest';
import { look, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { unescaped } from '../../markup.ts';
import { recorded } from '../../statements.ts';
import { pagesOf } from './forms.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const manifests: Record<string, string> = {};

const textOf = (html: string): string =>
  html
    .slice(html.indexOf('<main'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const records = async () => (await dock.must('GET', '/shipment/S/asset-loading')).body;

const dock = await newDock();
const many = Array.from({ length: 11 }, (_, index) => `P-${String(index).padStart(2, '0')}`);
await dock.couple(...many, 'A', HOSTILE, 'X');
await dock.manifest('MANY', ...many);
await dock.manifest('FEW', 'A');
await dock.manifest(HOSTILE, HOSTILE);
await dock.shipment('S', ['FEW', 'MANY', HOSTILE], { gateIdentifier: 'G' });
await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
const user = await signIn(dock);
const cookie = user.cookie;
const pages = pagesOf(user);
const { body } = await dock.must('GET', '/shipment/S');
const path = `/app/shipment/${body.uuid}`;
for (const { manifestExternalId, manifestUuid } of body.manifests) {
  manifests[manifestExternalId] = manifestUuid;
}

describe('the pallets of a shipment', () => {
  it('the shipment page finds pallets in any case, coupled or not', async () => {
    const own = await newDock();
    await own.couple('Kühlware É-1', 'Dry-2');
    await own.manifest('M', 'Kühlware É-1', 'Dry-2', 'Größe-3', 'Plain-4');
    const person = pagesOf(await signIn(own));
    const { uuid } = (await own.must('GET', '/manifest/M')).body;
    const found = async (q: string) => {
      const { html } = await person.get(`/app/manifest/${uuid}?q=${encodeURIComponent(q)}`);
      const text = textOf(`<main>${html.slice(html.indexOf('id="pallets"'))}`);
      return ['Kühlware É-1', 'Dry-2', 'Größe-3', 'Plain-4'].filter((name) => text.includes(name));
    };
    for (const [q, name] of [
      ['KÜHLWARE', 'Kühlware É-1'],
      ['é-1', 'Kühlware É-1'],
      ['É-1', 'Kühlware É-1'],
      ['dRY', 'Dry-2'],
      ['pLAIN', 'Plain-4'],
      // A pallet that is not coupled is found by its exact spelling. Only A to Z match in any case.
      ['Größe', 'Größe-3'],
    ] as const) {
      expect([q, await found(q)]).toEqual([q, [name]]);
    }
  });

  it('the shipment page groups pallets by manifest and leads to the rest', async () => {
    await dock.scan('A');
    const { html } = await pages.get(path);
    const groups = [...html.matchAll(/<details class="card group" id="m-([^"]+)"( open)?/g)];
    // Manifests with missing pallets come first and are open.
    expect(groups.map(([, uuid, open]) => [uuid, open !== undefined])).toEqual([
      [manifests['MANY'], true],
      [manifests[HOSTILE], true],
      [manifests['FEW'], false],
    ]);
    const [, many] = html.split(`id="m-${manifests['MANY']}"`);
    const group = many!.slice(0, many!.indexOf('</details>'));
    expect(group.match(/<tr[ >]/g)).toHaveLength(1 + 8);
    expect(textOf(`<main>${group}`)).toContain('and 3 more pallets');
    const more = /href="([^"]+\?manifest=[^"#]+)#pallets"/.exec(group)![1]!;
    const listed = textOf((await pages.get(more)).html);
    expect(listed).toContain('1–11 of 11');
    expect(listed).toContain('All pallets by manifest');
    expect(html).not.toContain(HOSTILE);
  });

  it('the shipment page has all pallets for paper, and only then', async () => {
    const paperOf = (html: string) => /<section class="paper.*?<\/section>/s.exec(html)?.[0] ?? '';
    const rows = (html: string) => [...paperOf(html).matchAll(/<tr><th scope="row">/g)].length;
    const shown = await pages.get(path);
    expect(rows(shown.html)).toBe((await records()).length);
    expect(textOf(`<main>${paperOf(shown.html)}`)).toContain('MANY: 11 pallets');
    expect(paperOf((await pages.get(`${path}?q=P-`)).html)).toBe('');
    expect(rows((await pages.get(`/app/manifest/${manifests['MANY']}`)).html)).toBe(11);
  });

  it('a paper that is too short for a load says so and leads to the list of all pallets', async () => {
    const own = await newDock();
    await own.manifest('LONG', ...Array.from({ length: 305 }, (_, index) => `L-${index}`));
    const person = pagesOf(await signIn(own));
    const { uuid } = (await own.must('GET', '/manifest/LONG')).body;
    const { html } = await person.get(`/app/manifest/${uuid}`);
    expect(textOf(html)).toContain('Only the first 300 of 305 pallets are on this paper.');
    const list = `/app/manifest/${uuid}/loading-list`;
    expect(html.split(`href="${list}"`)).toHaveLength(2);
    const whole = textOf((await person.get(list)).html);
    expect(whole).toContain('LONG: 305 pallets');
    expect(whole).toContain('L-304');
    expect(whole).not.toContain('on this paper');
  });

  it('the shipment page shows flagged and damaged pallets first', async () => {
    await dock.must('PATCH', '/track/P-09/flag', { damaged: true, reason: 'wet' });
    const text = textOf((await pages.get(path)).html);
    expect(text.indexOf('Flagged or damaged')).toBeGreaterThan(0);
    expect(text.indexOf('Flagged or damaged')).toBeLessThan(text.indexOf('Manifests (3)'));
    expect(text.slice(text.indexOf('Flagged or damaged'))).toMatch(/^Flagged or damaged P-09 MANY/);
  });

  it('the shipment page prints labels of one or several own pallets', async () => {
    const label = `/app/marker-code/${dock.codes['P-01']}/label.pdf`;
    expect((await pages.get(path)).html).toContain(`href="${label}"`);
    const answer = await look(label, cookie);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
    expect((await answer.text()).startsWith('%PDF')).toBe(true);
    const [{ recordUuid }] = await records();
    const chosen = await pages.send(path, 'labels', { row: recordUuid });
    expect([chosen.status, chosen.html.startsWith('%PDF')]).toEqual([200, true]);
    const other = await newDock();
    await other.manifest('M', 'Q');
    const theirPage = `/app/manifest/${(await other.must('GET', '/manifest/M')).body.uuid}`;
    const stranger = await signIn(other);
    expect((await look(label, stranger.cookie)).status).toBe(404);
    const theirs = await pagesOf(stranger).send(theirPage, 'labels', { row: recordUuid });
    expect([theirs.status, theirs.html.startsWith('%PDF')]).toEqual([400, false]);
  });

  it('the shipment page reads its pallets in one round trip and no more than it shows', async () => {
    for (const query of ['', `?manifest=${manifests['MANY']}`, '?loadingStatus=NOT_LOADED', '?find=P-0']) {
      const trips = await recorded(async () => {
        expect((await pages.get(path + query)).status).toBe(200);
      });
      expect([query, trips.length]).toEqual([query, 1]);
    }
  });
});

describe('the page', () => {
  it('the shipment page listens to its shipment, gate, manifests and pallets', async () => {
    const { html } = await pages.get(path);
    const topics = JSON.parse(unescaped(/data-topics="([^"]+)"/.exec(html)![1]!));
    expect(topics).toEqual(
      expect.arrayContaining(['shipment:S', 'gate:G', 'manifest:MANY', `manifest:${HOSTILE}`, 'track:P-09']),
    );
    expect(Number(/data-sequence="(\d+)"/.exec(html)![1])).toBeGreaterThan(0);
    expect(html).toContain('/assets/console/live.js');
  });

  it('the shipment page has one next action, which asks when something is missing', async () => {
    const next = async () => {
      const { html } = await pages.get(path);
      const stands = html.slice(html.indexOf('class="stands"'), html.indexOf('class="two"'));
      return [
        stands.match(/<button/g)?.length ?? 0,
        /href="[^"]*confirm=status[^"]*status=COMPLETED/.test(stands),
      ];
    };
    expect(await next()).toEqual([0, true]);
    for (const { recordUuid } of await records()) await pages.send(path, 'load', { record: recordUuid });
    expect(await next()).toEqual([1, false]);
  });

  it('the shipment page is completely in German for German readers', async () => {
    const answer = await look(path, `${cookie}; language=de`);
    const html = await answer.text();
    expect(html).toContain('<main id="main" tabindex="-1">');
    const text = textOf(html);
    for (const said of [
      'von 13 geladen',
      'Ladelisten (3)',
      'Abschließen',
      'Gekennzeichnet oder beschädigt',
    ]) {
      expect([said, text.includes(said)]).toEqual([said, true]);
    }
  });
});

describe('the history of a shipment', () => {
  const entriesOf = (html: string) =>
    [...html.matchAll(/<li>(<time.*?)<\/li>/gs)].map(([, line]) =>
      line!
        .replace(/<small.*?<\/small>/g, '')
        .replace(/^<time[^>]*>[^<]*<\/time>/, '')
        .replace(/<[^>]+>/g, ''),
    );

  it('the shipment page shows the latest entries of shipment, manifests and pallets, limited in number', async () => {
    const own = await newDock();
    await own.couple('A', 'B', 'C');
    await own.manifest('M', 'A', 'B');
    await own.shipment('S', ['M'], { gateIdentifier: 'G' });
    await own.must('POST', '/shipment/S/status/IN_PROGRESS');
    await own.scan('A');
    await own.scan('C');
    const office = pagesOf(await signIn(own));
    const {
      uuid,
      manifests: [{ manifestUuid }],
    } = (await own.must('GET', '/shipment/S')).body;
    const page = `/app/shipment/${uuid}`;
    const all = entriesOf((await office.get(page)).html);
    expect(all).toHaveLength(6);
    expect(all.slice(0, 4)).toEqual([
      expect.stringMatching(/ scanned a wrong pallet \(Gate G\): C$/),
      expect.stringMatching(/ loaded pallet A \(Gate G\)$/),
      expect.stringMatching(/changed shipment S from .+ to In progress$/),
      expect.stringMatching(/changed manifest M from .+ to In progress$/),
    ]);
    expect(entriesOf((await office.get(`/app/manifest/${manifestUuid}`)).html)).toEqual(
      expect.arrayContaining([all[0], all[1], all[3]]),
    );
    // The page reads no more records than it shows.
    const rowsRead = async () => (await recorded(() => office.get(page)))[0]!.rowsRead;
    const before = await rowsRead();
    for (let count = 0; count < 40; count += 1) {
      await own.must('POST', '/manifest/M/custom-field', { fieldKey: 'k', fieldValue: String(count) });
    }
    expect((await rowsRead()) - before).toBeLessThan(40);
    expect(entriesOf((await office.get(page)).html)).toHaveLength(6);
  });

  it('the history of a shipment shows for users who may see the log, and is not read for others', async () => {
    const text = 'Recent activity';
    expect((await pages.get(path)).html).toContain(text);
    const driver = pagesOf(await signIn(dock, 'FORKLIFT_OPERATOR'));
    let html = '';
    const [trip] = await recorded(async () => {
      html = (await driver.get(path)).html;
    });
    expect(html).toContain('P-09');
    expect(html).not.toContain(text);
    // A live page reads only the end of the log.
    expect(trip!.statements.filter((statement) => statement.text.includes('entity_uuid'))).toEqual([]);
  });
});

describe('completed short', () => {
  /** The text of the rows of a list. Its filters name all states. */
  const states = async (list: string) => {
    const rows = /<tbody>.*<\/tbody>/s.exec((await pages.get(`/app/${list}`)).html)![0];
    return textOf(`<main>${rows}`);
  };

  it('a list marks a shipment as completed short, except for offloaded pallets', async () => {
    await pages.send(path, 'mark', { pallet: 'P-00', status: 'UNLOADED', gate: 'G', comment: '' });
    await pages.agree(path, 'status', { status: 'COMPLETED' });
    for (const list of ['shipment', 'manifest'])
      expect(await states(list)).toContain('Completed, some missing');
    const stayed = textOf((await pages.get(path)).html);
    expect(stayed).toContain('Stayed behind P-00 MANY');
    // The other manifests of the shipment are complete.
    expect((await states('manifest?find=FEW')).match(/Completed, some missing/g)).toBeNull();
    await pages.send(path, 'mark', { pallet: 'P-00', status: 'LOADED', gate: 'G', comment: '' });
    await dock.scan('P-00', 'OFFLOAD');
    expect((await dock.must('GET', '/shipment/S')).body.loadedAssetsCount).toBe(12);
    for (const list of ['shipment', 'manifest']) {
      expect(await states(list)).not.toContain('Completed, some missing');
      expect(await states(list)).toContain('Completed');
    }
  });

  it('the API does not contain the mark for completed short', async () => {
    for (const list of ['/shipment', '/manifest']) {
      expect((await dock.must('GET', list)).body.content[0]).not.toHaveProperty('short');
    }
  });
});
