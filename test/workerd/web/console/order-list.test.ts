import { describe, expect, it } from 'vitest';
import { ORDER_PALLETS_MAXIMUM, ORDERS_MAXIMUM } from '../../../../src/dispatch/load/shipment/rules.ts';
import { checkDigit } from '../../../../src/pallet/gs1.ts';
import { request, writerOf } from '../../core/writer/requests.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { unescaped } from '../../markup.ts';
import { recorded } from '../../statements.ts';
import { pagesOf, type Sent } from './forms.ts';

const sscc = (number: number): string => {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
};
const dock = await newDock({
  timeZone: 'Europe/Berlin',
  shipmentCustomFields: [
    { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
    { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  ],
});
const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
const NEW = '/app/manifest/new';

/** The values that the form of a question sends: hidden ones and choices. */
const valuesIn = ({ html }: Sent): Record<string, string> => {
  const asked = /<section class="asked"[\s\S]*<\/form>/.exec(html)?.[0] ?? '';
  const values = Object.fromEntries(
    [...asked.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      unescaped(value!),
    ]),
  );
  for (const [, name, options] of asked.matchAll(/<select[^>]* name="([^"]+)"[^>]*>([\s\S]*?)<\/select>/g))
    values[unescaped(name!)] = /<option value="([^"]+)" selected/.exec(options!)?.[1] ?? '';
  const { token: _, key: __, ...rest } = values;
  return rest;
};
const confirm = (question: Sent, more: Record<string, string> = {}, key?: string): Promise<Sent> => {
  const { action, ...values } = valuesIn(question);
  return pages.send(NEW, action!, { ...values, ...more }, key);
};
const ask = (pallets: string, more: Record<string, string> = {}): Promise<Sent> =>
  pages.send(NEW, 'create', { externalIdentifier: '', gate: '', pallets, ...more });
const countOf = async (resource: string): Promise<number> =>
  (await dock.must('GET', `/${resource}?pageSize=1`)).body.totalElements;
const manifestOf = async (name: string) => (await dock.must('GET', `/manifest/${name}`)).body;

/** A list of orders with two pallets each, two orders a shipment. */
const listOf = (name: string, orders: number, first = 1): string =>
  [
    'Tour;Auftrag;NVE;Spedition;Abfahrt',
    ...Array.from({ length: 2 * orders }, (_, at) => {
      const order = Math.floor(at / 2);
      const tour = `${name}-T${Math.floor(order / 2)}`;
      return `${tour};${name}-${order};${sscc(first + at)};Nordfracht;25.11.2026 14:30`;
    }),
  ].join('\n');

describe('an order that has grown', () => {
  const [A, B, C] = [sscc(7_001), sscc(7_002), sscc(7_003)] as [string, string, string];
  const palletsOf = async (name: string): Promise<string[]> =>
    (await dock.must('GET', `/manifest/${name}/asset-loading`)).body
      .map(({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier)
      .toSorted();

  it('its missing pallets are named, and added only if the user chooses it', async () => {
    await dock.manifest('GROWN', A, B);
    const list = `Order;SSCC\nGROWN;${A}\nGROWN;${B}\nGROWN;${C}`;
    const question = await ask(list);
    expect(question.html).toContain('Missing in manifests that exist');
    expect(unescaped(question.html)).toContain('GROWN: 1 of 3 pallets');
    expect(question.html).not.toContain('Nothing will be created.');
    const look = await confirm(question, { grow: 'add', confirmed: '' });
    expect(await palletsOf('GROWN')).toEqual([A, B].toSorted());
    expect((await confirm(look)).status).toBe(303);
    expect(await palletsOf('GROWN')).toEqual([A, B, C].toSorted());
    expect((await ask(list)).html).toContain('All manifests of this list exist already.');
  });

  it('new orders are created beside it, and it stays as it is by default', async () => {
    const [D, E] = [sscc(7_004), sscc(7_005)] as [string, string];
    const list = `Order;SSCC\nGROWN;${D}\nFRESH;${E}`;
    expect((await confirm(await ask(list))).status).toBe(303);
    expect([await palletsOf('FRESH'), (await palletsOf('GROWN')).includes(D)]).toEqual([[E], false]);
    const more = `${list}\nFRESH-2;${sscc(7_006)}`;
    const look = await confirm(await ask(more), { grow: 'add', confirmed: '' });
    expect((await confirm(look)).status).toBe(303);
    expect([(await palletsOf('GROWN')).includes(D), await palletsOf('FRESH-2')]).toEqual([
      true,
      [sscc(7_006)],
    ]);
  });

  it('a single manifest whose number is taken can only take the missing pallets', async () => {
    const fields = { externalIdentifier: 'FRESH' };
    const question = await ask(`SSCC\n${sscc(7_007)}`, fields);
    expect(question.html).toContain('Manifest FRESH exists already.');
    expect(question.html).not.toContain('class="sure"');
    const look = await confirm(question, { grow: 'add', confirmed: '' });
    expect((await confirm(look)).status).toBe(303);
    expect(await palletsOf('FRESH')).toContain(sscc(7_007));
  });

  it('a closed order takes no pallets, and they are named', async () => {
    await dock.manifest('SHUT', sscc(7_008));
    await dock.must('POST', '/manifest/SHUT/status/CANCELLED');
    const question = await ask(`Order;SSCC\nSHUT;${sscc(7_009)}`);
    expect(question.html).toContain('Missing in manifests that are closed');
    expect(question.html).not.toContain('name="grow"');
  });
});

describe('a list of orders', () => {
  it('orders have the priority of their column, or else of the form, as a single manifest has', async () => {
    const list = ['Order;Priority;LPN', `PR-1;Low;${sscc(901)}`, `PR-2;;${sscc(902)}`].join('\n');
    const question = await ask(list, { priority: 'HIGH' });
    expect(question.html).toContain('Column: Priority');
    expect((await confirm(question)).status).toBe(303);
    const single = await ask(`LPN\n${sscc(903)}`, { externalIdentifier: 'PR-3', priority: 'LOW' });
    expect((await confirm(single)).status).toBe(303);
    const priorities = ['PR-1', 'PR-2', 'PR-3'].map(async (name) => (await manifestOf(name)).priority);
    expect(await Promise.all(priorities)).toEqual(['LOW', 'HIGH', 'LOW']);
  });

  it('a list of orders becomes manifests and shipments in one commit, as the single commands create them', async () => {
    const question = await ask(listOf('A', 4));
    expect(question.html).toContain('Create 4 manifests?');
    expect(question.html).toContain('A-T0 · Nordfracht · 25 Nov 2026, 14:30');
    expect(question.html).toContain('A-0: 2 pallets · A-T0');
    const events = async () => (await dock.must('GET', '/audit-log?pageSize=1')).body.totalElements;
    const before = await events();
    const trips = await recorded(async () => {
      expect((await confirm(question)).status).toBe(303);
    });
    const writing = trips.filter(({ rowsWritten }) => rowsWritten.some((rows) => rows > 0));
    expect(writing.length).toBe(1);
    expect(await events()).toBe(before + 4 + 2 + 4);
    const { body: shipment } = await dock.must('GET', '/shipment/A-T1');
    expect(shipment).toMatchObject({
      status: 'TO_DO',
      totalAssetsCount: 4,
      manifests: [{ manifestExternalId: 'A-2' }, { manifestExternalId: 'A-3' }],
      customFields: [
        { fieldKey: 'leaves', fieldValue: '2026-11-25T14:30:00+01:00' },
        { fieldKey: 'haulier', fieldValue: 'Nordfracht' },
      ].toSorted((one, other) => one.fieldKey.localeCompare(other.fieldKey)),
    });
    expect(await manifestOf('A-3')).toMatchObject({ manifestStatus: 'TO_DO', totalAssetsCount: 2 });
    const pallets = (await dock.must('GET', '/manifest/A-3/asset-loading')).body;
    expect(pallets.map(({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier)).toEqual([
      sscc(7),
      sscc(8),
    ]);
    expect((await dock.call('POST', '/manifest', { externalIdentifier: 'A-3', assets: [] })).status).toBe(
      409,
    );
  });

  it('the preview names new carriers that are nearly the same as known ones', async () => {
    await confirm(await ask(listOf('TYPO', 2)));
    const asked = await ask(listOf('TYPO2', 2).replaceAll('Nordfracht', 'Nordfrahct'));
    expect(asked.html).toContain('“Nordfrahct” is a new carrier. “Nordfracht” is nearly the same.');
    for (const carrier of ['Nordfracht', 'Alpentransport'])
      expect((await ask(listOf('TYPO3', 2).replaceAll('Nordfracht', carrier))).html).not.toContain(
        'new carrier',
      );
  });

  it('a confirmation that is sent again creates nothing twice, and names what exists', async () => {
    const question = await ask(listOf('B', 3, 100));
    const key = crypto.randomUUID();
    const [one, other] = await Promise.all([confirm(question, {}, key), confirm(question, {}, key)]);
    expect([one.status, other.status].filter((status) => status === 303).length).toBeGreaterThan(0);
    const counts = [await countOf('manifest'), await countOf('shipment')];
    const again = await confirm(question, {}, key);
    expect(again.html).toContain('All manifests of this list exist already. Nothing will be created.');
    expect(again.html).toContain('<li>B-0</li>');
    expect(again.html).not.toContain('data-hold');
    const later = await ask(listOf('B', 3, 100));
    expect((await confirm(later)).html).toContain('All manifests of this list exist already.');
    expect([await countOf('manifest'), await countOf('shipment')]).toEqual(counts);
  });

  it('two confirmations at the same time create each manifest once', async () => {
    const question = await ask(listOf('M', 6, 400));
    const answers = await Promise.all([1, 2, 3].map(() => confirm(question)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect((await dock.must('GET', '/manifest?q=M-&pageSize=1')).body.totalElements).toBe(6);
  });

  it('the command refuses all orders if one of them was created after they were read', async () => {
    await dock.manifest('Y-1', 'Y-P1');
    const order = (externalIdentifier: string) => ({ externalIdentifier, assets: [], shipment: null });
    const input = { gateIdentifier: null, orders: [order('Y-0'), order('Y-1')], shipments: [] };
    const outcome = await writerOf(dock).execute(request('createOrders', input));
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'externalIdentifierInUse' } });
    expect((await dock.call('GET', '/manifest/Y-0')).status).toBe(404);
  });

  it('an order that exists is left out, and an order of a shipment that exists is a bad line', async () => {
    await dock.manifest('C-0', 'x');
    await dock.manifest('C-x', 'y');
    await dock.shipment('C-T1', ['C-x']);
    const question = await ask(listOf('C', 3, 200));
    expect(question.html).toContain('Create 1 manifest?');
    expect(question.html).toContain('Line 6: Shipment C-T1 exists already.');
    expect((await confirm(await confirm(question, { badLines: 'leave' }))).status).toBe(303);
    expect(await manifestOf('C-0')).toMatchObject({ totalAssetsCount: 1, manifestStatus: 'PLANNED' });
    expect((await dock.call('GET', '/manifest/C-2')).status).toBe(404);
    expect((await dock.must('GET', '/shipment/C-T0')).body.manifests).toMatchObject([
      { manifestExternalId: 'C-1' },
    ]);
  });

  it('an order that another user creates after the preview is asked about again', async () => {
    const question = await ask(listOf('D', 2, 300));
    await dock.manifest('D-1', 'z');
    const changed = await confirm(question);
    expect([changed.status, changed.html.includes('Create 1 manifest?')]).toEqual([409, true]);
    expect((await dock.call('GET', '/manifest/D-0')).status).toBe(404);
  });

  it('other columns are shown before anything is created, and Back keeps the list and the choices', async () => {
    const question = await ask(`Wave;Order;LPN\nW-1;E-1;E-P1\nW-1;E-2;E-P2`, { gate: 'G' });
    const other = await confirm(question, { orderColumn: '1' });
    expect([other.status, other.html.includes('Create 1 manifest?')]).toEqual([200, true]);
    const back = await confirm(other, { back: '1' });
    expect(back.status).toBe(200);
    expect(back.html).toContain('W-1;E-2;E-P2');
    expect(back.html).toMatch(/name="orderColumn"[\s\S]*<option value="1" selected/);
    expect(back.html).toMatch(/<option value="G" selected/);
    expect((await dock.call('GET', '/manifest/W-1')).status).toBe(404);
    expect((await confirm(other)).status).toBe(303);
    const { gate, totalAssetsCount } = await manifestOf('W-1');
    expect([gate.externalIdentifier, totalAssetsCount]).toEqual(['G', 2]);
  });

  it('the id of one manifest and its whole list come back with Back', async () => {
    const question = await ask('LPN\nK-1\nK-2', { externalIdentifier: 'KEEP' });
    const back = await confirm(question, { back: '1' });
    expect(back.html).toContain('value="KEEP"');
    expect(back.html).toContain('LPN\nK-1\nK-2</textarea>');
    expect((await dock.call('GET', '/manifest/KEEP')).status).toBe(404);
  });

  it('one manifest of several orders is named, and can become several', async () => {
    const question = await ask('Order;LPN\nF-1;F-P1\nF-2;F-P2', { externalIdentifier: 'F-ALL' });
    expect(question.html).toContain('Column 1 contains 2 orders. All pallets will be in one manifest.');
    const other = await confirm(question, { orderColumn: '1' });
    expect(other.html).toContain('Create 2 manifests?');
    expect((await confirm(other)).status).toBe(303);
    expect((await dock.call('GET', '/manifest/F-ALL')).status).toBe(404);
    expect((await manifestOf('F-2')).totalAssetsCount).toBe(1);
  });

  it('a column of positions beside a column of SSCCs cannot become a manifest', async () => {
    const list = `Pos;NVE;Ware;Gewicht\n1;${sscc(900)};Schrauben;12,5\n2;${sscc(901)};Muttern;7,0`;
    const before = await countOf('manifest');
    const question = await ask(list, { externalIdentifier: 'POS', column: '1' });
    expect(question.html).toContain('This column contains no SSCC, but column 2 does.');
    expect(question.html).not.toContain('data-hold');
    const values = valuesIn(question);
    for (const confirmed of [values['confirmed']!, '', 'x'.repeat(32)])
      expect((await confirm(question, { confirmed })).html).not.toContain('data-hold');
    expect((await ask(list, { externalIdentifier: '', column: '1', orderColumn: '3' })).html).not.toContain(
      'data-hold',
    );
    expect((await ask('Pos;NVE\n1;3,95212E+17', { externalIdentifier: 'POS' })).status).toBe(400);
    expect(await countOf('manifest')).toBe(before);
  });

  it('a list without orders, with too many orders or too many pallets changes nothing and stays', async () => {
    const before = await countOf('manifest');
    const without = await ask('LPN\nG-1\nG-2');
    expect([without.status, without.html.includes('G-1\nG-2</textarea>')]).toEqual([400, true]);
    expect(without.html).toContain('Type the id of the manifest, or choose the column with the orders.');
    const rows = (count: number, order: (at: number) => string) =>
      ['Order;LPN', ...Array.from({ length: count }, (_, at) => `${order(at)};H-${at}`)].join('\n');
    const many = await ask(rows(ORDERS_MAXIMUM + 1, (at) => `H${at}`));
    expect([many.status, many.html.includes('The list has 201 orders.')]).toEqual([400, true]);
    expect((await ask(rows(ORDER_PALLETS_MAXIMUM + 1, (at) => `H${at % 7}`))).status).toBe(400);
    expect((await ask('Order;LPN\nI-1;I-P', { gate: 'NO-GATE' })).status).toBe(200);
    expect((await confirm(await ask('Order;LPN\nI-1;I-P', { gate: 'NO-GATE' }))).status).toBe(400);
    expect(await countOf('manifest')).toBe(before);
  });

  it('the largest list is one commit of few statements', async () => {
    const rows = Array.from(
      { length: ORDER_PALLETS_MAXIMUM },
      (_, at) => `L-T${at % ORDERS_MAXIMUM};L-${at % ORDERS_MAXIMUM};L-P${at};Nordfracht;2026-11-25 14:30`,
    );
    const question = await ask(['Tour;Order;LPN;Carrier;ETD', ...rows].join('\n'));
    const trips = await recorded(async () => expect((await confirm(question)).status).toBe(303));
    expect((await dock.must('GET', '/shipment?q=L-T199')).body.totalElements).toBe(1);
    expect(Math.max(...trips.map(({ statements }) => statements.length))).toBeLessThan(40);
  });
});
