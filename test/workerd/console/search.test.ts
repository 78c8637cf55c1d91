import { beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../live/listener.ts';
import { type Dock, newDock } from '../shipment/dock.ts';
import { gateUuid, type Pages, pagesOf } from './forms.ts';

const SSCC = '395212349000000093';
const FIELDS = [
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
  { fieldKey: 'sealed by', fieldType: 'TEXT', role: 'SEAL' },
  { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'note', fieldType: 'TEXT' },
];

let dock: Dock;
let pages: Pages;
const uuids: Record<string, string> = {};

beforeAll(async () => {
  dock = await newDock({ shipmentCustomFields: FIELDS, timeZone: 'Europe/Berlin' });
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
  await dock.must('POST', '/client', { displayName: 'Ørsted Foods', externalId: 'C-5' });
  pages = pagesOf(await signIn(dock));
  for (const [name, path] of Object.entries({
    sscc: `/track/${SSCC}`,
    order: '/manifest/ORDER-77',
    truck: '/shipment/TRUCK-9',
    client: '/client/C-5',
  }))
    uuids[name] = (await dock.must('GET', path)).body.uuid;
  uuids['gate'] = await gateUuid(dock);
});

const search = (q: string) => pages.get(`/app/search?${new URLSearchParams({ q })}`);

describe('the box of every page', () => {
  it('stands on each page once, and no other field has its name', async () => {
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
  ])('opens what is called exactly %j', async (q, resource, name) => {
    const { status, location } = await search(q);
    expect([status, location]).toEqual([303, `/app/${resource}/${uuids[name]}`]);
  });

  it('lists what several are called, and what has the text in it, by kind with its state', async () => {
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
    // A field without a role names nothing.
    expect((await search('Cold')).html).toContain('Nothing here is called');
  });

  it.each(['Feder', 'b-xy', 'federal', 'GRO', 'roßmann', '4711'])(
    'finds shipments by a part of who drives, in what, and its seal: %s',
    async (q) => {
      const { status, html } = await search(q);
      expect([status, html.includes(`href="/app/shipment/${uuids['truck']}"`)]).toEqual([200, true]);
      expect(html).not.toContain('TWICE');
    },
  );

  it('says so where nothing is found, and what to do where nothing was typed', async () => {
    expect((await search('<b>nowhere</b>')).html).toContain('&lt;b&gt;nowhere&lt;/b&gt;');
    expect((await search('   ')).html).toContain('Scan a label');
    expect((await search('%')).html).toContain('Nothing here is called');
    expect((await search('x'.repeat(2_000))).status).toBe(200);
  });

  it('opens the pallet that is alive, of those that were called so', async () => {
    await dock.must('PATCH', '/track/PAL-2/retire');
    await dock.couple('PAL-2');
    const { body } = await dock.must('GET', '/track/PAL-2');
    expect((await search('PAL-2')).location).toBe(`/app/track/${body.uuid}`);
  });

  it('shows what the user may see only', async () => {
    await dock.must('POST', '/user', {
      firstName: 'Findable',
      lastName: 'Person',
      email: 'findable@example.com',
      passwordPolicyMode: 'INVITE_LINK',
      authority: { authorityName: 'VIEWER' },
    });
    expect((await search('findable')).html).toContain('Findable Person');
    const viewer = pagesOf(await signIn(dock, 'VIEWER'));
    expect((await viewer.get('/app/search?q=findable')).html).toContain('Nothing here is called');
    expect((await viewer.get('/app/search?q=TRUCK-9')).status).toBe(303);
  });

  it('finds nothing of another organization', async () => {
    const other = pagesOf(await signIn(await newDock()));
    for (const q of [SSCC, 'ORDER-77', 'ORDER', 'Federal'])
      expect((await other.get(`/app/search?q=${q}`)).html).toContain('Nothing here is called');
  });
});
