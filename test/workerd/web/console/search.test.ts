import { describe, expect, it } from 'vitest';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid, pagesOf } from './forms.ts';

const SSCC = '395212349000000093';
const FIELDS = [
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
  { fieldKey: 'sealed by', fieldType: 'TEXT', role: 'SEAL' },
  { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'note', fieldType: 'TEXT' },
];
const uuids: Record<string, string> = {};

const dock = await newDock({ shipmentCustomFields: FIELDS, timeZone: 'Europe/Berlin' });
await dock.couple(SSCC, 'PAL-1', 'PAL-2');
await dock.manifest('ORDER-77', SSCC, 'PAL-1');
await dock.manifest('TWICE');
await dock.shipment('TRUCK-9', ['ORDER-77']);
await dock.shipment('TWICE', ['TWICE']);
const fields = {
  haulier: 'Federal',
  plate: 'B-XY 12',
  'sealed by': 'Großmann 4711',
  leaves: '2031-05-06T12:30:00Z',
  note: 'Cold',
};
for (const [fieldKey, fieldValue] of Object.entries(fields))
  await dock.must('POST', '/shipment/TRUCK-9/custom-field', { fieldKey, fieldValue });
for (const fieldValue of ['Tiefkühl', 'PO-4711'])
  await dock.must('POST', '/manifest/TWICE/custom-field', { fieldKey: `of ${fieldValue}`, fieldValue });
await dock.must('POST', '/client', { displayName: 'Ørsted Foods', externalId: 'C-5' });
const pages = pagesOf(await signIn(dock));
for (const [name, path] of Object.entries({
  sscc: `/track/${SSCC}`,
  order: '/manifest/ORDER-77',
  truck: '/shipment/TRUCK-9',
  client: '/client/C-5',
}))
  uuids[name] = (await dock.must('GET', path)).body.uuid;
uuids['gate'] = await gateUuid(dock);

const search = (q: string) => pages.get(`/app/search?${new URLSearchParams({ q })}`);

describe('the box of every page', () => {
  it('the search box exists once on each page and no other field has its name', async () => {
    for (const path of [
      '/app',
      '/app/track',
      '/app/manifest',
      `/app/shipment/${uuids['truck']}`,
      '/app/search',
    ]) {
      const { html } = await pages.get(path);
      expect([path, html.match(/role="search"/g)?.length, html.match(/name="q"/g)?.length]).toEqual([
        path,
        1,
        1,
      ]);
      expect(html).toMatch(/<form role="search" method="get" action="\/app\/search"/);
    }
  });

  it.each([
    [SSCC, 'track', 'sscc'],
    [`(00)${SSCC}`, 'track', 'sscc'],
    [`(00) 3952 1234 9000 00 0093`, 'track', 'sscc'],
    [`00${SSCC}`, 'track', 'sscc'],
    [`]C100${SSCC}`, 'track', 'sscc'],
    [`  ${SSCC}\t`, 'track', 'sscc'],
    ['1000000000', 'track', 'sscc'],
    ['ORDER-77', 'manifest', 'order'],
    ['TRUCK-9', 'shipment', 'truck'],
    ['B-XY 12', 'shipment', 'truck'],
    ['Federal', 'shipment', 'truck'],
    ['G', 'gate', 'gate'],
    ['ØRSTED foods', 'client', 'client'],
  ])('the search box opens the exact hit %j', async (q, resource, name) => {
    const { status, location } = await search(q);
    expect([status, location]).toEqual([303, `/app/${resource}/${uuids[name]}`]);
  });

  it('the search box lists several hits and partial hits by kind with their state', async () => {
    const several = await search('TWICE');
    expect(several.status).toBe(200);
    expect(several.html).toMatch(/href="\/app\/manifest\/[^"]+">TWICE/);
    expect(several.html).toMatch(/href="\/app\/shipment\/[^"]+">TWICE/);
    const part = await search('pal-');
    expect(part.html).toContain('>PAL-1</a>');
    expect(part.html).toContain('>PAL-2</a>');
    expect(part.html).toContain('Active');
    expect(part.html).not.toContain('ORDER-77');
    const truck = await search('ruck');
    expect(truck.html).toContain('Federal · B-XY 12 · Großmann 4711');
    expect(truck.html).toMatch(/<time datetime="2031-05-06T12:30:00.000Z">[^<]*14:30/);
  });

  it('the search box finds a whole custom field value, names the field and opens nothing', async () => {
    for (const [q, field, of] of [
      ['Cold', 'note: Cold', '>TRUCK-9</a>'],
      ['cold', 'note: Cold', '>TRUCK-9</a>'],
      ['tiefkühl', 'of Tiefkühl: Tiefkühl', '>TWICE</a>'],
      ['po-4711', 'of PO-4711: PO-4711', '>TWICE</a>'],
    ] as const) {
      const { status, html } = await search(q);
      expect([q, status, html.includes(field), html.includes(of)]).toEqual([q, 200, true, true]);
    }
    expect((await search('old')).html).toContain('Nothing matches');
    await dock.must('DELETE', '/shipment/TRUCK-9/custom-field/note');
    expect((await search('Cold')).html).toContain('Nothing matches');
  });

  it('the search box finds webhooks by name and by part of the address', async () => {
    const receiver = { name: 'Büro Österreich', url: 'https://Hooks.example.com/In/7', eventTypes: [] };
    const { body } = await dock.must('POST', '/webhook', receiver);
    expect((await search('Büro Österreich')).location).toBe(`/app/webhook/${body.uuid}`);
    for (const q of ['BÜRO', 'österr', 'hooks.EXAMPLE', '/in/7'])
      expect([q, (await search(q)).html.includes(`href="/app/webhook/${body.uuid}"`)]).toEqual([q, true]);
    await dock.must('PUT', `/webhook/${body.uuid}`, { ...receiver, name: 'ÉTÉ' });
    expect((await search('été')).html).toContain('>ÉTÉ</a>');
    expect((await search('büro')).html).toContain('Nothing matches');
    const driver = pagesOf(await signIn(dock, 'FORKLIFT_OPERATOR'));
    expect((await driver.get('/app/search?q=example')).html).toContain('Nothing matches');
  });

  it.each(['Feder', 'b-xy', 'federal', 'GRO', 'roßmann', 'GROSSM', 'großMANN', '4711'])(
    'the search box finds shipments by part of driver, vehicle and seal: %s',
    async (q) => {
      const { status, html } = await search(q);
      expect([status, html.includes(`href="/app/shipment/${uuids['truck']}"`)]).toEqual([200, true]);
      expect(html).not.toContain('TWICE');
    },
  );

  it('the search box folds a carrier however it was written', async () => {
    const fields = [{ fieldKey: 'haulier', fieldValue: 'Éclair Ägäis' }];
    await dock.manifest('ORDER-78');
    const manifests = [{ manifestExternalId: 'ORDER-78' }];
    await dock.must('POST', '/shipment', { identifier: 'FOLDED', manifests, customFields: fields });
    const finds = async (q: string) => (await search(q)).html.includes('>FOLDED</a>');
    expect(await finds('éCLAIR äGÄ')).toBe(true);
    await dock.must('POST', '/shipment/FOLDED/custom-field', { fieldKey: 'haulier', fieldValue: 'ØRESUND' });
    expect([await finds('äGÄ'), await finds('øresund')]).toEqual([false, true]);
    const items = [{ shipmentExternalId: 'FOLDED', customFields: fields }];
    await dock.must('POST', '/shipment/bulk-upsert', { items });
    await expect.poll(() => finds('ÄGÄIS'), { timeout: 10_000 }).toBe(true);
    items[0]!.customFields[0]!.fieldValue = 'Plain';
    await dock.must('POST', '/shipment/bulk-upsert', { items });
    await expect.poll(() => finds('plain'), { timeout: 10_000 }).toBe(true);
    expect(await finds('ägäis')).toBe(false);
  });

  it('the search box says when nothing is found and what to do without input', async () => {
    expect((await search('<b>nowhere</b>')).html).toContain('&lt;b&gt;nowhere&lt;/b&gt;');
    expect((await search('   ')).html).toContain('Scan a label');
    expect((await search('%')).html).toContain('Nothing matches');
    expect((await search('x'.repeat(2_000))).status).toBe(200);
  });

  it('the search box opens the live pallet of several with the name', async () => {
    await dock.must('PATCH', '/track/PAL-2/retire');
    await dock.couple('PAL-2');
    const { body } = await dock.must('GET', '/track/PAL-2');
    expect((await search('PAL-2')).location).toBe(`/app/track/${body.uuid}`);
  });

  it('the search box shows only what the user may see', async () => {
    await dock.must('POST', '/user', {
      firstName: 'Findable',
      lastName: 'Person',
      email: 'findable@example.com',
      passwordPolicyMode: 'INVITE_LINK',
      authority: { authorityName: 'VIEWER' },
    });
    expect((await search('findable')).html).toContain('Findable Person');
    const viewer = pagesOf(await signIn(dock, 'VIEWER'));
    expect((await viewer.get('/app/search?q=findable')).html).toContain('Nothing matches');
    expect((await viewer.get('/app/search?q=TRUCK-9')).status).toBe(303);
  });

  it('the search box finds nothing of another organization', async () => {
    const other = pagesOf(await signIn(await newDock()));
    for (const q of [SSCC, 'ORDER-77', 'ORDER', 'Federal'])
      expect((await other.get(`/app/search?q=${q}`)).html).toContain('Nothing matches');
  });

  it('the search box opens the page of an allocated marker code without a pallet, and no other code', async () => {
    const { body } = await dock.must('POST', '/marker-code/allocate?imageDelivery=URL&quantity=2');
    const [{ markerCode }] = body.entries;
    const free = String(markerCode);
    const opened = await search(` ${free} `);
    expect([opened.status, opened.location]).toEqual([303, `/app/marker-code/${free}`]);
    // Another organization has this code.
    const other = await newDock();
    const allocate = () => other.must('POST', '/marker-code/allocate?imageDelivery=URL&quantity=1');
    for (let code = 0; code < markerCode + 2; ) code = (await allocate()).body.entries[0].markerCode;
    const never = await search(String(markerCode + 2));
    expect([never.status, never.html.includes('/app/marker-code/')]).toEqual([200, false]);
    await dock.must('POST', '/track/couple', { wmsId: 'PAL-FREE', markerCode });
    const { body: track } = await dock.must('GET', '/track/PAL-FREE');
    expect((await search(free)).location).toBe(`/app/track/${track.uuid}`);
  });
});
