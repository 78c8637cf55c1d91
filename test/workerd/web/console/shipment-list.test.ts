import { describe, expect, it } from 'vitest';
import { shipment as shipmentTable } from '../../../../src/dispatch/load/shipment/table.ts';
import { newGate } from '../../client.ts';
import { walksOf } from '../../conventions/walks.ts';
import { look, post, signIn } from '../../delivery/live/listener.ts';
import { addShipments, numbered, store } from '../../dispatch/load/shipment/bulk.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';
import { pagesOf } from './forms.ts';

const FIELDS = [
  { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'seal', fieldType: 'TEXT', role: 'SEAL' },
];
const HOUR = 3_600_000;

async function shipment(name: string, fields: Record<string, string>): Promise<void> {
  await dock.manifest(`M-${name}`, `P-${name}`);
  await dock.shipment(name, [`M-${name}`]);
  for (const [fieldKey, fieldValue] of Object.entries(fields))
    await dock.must('POST', `/shipment/${name}/custom-field`, { fieldKey, fieldValue });
}

const at = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

const dock = await newDock({ shipmentCustomFields: FIELDS });
await shipment('SOON', { etd: at(1), haulier: 'Federal', seal: 'SEAL-7' });
await shipment('LATER', { etd: at(5), haulier: 'Speedy, Ltd.' });
await shipment('OVERDUE', { etd: at(-2), haulier: 'Federal' });
await shipment('UNPLANNED', {});
for (const name of ['SOON', 'OVERDUE']) await dock.must('POST', `/shipment/${name}/gate/G`);
const user = await signIn(dock);
const pages = pagesOf(user);

/** The shipments of a list in its order. */
const names = (html: string): string[] =>
  [...html.matchAll(/<th scope="row"><a href="[^"]+">([^<]+)<\/a>/g)].map(([, name]) => name!);
const listed = async (query: string): Promise<string[]> =>
  names((await pages.get(`/app/shipment${query}`)).html);

describe('the list of shipments', () => {
  it('the shipment list finds a carrier, also with a comma, and links its name', async () => {
    expect((await listed('?carrier=Federal')).sort()).toEqual(['OVERDUE', 'SOON']);
    const { html } = await pages.get('/app/shipment');
    const [, href] = /href="([^"]+)"[^>]*>Speedy, Ltd\.</.exec(html)!;
    expect(await listed(href!.replaceAll('&amp;', '&').replace('/app/shipment', ''))).toEqual(['LATER']);
  });

  it('the lists offer gates by name, and a gate with a comma in its id filters, too', async () => {
    const own = await newDock();
    await newGate(own, 'A,B');
    await own.manifest('M', 'P');
    await own.shipment('AT-COMMA', ['M'], { gateIdentifier: 'A,B' });
    const person = pagesOf(await signIn(own));
    const { uuid } = (await own.must('GET', '/gate/A,B')).body;
    for (const [path, name] of [
      ['/app/shipment', 'gate'],
      ['/app/manifest', 'gateExternalId'],
      ['/app/alert', 'gateExternalId'],
      ['/app/scanner', 'gateExternalId'],
    ] as const) {
      const { html } = await person.get(path);
      const [, select = ''] =
        new RegExp(`<select id="${name}" name="${name}">(.*?)</select>`).exec(html) ?? [];
      const options = [...select.matchAll(/value="([^"]*)"[^>]*>([^<]*)/g)].map(([, value]) => value);
      expect([path, options]).toEqual([path, ['', uuid, 'G', 'H']]);
    }
    const gates = async (query: string) => names((await person.get(`/app/shipment${query}`)).html);
    expect(await gates(`?gate=${uuid}`)).toEqual(['AT-COMMA']);
    expect(await gates('?gate=G')).toEqual([]);
    const { html } = await person.get(`/app/shipment?gate=${uuid},G`);
    expect(html).toMatch(new RegExp(`<option value="${uuid},G" selected[^>]*>[^<]+ and [^<]+<`));
  });

  it('the shipment list says how to create the first shipment and names an empty filter', async () => {
    const bare = pagesOf(await signIn(await newDock()));
    const said = async (path: string) =>
      /<p class="empty">(.+?)<\/p>/s.exec((await bare.get(path)).html)?.[1]?.replace(/<[^>]+>/g, '');
    expect(await said('/app/shipment')).toContain('with “New shipment”');
    expect(await said('/app/shipment?find=X')).toBe('No shipments match these filters.');
    expect(await said('/app/shipment?status=TO_DO')).toBe('This view is empty.');
    expect(await said('/app/webhook')).toBe('None yet. Create the first one');
  });

  it('the shipment list sorts by departure', async () => {
    expect(await listed('?sort.sortBy=departure')).toEqual(['OVERDUE', 'SOON', 'LATER']);
    expect(await listed('?sort.sortBy=departure&sort.direction=DESC&status=TO_DO')).toEqual([
      'LATER',
      'SOON',
      'OVERDUE',
    ]);
  });

  it('the shipment list shows late shipments first, then by departure, and closed ones last', async () => {
    const other = await newDock({ shipmentCustomFields: FIELDS });
    const made: [string, number | null][] = [
      ['IN-5-HOURS', 5],
      ['NO-DEPARTURE', null],
      ['LATE-1-HOUR', -1],
      ['CLOSED-FIRST', -9],
      ['IN-1-HOUR', 1],
      ['LATE-2-HOURS', -2],
      ['CLOSED-SECOND', 4],
      ['NO-DEPARTURE-NEWER', null],
    ];
    for (const [identifier, hours] of made) {
      const customFields = hours === null ? [] : [{ fieldKey: 'etd', fieldValue: at(hours) }];
      await other.manifest(`M-${identifier}`, `P-${identifier}`);
      const manifests = [{ manifestExternalId: `M-${identifier}` }];
      await other.must('POST', '/shipment', { identifier, manifests, customFields });
    }
    for (const name of ['CLOSED-FIRST', 'CLOSED-SECOND'])
      await other.must('POST', `/shipment/${name}/status/CANCELLED`);
    const desk = pagesOf(await signIn(other));
    const inOrder = async (query: string) => names((await desk.get(`/app/shipment${query}`)).html);
    const open = ['LATE-2-HOURS', 'LATE-1-HOUR', 'IN-1-HOUR', 'IN-5-HOURS'];
    const expected = [...open, 'NO-DEPARTURE-NEWER', 'NO-DEPARTURE', 'CLOSED-SECOND', 'CLOSED-FIRST'];
    expect(await inOrder('')).toEqual(expected);
    expect(await inOrder('?sort.direction=DESC')).toEqual([...expected].reverse());
    const pages = await Promise.all([1, 2, 3].map((number) => inOrder(`?pageSize=3&pageNumber=${number}`)));
    expect(pages.flat()).toEqual(expected);
    expect(await inOrder('?status=CANCELLED,TO_DO&pageSize=5&pageNumber=2')).toEqual(expected.slice(5));
    expect(await inOrder('?status=CANCELLED')).toEqual(['CLOSED-SECOND', 'CLOSED-FIRST']);
    expect(await inOrder('?find=late')).toEqual(['LATE-2-HOURS', 'LATE-1-HOUR']);
    expect(await inOrder('?attention=NO_GATE')).toEqual(expected.slice(0, 6));
  });

  it('the default order of shipments reads the same few rows however many shipments are closed', async () => {
    const other = await newDock({ shipmentCustomFields: FIELDS });
    await addShipments(other, 'S-', 1);
    const desk = pagesOf(await signIn(other));
    const rowsRead = async (query: string): Promise<number> => {
      const [trip] = await recorded(() => desk.get(`/app/shipment${query}`));
      return trip!.rowsRead;
    };
    const count = 2_000;
    const now = Date.now();
    await store(other, (database) =>
      database.insert(
        shipmentTable,
        numbered('GONE-', count).map((name, index) => ({
          uuid: crypto.randomUUID() as string,
          externalIdentifier: name,
          status: index < 5 ? ('CANCELLED' as const) : ('COMPLETED' as const),
          publicToken: index < 5 ? null : crypto.randomUUID(),
          foldedIdentifier: name.toLowerCase(),
          foldedNotes: '',
          closeDate: now - index * 1_000,
          createDate: now,
          updateDate: now,
        })),
      ),
    );
    expect((await desk.get('/app/shipment')).html).toContain('1–20 of 2,001');
    for (const query of [
      '',
      '?status=CANCELLED',
      '?status=COMPLETED',
      '?sort.direction=DESC',
      '?status=TO_DO',
    ])
      expect([query, (await rowsRead(query)) < 400 || (await rowsRead(query))]).toEqual([query, true]);
  });

  it('the shipment list has 20, 50 or 100 rows on a page, and the browser remembers the number', async () => {
    const other = await newDock({ shipmentCustomFields: FIELDS });
    await addShipments(other, 'S-', 60);
    const person = await signIn(other);
    const shown = async (query: string, cookie = '') => {
      const answer = await look(`/app/shipment${query}`, person.cookie + cookie);
      const html = await answer.text();
      const kept = answer.headers.getSetCookie().find((set) => set.startsWith('rows')) ?? null;
      return { rows: names(html).length, kept, html };
    };
    const usual = await shown('');
    expect([usual.rows, usual.kept]).toEqual([20, null]);
    expect(usual.html).toMatch(/pageSize=20" aria-current="true">20</);
    const fifty = await shown('?status=TO_DO&pageSize=50');
    expect(fifty.rows).toBe(50);
    const remembered = /rows-app-shipment=50/.exec(fifty.kept!)![0];
    expect((await shown('', `; ${remembered}`)).rows).toBe(50);
    expect((await shown('?pageSize=100', `; ${remembered}`)).rows).toBe(60);
    expect((await shown('', '; rows-app-shipment=60')).rows).toBe(20);
    const odd = await shown('?pageSize=7');
    expect([odd.rows, odd.kept]).toEqual([7, null]);
    expect((await shown('?pageSize=101')).html).toContain('The number must be at most 100.');
  });

  it('the shipment list has views of late, wrong and gateless shipments with counts', async () => {
    expect(await listed('?attention=LATE')).toEqual(['OVERDUE']);
    expect((await listed('?attention=NO_GATE')).sort()).toEqual(['LATER', 'UNPLANNED']);
    expect(await listed('?attention=WRONG')).toEqual([]);
    const { html } = await pages.get('/app/shipment');
    for (const tab of ['Late<span>1</span>', 'No gate<span>2</span>', 'Wrong pallets<span>0</span>'])
      expect(html).toContain(tab);
    expect((await pages.get('/app/shipment?attention=EARLY')).status).toBe(400);
  });

  it('the shipment list shows wrong, unknown and missing pallets in one cell and in files', async () => {
    const other = await newDock({ shipmentCustomFields: FIELDS });
    await other.manifest('M', 'P-1', 'P-2');
    await other.shipment('S', ['M']);
    await other.must('POST', '/shipment/S/gate/G');
    await other.must('POST', '/shipment/S/status/IN_PROGRESS');
    await other.scan(999_999);
    const desk = pagesOf(await signIn(other));
    expect((await desk.get('/app/shipment')).html).toContain('1 unknown');
    expect(names((await desk.get('/app/shipment?attention=WRONG')).html)).toEqual(['S']);
    await other.must('POST', '/shipment/S/status/COMPLETED');
    const { html } = await desk.get('/app/shipment');
    expect(html).toMatch(/1 unknown, 2 missing/);
    expect(html).toContain('Completed, some missing');
    expect((await desk.get('/app/shipment.csv')).html).toContain('"1 unknown, 2 missing"');
  });

  it('the shipment list shows flagged pallets while the shipment is open', async () => {
    const other = await newDock({ shipmentCustomFields: FIELDS });
    await other.couple('S-1');
    for (const name of ['S', 'T']) {
      await other.manifest(name, `${name}-1`, `${name}-2`);
      await other.shipment(name, [name]);
      await other.must('POST', `/shipment/${name}/gate/G`);
    }
    const desk = pagesOf(await signIn(other));
    await other.must('PATCH', '/track/S-1/flag', { reason: 'torn' });
    const { html } = await desk.get('/app/shipment');
    expect(html.match(/\d+ flagged/g)).toEqual(['1 flagged']);
    await other.must('POST', '/shipment/S/status/IN_PROGRESS');
    await other.scan(999_999);
    expect((await desk.get('/app/shipment.csv')).html).toContain('"1 unknown, 1 flagged"');
    await other.must('POST', '/shipment/S/status/COMPLETED');
    expect((await desk.get('/app/shipment')).html).not.toContain('flagged');
  });

  it('the shipment list shows the columns of its address, which the browser remembers', async () => {
    const usual = await pages.get('/app/shipment');
    expect(usual.html).toContain('<th scope="col">Exceptions');
    expect(usual.html).not.toContain('SEAL-7');
    const answer = await look('/app/shipment?columns=-&columns=seal&columns=gate', user.cookie);
    const html = await answer.text();
    expect(html).toContain('SEAL-7');
    expect(html).not.toContain('<th scope="col">Exceptions');
    const [remembered] = /columns-app-shipment=[^;]+/.exec(answer.headers.get('Set-Cookie')!)!;
    const again = pagesOf({ ...user, cookie: `${user.cookie}; ${remembered}` });
    expect((await again.get('/app/shipment')).html).toContain('SEAL-7');
    // Unknown column keys in the cookie are ignored.
    const odd = pagesOf({ ...user, cookie: `${user.cookie}; columns-app-shipment=<b>.seal` });
    expect((await odd.get('/app/shipment')).html).not.toContain('<b>.seal');
    const saved = await look('/app/board', user.cookie);
    const token = /name="token" value="([^"]+)"/.exec(await saved.text())![1]!;
    const form = { token, key: crypto.randomUUID(), action: 'saveView', name: 'Seals' };
    const kept = await post(
      '/app/shipment',
      { ...form, query: 'columns=seal&status=TO_DO' },
      { Cookie: user.cookie },
    );
    expect(kept.headers.get('Location')).toBe('/app/shipment?columns=seal&status=TO_DO');
    await kept.body?.cancel();
    expect((await pages.get('/app/shipment')).html).toContain('>Seals');
  });

  it('the columns Created and Closed sort the lists of shipments and manifests by their headers', async () => {
    for (const path of ['/app/shipment', '/app/manifest']) {
      const { html } = await pages.get(`${path}?columns=-&columns=created&columns=closed`);
      for (const [label, field] of [
        ['Created', 'createDate'],
        ['Closed', 'closeDate'],
      ] as const) {
        const header = new RegExp(`<th scope="col"[^>]*><a href="([^"]*)">${label}`).exec(html);
        const to = (header?.[1] ?? '/no-link').replaceAll('&amp;', '&');
        expect(new URL(to, 'http://x').searchParams.get('sort.sortBy')).toBe(field);
        expect((await pages.get(to)).status).toBe(200);
      }
    }
  });

  it('the shipment list is read in one round trip along indexes, with any filter', async () => {
    for (const query of [
      '',
      '?carrier=Federal',
      '?sort.sortBy=departure',
      '?status=COMPLETED,CANCELLED',
      '?find=x&pageNumber=2',
      '?attention=LATE',
      '?attention=WRONG',
    ]) {
      const trips = await recorded(() => pages.get(`/app/shipment${query}`));
      expect([query, trips.length]).toEqual([query, 1]);
      expect([query, trips[0]!.rowsRead < 400 || trips[0]!.rowsRead]).toEqual([query, true]);
      for (const statement of trips[0]!.statements)
        expect([query, statement.text, await walksOf(statement)]).toEqual([query, statement.text, []]);
    }
  });
});
