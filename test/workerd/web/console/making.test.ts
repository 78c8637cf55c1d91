import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../../src/core/lib/csv.ts';
import { checkDigit } from '../../../../src/pallet/gs1.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { pagesOf } from './forms.ts';

const sscc = (number: number): string => {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
};

const dock = await newDock({
  shipmentCustomFields: [
    { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
    { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  ],
});
const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));

const NEW = '/app/manifest/new';
const missing = async (path: string) => (await dock.call('GET', path)).status;
const palletsOf = async (manifest: string) =>
  (await dock.must('GET', `/manifest/${manifest}/asset-loading`)).body.map(
    ({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier,
  );

describe('a list that is a file', () => {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `${line(index)}\r\n`).join('');
  const look = async (pallets: string) => {
    const externalIdentifier = 'FILE';
    const { status, html } = await pages.send(NEW, 'create', { externalIdentifier, gate: '', pallets });
    expect(await missing('/manifest/FILE')).toBe(404);
    return [status, html] as const;
  };

  it('a file of 5,000 rows is read as our own lists are exported', async () => {
    const columns = [
      'Active',
      'ORDER-10248',
      'TRUCK-1',
      'Dock 01',
      'A customer',
      new Date(0),
      new Date(0),
      '',
      '',
    ];
    const header = [
      'Pallet',
      'Status',
      'Manifest',
      'Shipment',
      'Gate',
      'Client',
      'Coupled',
      'Updated',
      'a',
      'b',
    ];
    const rows = Array.from({ length: 5_000 }, (_, index) =>
      csvLine([sscc(index), ...columns], 'Europe/Berlin'),
    );
    const [status, html] = await look(`\ufeff${csvLine(header, 'UTC')}${rows.join('')}`);
    expect([status, html.includes('Create FILE with 5000 pallets?')]).toEqual([200, true]);
  });

  it('a file with too many pallets is refused with their number, and 50,000 rows may have few enough', async () => {
    const [status, html] = await look(`SSCC;Goods\r\n${lines(5_999, (index) => `${sscc(index)};Bolts`)}`);
    expect([status, html.includes('The list has 5999 pallets. A manifest holds at most 5000.')]).toEqual([
      400,
      true,
    ]);
    const [again, asked] = await look(lines(50_000, (index) => `P-${index % 5_000}`));
    expect([again, asked.includes('Create FILE with 5000 pallets?')]).toEqual([200, true]);
    expect(asked).toContain('45,000');
  });

  it('a file of more than 50,000 lines is refused before it is read further', async () => {
    const started = Date.now();
    const [status, html] = await look(lines(600_000, () => 'P'));
    expect([status, html.includes('This list has more than 50000 lines.')]).toEqual([400, true]);
    expect(Date.now() - started).toBeLessThan(10_000);
    const [tooLarge, page] = await look(lines(100_000, (index) => `${sscc(index)};${'Bolts'.repeat(10)}`));
    expect([tooLarge, page.includes('The file or text is too large. Choose a smaller one.')]).toEqual([
      413,
      true,
    ]);
  });
});

describe('a manifest is made of a list', () => {
  it('a list of 5,000 pallets becomes a manifest after a confirmation', async () => {
    const pallets = Array.from({ length: 5_000 }, (_, index) => sscc(index)).join('\n');
    const fields = { externalIdentifier: 'LONG', gate: 'G', pallets };
    const asked = await pages.send(NEW, 'create', fields);
    expect([asked.status, asked.html.includes('Create LONG with 5000 pallets?')]).toEqual([200, true]);
    expect(await missing('/manifest/LONG')).toBe(404);
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.html)![1]!;
    const key = crypto.randomUUID();
    const [one, other] = [
      await pages.send(NEW, 'create', { ...fields, confirmed }, key),
      await pages.send(NEW, 'create', { ...fields, confirmed }, key),
    ];
    expect([one.status, other.location]).toEqual([303, one.location]);
    expect((await dock.must('GET', '/manifest/LONG')).body).toMatchObject({
      totalAssetsCount: 5_000,
      gate: { externalIdentifier: 'G' },
      manifestStatus: 'PLANNED',
    });
  }, 60_000);

  it('a list with a bad line names it and becomes nothing until confirmed', async () => {
    const hostile = '"<script>alert(1)</script>"';
    const fields = {
      externalIdentifier: 'PART',
      gate: '',
      pallets: `LPN;x\nLPN-1;a\nLPN-1;b\n${hostile};c`,
      badLines: '',
    };
    const many = await pages.send(NEW, 'create', fields);
    expect(many.html).toContain('Line 3: It is already in line 2.');
    expect(many.html).not.toContain('<script>alert');
    expect(many.html).toContain('Many lines cannot be read.');
    expect(many.html).not.toContain('Create without');
    fields.badLines = 'leave';
    const asked = await pages.send(NEW, 'create', fields);
    expect(asked.html).not.toContain('Many lines cannot be read.');
    expect(asked.html).toContain('Create without 1 bad line');
    expect(await missing('/manifest/PART')).toBe(404);
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.html)![1]!;
    const other = await pages.send(NEW, 'create', { ...fields, pallets: `${fields.pallets}\nP`, confirmed });
    expect([other.status, other.html.includes('Somebody else has changed this')]).toEqual([409, true]);
    expect((await pages.send(NEW, 'create', { ...fields, confirmed })).status).toBe(303);
    expect((await palletsOf('PART')).toSorted()).toEqual(['<script>alert(1)</script>', 'LPN-1']);
  });

  it('a list without a pallet line or with too many becomes no manifest', async () => {
    const wrong = `${sscc(1).slice(0, -1)}${(Number(sscc(1).at(-1)) + 1) % 10}`;
    const none = await pages.send(NEW, 'create', { externalIdentifier: 'NONE', gate: '', pallets: wrong });
    expect([none.status, none.html.includes('No line of the list contains a pallet.')]).toEqual([400, true]);
    expect(none.html).toContain(wrong);
    const pallets = Array.from({ length: 5_001 }, (_, index) => `P${index}`).join('\n');
    const many = await pages.send(NEW, 'create', { externalIdentifier: 'MANY', gate: '', pallets });
    expect([many.status, many.html.includes('A manifest holds at most 5000')]).toEqual([400, true]);
  });
});

describe('a shipment is made of manifests that are chosen', () => {
  const PAGE = '/app/shipment/new';

  it('a new shipment takes selected planned manifests with gate, note and plan', async () => {
    await dock.manifest('FREE', 'A');
    await dock.manifest('TAKEN', 'B');
    await dock.manifest('BEGUN', 'C');
    await dock.must('POST', '/manifest/BEGUN/status/TO_DO');
    await dock.shipment('OTHER', ['TAKEN']);
    const { html } = await pages.get(PAGE);
    expect(['FREE, 1 pallet', 'TAKEN', 'BEGUN'].map((name) => html.includes(name))).toEqual([
      true,
      false,
      false,
    ]);
    expect((await pages.get(`${PAGE}?find=nowhere`)).html).not.toContain('FREE, 1 pallet');
    const made = await pages.send(PAGE, 'create', {
      identifier: 'MADE',
      gate: 'H',
      notes: 'Tail lift',
      manifest: 'FREE',
      names: ' PART \n',
      'field.haulier': 'United',
      'field.leaves': '2026-11-21T13:30:00+01:00',
    });
    expect(made.status).toBe(303);
    const { body } = await dock.must('GET', '/shipment/MADE');
    expect(made.location).toBe(`/app/shipment/${body.uuid}`);
    expect(body).toMatchObject({
      gate: { externalIdentifier: 'H' },
      notes: 'Tail lift',
      manifests: [{ manifestExternalId: 'FREE' }, { manifestExternalId: 'PART' }],
    });
    expect(body.customFields.map(({ fieldValue }: { fieldValue: string }) => fieldValue).toSorted()).toEqual([
      '2026-11-21T13:30:00+01:00',
      'United',
    ]);
  });

  it('a refused new shipment keeps the input', async () => {
    const empty = await pages.send(PAGE, 'create', { identifier: 'KEPT', gate: '', notes: '', names: '' });
    expect([empty.status, empty.html.includes('value="KEPT"')]).toEqual([400, true]);
  });

  it('a refusal names no field of the API, in any language', async () => {
    const user = await signIn(dock);
    for (const [language, sentence] of [
      ['en', 'Choose at least one manifest.'],
      ['de', 'Wählen Sie mindestens eine Ladeliste.'],
    ] as const) {
      const own = pagesOf({ ...user, cookie: `${user.cookie}; language=${language}` });
      const refused = await own.send('/app/shipment/new', 'create', { identifier: 'TR-NONE' });
      const notice = /role="alert">(.*?)<\/div>/s.exec(refused.html)?.[1] ?? '';
      expect([refused.status, notice.replaceAll(/<[^>]+>/g, ' ').trim()]).toEqual([400, sentence]);
    }
  });

  it('a notice says that a shipment was cancelled', async () => {
    await dock.manifest('TO-CANCEL', 'PC-1');
    await dock.shipment('TR-CANCEL', ['TO-CANCEL']);
    const { body } = await dock.must('GET', '/shipment/TR-CANCEL');
    const done = await pages.agree(`/app/shipment/${body.uuid}`, 'status', {
      status: 'CANCELLED',
      manifests: 'CANCEL',
    });
    expect(done.notice).toBe('The shipment is cancelled.');
  });

  it('selected manifests and input stay while searching for more, and nothing is created', async () => {
    await dock.manifest('ONE', 'E');
    await dock.manifest('TWO', 'F');
    const typed = { identifier: 'NOT-YET', gate: 'H', notes: 'Tail lift', names: 'PART', find: 'two' };
    const found = await pages.send(PAGE, 'look', { ...typed, manifest: 'ONE' });
    expect([found.status, found.location]).toEqual([200, null]);
    const chosen = [...found.html.matchAll(/name="manifest" value="([^"]+)"( checked)?/g)].map(
      ([, name, checked]) => [name, checked !== undefined],
    );
    expect(chosen).toEqual([
      ['ONE', true],
      ['TWO', false],
    ]);
    for (const kept of [
      'value="NOT-YET"',
      '<option value="H" selected',
      'Tail lift',
      'PART',
      'value="two"',
    ]) {
      expect([kept, found.html.includes(kept)]).toEqual([kept, true]);
    }
    expect(await missing('/shipment/NOT-YET')).toBe(404);
    const refused = await pages.send(PAGE, 'create', { ...typed, identifier: '', manifest: 'ONE' });
    expect(refused.status).toBe(400);
    expect(refused.html).toMatch(/name="manifest" value="ONE" checked/);
  });

  it('a shipment takes more manifests later on a page of its own', async () => {
    await dock.manifest('LATER', 'D');
    const shipment = (await dock.must('GET', '/shipment/MADE')).body;
    const path = `/app/shipment/${shipment.uuid}/attach`;
    expect((await pages.get(path)).html).toContain('LATER, 1 pallet');
    expect((await pages.send(path, 'attach', { manifest: 'LATER' })).status).toBe(303);
    expect((await dock.must('GET', '/shipment/MADE')).body.manifests).toHaveLength(3);
  });
});
