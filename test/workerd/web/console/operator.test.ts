import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { consume } from '../../../../src/queues.ts';
import { newPerson } from '../../access/session/person.ts';
import { newTenant, operator } from '../../client.ts';
import { walksOf } from '../../conventions/walks.ts';
import { recorded } from '../../statements.ts';
import { bootstrap, newOperator } from './operator-person.ts';

const HOSTILE = '<script>alert(1)</script>"\'&\u202e';

await operator('PUT', '/database/DB_1', { open: true });
const who = await newOperator('READ', 'PROVISION', 'OPERATE', 'TRANSFER', 'ERASE');

/** Returns the fields of the settings form on an organization's page. */
function fieldsOf(html: string): Record<string, string> {
  const form = /<form(?:(?!<\/form>)[\s\S])*value="change"[\s\S]*?<\/form>/.exec(html)![0];
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const [name, value] = ['name', 'value'].map((of) => new RegExp(` ${of}="([^"]*)"`).exec(tag)?.[1]);
    if (name && !['token', 'key', 'action'].includes(name)) fields[name] = value ?? '';
  }
  for (const [, name, options] of form.matchAll(/<select[^>]* name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    const [, value, label] =
      /<option(?: value="([^"]*)")? selected[^>]*>([^<]*)</.exec(options!) ??
      /<option(?: value="([^"]*)")?>([^<]*)</.exec(options!)!;
    fields[name!] = value ?? label!;
  }
  return fields;
}

/** Creates an organization on the page, and returns its path and uuid. */
async function made(more: Record<string, string> = {}) {
  const slug = `p-${crypto.randomUUID().slice(0, 8)}`;
  const fields = {
    name: `Made ${slug}`,
    slug,
    dispatchStrategy: 'SHIPMENT',
    clientFeatureEnabled: 'true',
    timeZone: 'Europe/Berlin',
    sandbox: 'false',
    databaseName: 'DB',
    ...more,
  };
  const { status, headers, text } = await who.post('/operator/organization', 'create', fields);
  expect([status, status === 303 || text.slice(-2_000)]).toEqual([303, true]);
  const path = headers.get('Location')!;
  return { path, slug, uuid: path.split('/').at(-1)! };
}

const stored = async (uuid: string) => (await operator('GET', `/organization/${uuid}`)).body;

it('the operator creates an organization on a page by the command of the API', async () => {
  const { uuid, slug } = await made();
  expect(await stored(uuid)).toMatchObject({
    slug,
    dispatchStrategy: 'SHIPMENT',
    clientFeatureEnabled: true,
    timeZone: 'Europe/Berlin',
    sandbox: false,
    databaseName: 'DB',
  });
  const db = (env as unknown as Env).DB;
  const row = await db
    .prepare('SELECT actor_type, actor_uuid FROM audit_log WHERE entity_uuid = ? AND action = ?')
    .bind(uuid, 'ORGANIZATION_CREATED')
    .first();
  expect(row).toEqual({ actor_type: 'OPERATOR', actor_uuid: who.uuid });
});

it('a refused organization form shows its faults and takes one key once', async () => {
  const key = crypto.randomUUID();
  const { slug, path } = await made({ key });
  expect((await made({ key, slug, name: `Made ${slug}` })).path).toBe(path);
  const again = await who.post('/operator/organization', 'create', {
    name: HOSTILE,
    slug,
    dispatchStrategy: 'MANIFEST',
    clientFeatureEnabled: 'false',
    timeZone: 'UTC',
    sandbox: 'false',
    databaseName: '',
  });
  expect(again.status).toBe(409);
  expect(again.text).not.toContain('<script>alert');
  const bad = await who.post('/operator/organization', 'create', { name: 'x', slug: 'NO', timeZone: 'Mars' });
  expect([bad.status, bad.text.includes('Use 1 to 63 characters')]).toEqual([400, true]);
});

it.each(['DB', 'DB_1'])(
  'the operator changes settings of an organization in %s, and unnamed ones stay',
  async (databaseName) => {
    const { path, uuid } = await made({ databaseName });
    const { status, text } = await who.get(path);
    expect(status).toBe(200);
    const before = await stored(uuid);
    const fields = fieldsOf(text);
    const kept = await who.post(path, 'change', fields);
    expect([kept.status, kept.status === 303 || kept.text.slice(-2_000)]).toEqual([303, true]);
    expect({ ...(await stored(uuid)), updateDate: '' }).toEqual({ ...before, updateDate: '' });
    const changed = {
      ...fields,
      retentionDays: '365',
      ...{ fieldKey0: 'door; A; B', fieldType0: 'TEXT', role0: 'CARRIER' },
      ...{ fieldKey1: '', fieldType1: 'TEXT', role1: '' },
      ...{ fieldKey2: ' leaves ', fieldType2: 'DATE_TIME', role2: 'PLANNED_DEPARTURE' },
      ...{ fieldKey3: 'plain', fieldType3: 'TEXT', role3: '' },
    };
    expect((await who.post(path, 'change', changed)).status).toBe(303);
    expect(await stored(uuid)).toMatchObject({
      retentionDays: 365,
      shipmentCustomFields: [
        { fieldKey: 'door; A; B', fieldType: 'TEXT', role: 'CARRIER' },
        { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
        { fieldKey: 'plain', fieldType: 'TEXT', role: null },
      ],
    });
    // Lists read the settings from the main database, DB.
    const known = await (env as unknown as Env).DB.prepare(
      'SELECT retention_days FROM organization WHERE uuid = ?',
    )
      .bind(uuid)
      .first();
    expect(known).toEqual({ retention_days: 365 });
    const again = fieldsOf((await who.get(path)).text);
    expect(again).toMatchObject({
      ...{ fieldKey0: 'door; A; B', fieldType0: 'TEXT', role0: 'CARRIER' },
      ...{ fieldKey1: 'leaves', fieldType1: 'DATE_TIME', role1: 'PLANNED_DEPARTURE' },
      ...{ fieldKey2: 'plain', fieldType2: 'TEXT', role2: '' },
    });
    const refused = await who.post(path, 'change', { ...again, fieldKey3: 'plain', retentionDays: '1' });
    expect([refused.status, refused.text.includes('is listed twice.')]).toEqual([400, true]);
    const isOfLine = /^(fieldKey|fieldType|role)\d/;
    const others = Object.fromEntries(Object.entries(again).filter(([name]) => !isOfLine.test(name)));
    expect((await who.post(path, 'change', others)).status).toBe(303);
    expect((await stored(uuid)).shipmentCustomFields).toHaveLength(3);
    const keys = Object.keys(again).filter((name) => name.startsWith('fieldKey'));
    const none = Object.fromEntries(keys.map((name) => [name, '']));
    expect((await who.post(path, 'change', { ...again, ...none })).status).toBe(303);
    expect((await stored(uuid)).shipmentCustomFields).toEqual([]);
  },
);

it('the operator suspends an organization after a question and resumes it', async () => {
  const tenant = await newTenant();
  const person = await newPerson(tenant);
  const path = `/operator/organization/${tenant.uuid}`;
  const asked = await who.post(path, 'suspend');
  expect([asked.status, asked.text.includes('Suspend Tenant')]).toEqual([200, true]);
  expect((await stored(tenant.uuid)).status).toBe('ACTIVE');
  expect((await who.agree(path, 'suspend')).status).toBe(303);
  expect((await person.get('/app')).status).toBe(403);
  expect((await tenant.call('GET', '/gate')).status).toBe(403);
  expect((await who.post(path, 'resume')).status).toBe(303);
  expect((await person.get('/app')).status).toBe(200);
});

it('the operator moves an organization, and the operation shows its progress', async () => {
  const { path, uuid } = await made();
  expect((await who.agree(path, 'move', { databaseName: 'NO' })).status).toBe(400);
  const moved = await who.agree(path, 'move', { databaseName: 'DB_1' });
  expect(moved.status).toBe(303);
  const to = moved.headers.get('Location')!;
  expect(to).toMatch(/^\/operator\/operation\//);
  const { status, text } = await who.get(to);
  expect([status, text.includes(uuid), text.includes('Organization move')]).toEqual([200, true, true]);
});

it('the operator erases a suspended organization by naming its slug', async () => {
  const { path, slug } = await made();
  expect((await who.agree(path, 'erase', { slug })).status).toBe(409);
  await who.agree(path, 'suspend');
  expect((await who.agree(path, 'erase', { slug: 'another' })).status).toBe(400);
  const erased = await who.agree(path, 'erase', { slug });
  expect(erased.status).toBe(303);
  expect((await who.get(erased.headers.get('Location')!)).text).toContain('Organization erasure');
  expect((await who.get(path)).status).toBe(404);
});

it('the operator downloads an export', async () => {
  const { path, uuid } = await made();
  const { status, headers, text } = await who.get(`${path}/export`);
  expect([status, headers.get('Content-Type')]).toEqual([200, 'application/x-ndjson']);
  expect(JSON.parse(text.split('\n')[0]!).organization.uuid).toBe(uuid);
});

it('the operator closes and opens a database', async () => {
  expect((await who.post('/operator/database', 'open', { databaseName: 'DB_1', open: 'false' })).status).toBe(
    303,
  );
  const refused = await operator('POST', '/organization', { name: 'x', slug: 'x-db1', databaseName: 'DB_1' });
  expect(refused.body.code).toBe('databaseClosed');
  expect((await who.get('/operator/database')).text).toContain('Not accepted');
  expect((await who.post('/operator/database', 'open', { databaseName: 'DB_1', open: 'true' })).status).toBe(
    303,
  );
  expect((await who.post('/operator/database', 'open', { databaseName: 'DB_9', open: 'true' })).status).toBe(
    404,
  );
});

it('the operator sees dead letters and resends one', async () => {
  const tenant = await newTenant();
  const body = { organization: tenant.uuid, operation: crypto.randomUUID(), more: HOSTILE };
  const message = { id: crypto.randomUUID(), body, ack() {}, retry() {} };
  const batch = { queue: 'warehouse-dispatch-operation-dead', messages: [message] };
  await consume(batch as unknown as MessageBatch, env as unknown as Env, { waitUntil() {} });
  const { status, text } = await who.get(`/operator/dead-letter?organizationUuid=${tenant.uuid}`);
  expect(status).toBe(200);
  const path = /href="(\/operator\/dead-letter\/[0-9a-f-]{36})"/.exec(text)![1]!;
  const letter = await who.get(path);
  expect(letter.text).not.toContain('<script>alert');
  expect((await who.post(path, 'resend')).status).toBe(303);
  const { content } = (await operator('GET', `/dead-letter?organizationUuid=${tenant.uuid}`)).body;
  expect(content[0].resendCount).toBe(1);
});

it('the operator sees the health of the service and searches organizations', async () => {
  const { slug } = await made({ name: HOSTILE });
  const health = await who.get('/operator');
  expect(health.text).toContain('DB_1');
  const found = await who.get(`/operator/organization?find=${slug.toUpperCase()}`);
  expect([found.text.includes(slug), found.text.includes('1–1 of 1')]).toEqual([true, true]);
  expect(found.text).not.toContain('<script>alert');
  const { uuid } = await made({ name: 'Übersee ÖL' });
  for (const typed of ['Übersee', 'ÖL', 'BERSEE']) {
    const { text } = await who.get(`/operator/organization?find=${encodeURIComponent(typed)}`);
    expect([typed, text.includes(uuid)]).toEqual([typed, true]);
  }
  expect((await who.get('/operator/organization?find=nobody-is-called-so')).text).toContain(
    'No organization',
  );
  expect((await who.get('/operator/organization?pageNumber=0')).status).toBe(400);
  const all = await bootstrap();
  expect((await all.get('/operator/organization?sort.sortBy=name')).status).toBe(200);
});

it('a read-only operator sees no control that changes anything', async () => {
  const reader = await newOperator('READ');
  const { path } = await made();
  for (const at of ['/operator/organization', path, `${path}/api-key`, '/operator/database']) {
    const { status, text } = await reader.get(at);
    const actions = [...text.matchAll(/name="action" value="([^"]+)"|\?confirm=(\w+)/g)].map(
      ([, one, two]) => one ?? two,
    );
    expect([at, status, actions]).toEqual([at, 200, ['sign-out']]);
  }
});

it("operator pages walk over no table of organizations' rows", async () => {
  const { path } = await made();
  for (const at of [
    path,
    `${path}/api-key`,
    `/operator/dead-letter/${crypto.randomUUID()}`,
    `/operator/operation/${crypto.randomUUID()}`,
  ]) {
    const trips = await recorded(() => who.get(at));
    for (const statement of trips.flatMap(({ statements }) => statements)) {
      expect([at, statement.text, await walksOf(statement)]).toEqual([at, statement.text, []]);
    }
  }
});
