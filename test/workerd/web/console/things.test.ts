import { describe, expect, it } from 'vitest';
import { API, call, newTenant, operator } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { look, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid, pagesOf } from './forms.ts';

const dock = await newDock();
const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
const viewer = pagesOf(await signIn(dock, 'FORKLIFT_OPERATOR'));

const HOSTILE = '"><script>alert(1)</script>';
const all = async (list: string) => (await dock.must('GET', `/${list}?pageSize=100`)).body.content;
const uuidIn = (location: string | null) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(location ?? '')?.[0] ?? '';
const secretIn = (html: string) =>
  /wd[kt]_\w+/.exec(/class="notice secret".*?<\/section>/s.exec(html)?.[0] ?? '')?.[0] ?? '';
const log = async (action: string) => (await dock.must('GET', `/audit-log?action=${action}`)).body.content;

describe('a gate', () => {
  it('a gate is created, changed and deleted on pages, and created once however often the form is sent', async () => {
    const fields = { externalIdentifier: `N1 ${HOSTILE}`, name: HOSTILE, localManagerUuid: '', gln: '' };
    const key = crypto.randomUUID();
    const made = await pages.send('/app/gate', 'create', fields, key);
    expect([made.status, (await pages.send('/app/gate', 'create', fields, key)).location]).toEqual([
      303,
      made.location,
    ]);
    const page = made.location!;
    const { html } = await pages.get(page);
    expect(html).not.toContain('<script>alert');
    const update = { name: 'Dock 01', localManagerUuid: '', gln: '9521234000006' };
    expect((await pages.send(page, 'update', update)).status).toBe(303);
    const gate = (await all('gate')).find(({ uuid }: { uuid: string }) => uuid === uuidIn(page));
    expect(gate).toMatchObject({
      externalIdentifier: fields.externalIdentifier,
      name: 'Dock 01',
      gln: update.gln,
    });
    const [record] = await log('GATE_UPDATED');
    expect(record.actor.actorType).toBe('USER');
    expect((await pages.send(page, 'delete', {})).html).toContain('Delete this gate?');
    expect((await pages.agree(page, 'delete', {})).status).toBe(303);
    expect((await dock.call('GET', `/gate/${uuidIn(page)}`)).status).toBe(404);
    expect((await pages.send(page, 'update', update)).status).toBe(404);
  });

  it('gates are listed by id, and offered in the natural order of their names', async () => {
    const own = await newTenant();
    for (const [id, name] of [
      ['03', 'Dock 10'],
      ['01', 'Dock 9'],
      ['02', 'Dock 1'],
    ] as const)
      await operator('PUT', `/organization/${own.uuid}/gate/${id}`, { name });
    const { cookie } = await signIn(own, 'ADMINISTRATOR');
    const html = async (path: string) => (await look(path, cookie)).text();
    const listed = (await html('/app/gate')).matchAll(/<\/span> (\d\d)<\/a>/g);
    expect([...listed].map(([, id]) => id)).toEqual(['01', '02', '03']);
    const select = /<select[^>]* name="gate".*?<\/select>/s.exec(await html('/app/manifest/new'))![0];
    expect([...select.matchAll(/>(Dock \d+)</g)].map(([, name]) => name)).toEqual([
      'Dock 1',
      'Dock 9',
      'Dock 10',
    ]);
  });

  it('a gate page refuses an existing external id', async () => {
    const fields = { externalIdentifier: 'G', name: 'Another', localManagerUuid: '', gln: '' };
    const { status, html } = await pages.send('/app/gate', 'create', fields);
    expect([status, html.includes('This external id is in use. Enter another one.')]).toEqual([409, true]);
    expect((await all('gate')).map(({ name }: { name: string }) => name)).not.toContain('Another');
  });

  it('a gate with open work cannot be deleted', async () => {
    await dock.must('POST', '/manifest', { externalIdentifier: 'AT-G', gateExternalId: 'G', assets: [] });
    const page = `/app/gate/${await gateUuid(dock)}/settings`;
    expect((await pages.agree(page, 'delete', {})).status).toBe(409);
    expect((await viewer.send(page, 'delete', {})).status).toBe(403);
  });
});

describe('a device', () => {
  it.each([
    ['scanner', { kind: 'HANDHELD', serialNumber: 'S-1' }, { scannerType: 'HANDHELD', serialNumber: 'S-1' }],
    ['local-manager', { hostname: 'a.example' }, { hostname: 'a.example' }],
    ['agent', { kind: 'CAMERA' }, { agentType: 'CAMERA' }],
  ])('a device (%s) is created, changed and deleted on pages', async (list, said, shown) => {
    const { location } = await pages.send(`/app/${list}`, 'create', { name: `New ${HOSTILE}`, ...said });
    const device = async () =>
      (await all(list)).find(({ uuid }: { uuid: string }) => uuid === uuidIn(location));
    expect(await device()).toMatchObject({ name: `New ${HOSTILE}`, ...shown });
    expect((await pages.get(location!)).html).not.toContain('<script>alert');
    const change = { name: 'Renamed', ...said, gateExternalId: 'G', localManagerUuid: '' };
    expect((await pages.send(location!, 'update', change)).status).toBe(303);
    expect(await device()).toMatchObject({ name: 'Renamed', ...shown });
    if (list === 'scanner') expect(await device()).toMatchObject({ gate: { externalIdentifier: 'G' } });
    expect((await pages.get(`/app/${list}?find=renamed`)).html).toContain('Renamed');
    const [record] = await log(`${list.replace('-', '_').toUpperCase()}_UPDATED`);
    expect(record.changes.map(({ field }: { field: string }) => field)).toContain('name');
    // The same change again writes no record.
    await pages.send(location!, 'update', change);
    expect((await log(`${list.replace('-', '_').toUpperCase()}_UPDATED`)).length).toBe(1);
    const nowhere = { ...change, gateExternalId: 'NOWHERE' };
    if (list === 'scanner') expect((await pages.send(location!, 'update', nowhere)).status).toBe(400);
    expect((await pages.agree(location!, 'delete', {})).status).toBe(303);
    expect(await device()).toBeUndefined();
    expect((await pages.send(location!, 'update', change)).status).toBe(404);
  });

  it('a device gets a token of its own on its page and reports by it', async () => {
    const { location } = await pages.send('/app/scanner', 'create', {
      name: 'S',
      kind: '',
      serialNumber: '',
    });
    const fields = { name: 'S', scopes: 'DEVICE_WRITE', days: '30' };
    const { html } = await pages.send(location!, 'token', fields);
    const beat = { deviceType: 'SCANNER', uuid: uuidIn(location), status: 'ONLINE' };
    const sent = await call('POST', '/device/rest/api/v1/heartbeat', {
      headers: { 'X-Auth-Token': secretIn(html) },
      json: beat,
    });
    expect([sent.status, sent.body.status]).toEqual([200, 'ONLINE']);
  });
});

describe('a key', () => {
  const opens = async (secret: string) =>
    (await call('GET', `${API}/gate`, { headers: { 'X-AUTH-KEY': secret } })).status;

  it('a key is created, used, rotated and revoked on pages, and its secret shows once', async () => {
    const key = crypto.randomUUID();
    const fields = { name: `WMS ${HOSTILE}`, days: '' };
    const made = await pages.send('/app/api-key', 'create', fields, key);
    const secret = secretIn(made.html);
    expect([made.status, made.html.split(secret).length - 1, await opens(secret)]).toEqual([200, 1, 200]);
    expect(made.html).not.toContain('<script>alert');
    // The same form again has the same effect and shows no secret.
    expect((await pages.send('/app/api-key', 'create', fields, key)).status).toBe(303);
    const list = (await pages.get('/app/api-key')).html;
    expect([list.includes(secret), list.includes(secret.slice(0, 12))]).toEqual([false, true]);
    const page = /\/app\/api-key\/[0-9a-f-]{36}(?=">WMS)/.exec(list)![0];
    expect((await pages.get(page)).html).not.toContain(secret);

    const rotated = await pages.send(page, 'rotate', { overlapSeconds: '3600' });
    const second = secretIn(rotated.html);
    expect([await opens(secret), await opens(second)]).toEqual([200, 200]);
    // An overlap of 0 seconds needs a confirmation.
    expect((await pages.send(page, 'rotate', { overlapSeconds: '0' })).html).toContain('at once?');
    const third = secretIn((await pages.agree(page, 'rotate', { overlapSeconds: '0' })).html);
    expect([await opens(secret), await opens(second), await opens(third)]).toEqual([401, 401, 200]);

    expect((await pages.send(page, 'revoke', {})).html).toContain('Revoke WMS');
    expect(await opens(third)).toBe(200);
    expect((await pages.agree(page, 'revoke', {})).status).toBe(303);
    expect(await opens(third)).toBe(401);
    expect((await pages.get('/app/api-key')).html).not.toContain(page);
    expect((await pages.get('/app/api-key?includeDeleted=true')).html).toContain(page);

    const records = JSON.stringify(
      (await dock.must('GET', '/audit-log?entityType=API_KEY&pageSize=100')).body,
    );
    for (const each of [secret, second, third]) expect(records).not.toContain(each);
    const [record] = await log('API_KEY_REVOKED');
    expect(record.actor.actorType).toBe('USER');
  });

  it('a key needs every permission, and a token the right to change the site', async () => {
    const fields = { name: 'X', days: '30', scopes: 'GATE_WRITE' };
    const office = pagesOf(await signIn(dock, 'OPERATOR'));
    expect((await office.send('/app/api-key', 'create', fields)).status).toBe(403);
    expect((await office.get('/app/api-key')).html).not.toContain('New API key');
    expect((await office.send('/app/access-token', 'create', fields)).status).toBe(200);
    expect((await viewer.send('/app/api-key', 'create', fields)).status).toBe(403);
    expect((await viewer.send('/app/access-token', 'create', fields)).status).toBe(403);
    const { html } = await pages.send('/app/access-token', 'create', fields);
    expect(secretIn(html)).toMatch(/^wdt_test_/);
    expect((await pages.send('/app/access-token', 'create', { name: 'X', days: '30' })).status).toBe(400);
    expect((await pages.send('/app/access-token', 'create', { ...fields, days: '366' })).status).toBe(400);
  });
});

describe('the settings', () => {
  const fields = {
    timeZone: 'Europe/Warsaw',
    dispatchStrategy: 'SHIPMENT',
    gateWorkerIdentification: 'PIN',
    labelSize: 'INCH_4X6',
    deviceOfflineAfterSeconds: '120',
    fieldKey0: 'haulier',
    fieldType0: 'TEXT',
    role0: 'CARRIER',
    fieldKey1: '',
    fieldType1: 'TEXT',
    role1: '',
    fieldKey2: `leaves ${HOSTILE}`,
    fieldType2: 'DATE_TIME',
    role2: 'PLANNED_DEPARTURE',
  };

  it('settings of an organization need every permission, and operator settings cannot be changed there', async () => {
    expect((await viewer.send('/app/settings', 'change', fields)).status).toBe(403);
    expect((await viewer.get('/app/settings')).html).not.toContain('name="timeZone"');
    const more = { ...fields, requestsPerMinute: '7', slug: 'another', markerCodeStart: '1' };
    expect((await pages.send('/app/settings', 'change', more)).status).toBe(303);
    const { html } = await pages.get('/app/settings');
    expect(html).not.toContain('<script>alert');
    for (const text of [
      'Europe/Warsaw',
      'A PIN',
      '4 × 6 inches',
      '120 s',
      'haulier',
      'Set by the operator',
      '1,000,000',
    ])
      expect(html).toContain(text);
    const [record] = await log('ORGANIZATION_UPDATED');
    expect(record.actor.actorType).toBe('USER');
    expect(record.changes.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'deviceOfflineAfterSeconds',
      'gateWorkerIdentification',
      'labelSize',
      'shipmentCustomFields',
      'timeZone',
    ]);
  });

  it('settings change on one page only', async () => {
    const { html } = await pages.get(`/app/organization/${dock.uuid}`);
    expect(html).toContain('action="/app/settings" class="settings"');
    const other = `/app/organization/${(await newTenant()).uuid}`;
    expect((await pages.get(other)).status).toBe(404);
    expect((await pages.send(other, 'change', fields)).status).toBeGreaterThanOrEqual(404);
  });

  it('settings of an organization in another database reach the directory', async () => {
    await operator('PUT', '/database/DB_1', { open: true });
    const tenant = await newTenant({ databaseName: 'DB_1' });
    const there = pagesOf(await signIn(tenant, 'ADMINISTRATOR'));
    expect((await there.send('/app/settings', 'change', fields)).status).toBe(303);
    const zone = 'SELECT time_zone FROM organization WHERE uuid = ?1';
    expect(await db.prepare(zone).bind(tenant.uuid).first('time_zone')).toBe('Europe/Warsaw');
    const { body } = await operator('GET', `/organization/${tenant.uuid}`);
    expect([body.databaseName, body.timeZone]).toEqual(['DB_1', 'Europe/Warsaw']);
  });

  it('settings report their faults', async () => {
    const twice = { ...fields, fieldKey1: 'haulier' };
    const refused = await pages.send('/app/settings', 'change', twice);
    expect([refused.status, refused.html.includes('is listed twice.')]).toEqual([400, true]);
    const zone = await pages.send('/app/settings', 'change', { ...fields, timeZone: 'Mars/Base' });
    expect([zone.status, zone.html.includes('Mars/Base')]).toEqual([400, true]);
    await dock.must('POST', '/manifest', { externalIdentifier: 'OPEN', assets: [] });
    await dock.must('POST', '/shipment', {
      identifier: 'OPEN',
      manifests: [{ manifestExternalId: 'OPEN' }],
    });
    const strategy = { ...fields, dispatchStrategy: 'MANIFEST' };
    expect((await pages.send('/app/settings', 'change', strategy)).status).toBe(409);
  });
});
