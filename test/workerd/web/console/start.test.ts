import { describe, expect, it } from 'vitest';
import { newTenant, operator } from '../../client.ts';
import { look, signIn } from '../../delivery/live/listener.ts';
import { type Pages, pagesOf } from './forms.ts';

const MANIFEST = { dispatchStrategy: 'MANIFEST' };

/** A new organization without anything, and the pages of its administrator. */
async function empty(settings: Record<string, unknown> = MANIFEST) {
  const tenant = await newTenant(settings);
  const user = await signIn(tenant);
  return { tenant, user, pages: pagesOf(user) };
}
const progress = async (pages: Pages): Promise<string | undefined> =>
  /(\d+ of \d+) done/.exec((await pages.get('/app')).html)?.[1];
const must = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  expect([status, status < 300 || body]).toEqual([status, true]);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return body as any;
};

describe('the setup list of an empty organization', () => {
  it('the setup list ticks itself from an empty organization to the first loaded pallet', async () => {
    const { tenant, pages } = await empty();
    const first = await pages.get('/app');
    expect(first.html).toContain('Set up your site');
    expect(first.html).not.toContain('Last 24 hours');
    expect(await progress(pages)).toBe('0 of 6');
    expect((await pages.send('/app', 'gates', { prefix: 'Dock', count: '12' })).status).toBe(303);
    expect(await progress(pages)).toBe('1 of 6');
    const roles = { roles: 'PLANNED_DEPARTURE' };
    expect((await pages.send('/app', 'plan', roles)).status).toBe(303);
    // By shipment there is one more step. Departures without carriers are no tick yet.
    expect(await progress(pages)).toBe('1 of 7');
    expect((await pages.send('/app', 'plan', { roles: 'CARRIER' })).status).toBe(303);
    expect(await progress(pages)).toBe('2 of 7');
    await must(tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P'] }));
    expect(await progress(pages)).toBe('3 of 7');
    const manifests = [{ manifestExternalId: 'M' }];
    await must(tenant.call('POST', '/shipment', { identifier: 'S', gateIdentifier: 'D02', manifests }));
    expect(await progress(pages)).toBe('4 of 7');
    await must(tenant.call('POST', '/marker-code/allocate?quantity=1&imageDelivery=URL'));
    expect(await progress(pages)).toBe('5 of 7');
    await must(tenant.call('POST', '/shipment/S/status/IN_PROGRESS'));
    await must(tenant.call('PATCH', '/shipment/S/asset-loading/track/P/status', { status: 'LOADED' }));
    expect(await progress(pages)).toBe('6 of 7');
    // An organization that has completed work needs no list any more.
    await must(tenant.call('POST', '/shipment/S/status/COMPLETED'));
    expect(await progress(pages)).toBeUndefined();
    expect((await pages.get('/app')).location).toBe('/app/today');
  });

  it('one form creates numbered gates, keeps gates that exist, and has bounds', async () => {
    const { tenant, user, pages } = await empty();
    await must(tenant.call('GET', '/gate'));
    await pages.send('/app', 'gates', { prefix: ' Ramp ', count: '3' });
    await pages.send('/app', 'gates', { prefix: 'Dock', count: '4' });
    const { content } = await must(
      tenant.call('GET', '/gate?sort.sortBy=externalIdentifier&sort.direction=ASC'),
    );
    expect(content.map(({ externalIdentifier: id, name }: Record<string, string>) => [id, name])).toEqual([
      ['D01', 'Ramp 01'],
      ['D02', 'Ramp 02'],
      ['D03', 'Ramp 03'],
      ['D04', 'Dock 04'],
    ]);
    const log = await must(tenant.call('GET', '/audit-log?action=GATE_CREATED'));
    expect(log.content.map(({ actor }: { actor: { uuid: string } }) => actor.uuid)).toEqual(
      Array.from({ length: 4 }, () => user.uuid),
    );
    for (const count of ['0', '100', '1.5', 'x']) {
      expect([count, (await pages.send('/app', 'gates', { prefix: 'Dock', count })).status]).toEqual([
        count,
        400,
      ]);
    }
    expect((await pages.send('/app', 'gates', { prefix: ' ', count: '1' })).status).toBe(400);
  });

  it('the switch to shipments keeps the custom fields and gives each role one field', async () => {
    const { tenant, pages } = await empty({
      ...MANIFEST,
      shipmentCustomFields: [
        { fieldKey: 'carrier', fieldType: 'TEXT' },
        { fieldKey: 'departure', fieldType: 'NUMBER' },
        { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
      ],
    });
    const { html } = await pages.get('/app');
    expect(html.match(/name="roles" value="[A-Z_]+" checked/g)).toHaveLength(4);
    // The form of the page sends several values. This one sends one value at a time.
    for (const roles of ['CARRIER', 'VEHICLE', 'PLANNED_DEPARTURE', 'SEAL', 'CARRIER']) {
      expect((await pages.send('/app', 'plan', { roles })).status).toBe(303);
    }
    const { body } = await operator('GET', `/organization/${tenant.uuid}`);
    expect([body.dispatchStrategy, body.shipmentCustomFields]).toEqual([
      'SHIPMENT',
      [
        { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' },
        { fieldKey: 'departure', fieldType: 'NUMBER', role: null },
        { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
        { fieldKey: 'departure2', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
        { fieldKey: 'seal', fieldType: 'TEXT', role: 'SEAL' },
      ],
    ]);
  });

  it('the setup list is for administrators, and a browser can hide it', async () => {
    const { tenant, user } = await empty();
    const viewer = pagesOf(await signIn(tenant, 'VIEWER'));
    expect((await viewer.get('/app')).html).not.toContain('Set up your site');
    const hidden = await look('/app?start=hide', user.cookie);
    expect(await hidden.text()).not.toContain('Set up your site');
    const [cookie] = /start-[^;]+/.exec(hidden.headers.get('Set-Cookie')!)!;
    const later = pagesOf({ ...user, cookie: `${user.cookie}; ${cookie}` });
    expect((await later.get('/app')).html).not.toContain('Set up your site');
    expect((await later.get('/app/settings')).html).toContain('href="/app?start=show"');
    expect((await later.get('/app?start=show')).html).toContain('Set up your site');
    // The choice is about one organization.
    const other = await empty();
    const there = pagesOf({ ...other.user, cookie: `${other.user.cookie}; ${cookie}` });
    expect((await there.get('/app')).html).toContain('Set up your site');
  });
});

describe('the example day', () => {
  const shipmentsOf = async ({ call }: Awaited<ReturnType<typeof newTenant>>) => {
    const { content } = await must(
      call('GET', '/shipment?sort.sortBy=externalIdentifier&sort.direction=ASC'),
    );
    return content.map(
      ({ externalIdentifier, status, tracksCount, loadedAssetsCount, notes }: Record<string, unknown>) => [
        externalIdentifier,
        status,
        `${loadedAssetsCount} of ${tracksCount}`,
        notes,
      ],
    );
  };
  const DAY = [
    ['EXAMPLE-S1', 'COMPLETED', '4 of 4', 'Example day'],
    ['EXAMPLE-S2', 'IN_PROGRESS', '4 of 6', 'Example day'],
    ['EXAMPLE-S3', 'IN_PROGRESS', '5 of 8', 'Example day'],
    ['EXAMPLE-S4', 'TO_DO', '0 of 4', 'Example day'],
    ['EXAMPLE-S5', 'TO_DO', '0 of 5', 'Example day'],
  ];

  it('an administrator fills an empty organization with an example day after a question', async () => {
    const { tenant, user, pages } = await empty();
    expect((await pages.get('/app')).html).toContain('Fill with an example day');
    const asked = await pages.send('/app', 'example', {});
    expect([asked.status, asked.html.includes('This creates 5 shipments with 27 pallets')]).toEqual([
      200,
      true,
    ]);
    expect((await must(tenant.call('GET', '/manifest'))).totalElements).toBe(0);
    const filled = await pages.agree('/app', 'example', {});
    expect([filled.status, filled.location, filled.status === 303 || filled.html.slice(-3_000)]).toEqual([
      303,
      '/app/today',
      true,
    ]);
    expect(await shipmentsOf(tenant)).toEqual(DAY);
    const { html } = await pages.get('/app/today');
    expect(html).toContain('EXAMPLE-S2 (');
    const log = await must(tenant.call('GET', '/audit-log?pageSize=100'));
    type Entry = { action: string; actor: { actorType: string; uuid: string } };
    const [bySystem, byOthers] = [true, false].map((isSystem) =>
      log.content.filter(({ actor }: Entry) => (actor.actorType === 'SYSTEM') === isSystem),
    );
    expect(new Set(byOthers.slice(0, 60).map(({ actor }: Entry) => actor.uuid))).toEqual(
      new Set([user.uuid]),
    );
    // The late shipments of the example raise alerts, as in every organization.
    expect(bySystem.filter(({ action }: Entry) => !/^ALERT_(RAISED|RESOLVED)$/.test(action))).toEqual([]);
    const alerts = await must(tenant.call('GET', '/alert-event?status=OPEN'));
    // Completion resolves the alert of the first shipment.
    const ofFirst = alerts.content.filter(({ message }: { message: string }) =>
      message.includes('EXAMPLE-S1'),
    );
    expect(ofFirst).toEqual([]);
    // It is there, so it is not offered again. The list continues, because it is no work of the organization.
    const shown = (await pages.get('/app')).html;
    expect([shown.includes('Fill with an example day'), shown.includes('Set up your site')]).toEqual([
      false,
      true,
    ]);
  });

  it('an interrupted example day is continued, and a repeat changes nothing', async () => {
    const { tenant, pages } = await empty({ dispatchStrategy: 'SHIPMENT' });
    const assets = ['EXAMPLE-1101', 'EXAMPLE-1102', 'EXAMPLE-1103', 'EXAMPLE-1104'];
    await must(tenant.call('POST', '/manifest', { externalIdentifier: 'EXAMPLE-M11', assets }));
    expect((await pages.get('/app')).html).toContain('Continue the example day');
    expect((await pages.agree('/app', 'example', {})).status).toBe(303);
    expect(await shipmentsOf(tenant)).toEqual(DAY);
    const { totalElements } = await must(tenant.call('GET', '/audit-log?pageSize=1'));
    expect((await pages.agree('/app', 'example', {})).status).toBe(303);
    expect(await shipmentsOf(tenant)).toEqual(DAY);
    expect((await must(tenant.call('GET', '/audit-log?pageSize=1'))).totalElements).toBe(totalElements);
  });

  it('an organization with work of its own gets no example day', async () => {
    for (const [path, body] of [
      ['/manifest', { externalIdentifier: 'OWN', assets: [] }],
      ['/track/get-and-couple?imageDelivery=URL', { wmsId: 'OWN-1' }],
    ] as const) {
      const { tenant, pages } = await empty();
      await must(tenant.call('POST', path, body));
      expect((await pages.get('/app')).html).not.toContain('example day');
      const refused = await pages.agree('/app', 'example', {});
      expect(refused.status).toBe(400);
      expect((await must(tenant.call('GET', '/gate'))).totalElements).toBe(0);
    }
  });
});

it('empty pages without gates lead to the page that creates them', async () => {
  const { tenant, pages } = await empty({
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: [{ fieldKey: 'departure', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' }],
  });
  for (const path of ['/app/board', '/app/today']) {
    expect((await pages.get(path)).html).toMatch(/There are no gates\. <a href="\/app\/gate">Create gates/);
    const viewer = await pagesOf(await signIn(tenant, 'VIEWER')).get(path);
    expect([viewer.html.includes('There are no gates.'), viewer.html.includes('Create gates')]).toEqual([
      true,
      false,
    ]);
  }
});

it('empty lists link to the page or the form that creates the first item', async () => {
  const { tenant, pages } = await empty({ dispatchStrategy: 'SHIPMENT' });
  const viewer = pagesOf(await signIn(tenant, 'VIEWER'));
  for (const [path, to] of [
    ['/app/shipment', '/app/shipment/new'],
    ['/app/manifest', '/app/manifest/new'],
    ['/app/track', '/app/manifest/new'],
    ['/app/gate', '#below'],
    ['/app/webhook', '#below'],
  ] as const) {
    const linked = (html: string) => /class="empty">[^<]*<a href="([^"]+)"/.exec(html)?.[1];
    expect([path, linked((await pages.get(path)).html)]).toEqual([path, to]);
    expect([path, linked((await viewer.get(path)).html)]).toEqual([path, undefined]);
  }
});
