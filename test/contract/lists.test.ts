import { describe, expect, it } from 'vitest';
import { API, call, newGate, newTenant, ORIGIN, operator, type Tenant } from '../workerd/client.ts';
import { archived } from '../workerd/retention/archives.ts';
import { isIntegration, isTokened, type Operation, operations } from './document.ts';
import { giveUp, newPhoto } from './world.ts';

interface Row {
  uuid: string;
  [field: string]: unknown;
}

/** Lists of the operator over all organizations. */
const OF_ALL = ['listOrganizations', 'listDatabases', 'listOperatorAuditLog', 'listOperators'];
/** Lists of an organization that can be sorted. */
const lists = operations.filter(
  ({ parameters, operationId }) =>
    parameters.some(({ name }) => name === 'cursor') && !OF_ALL.includes(operationId),
);
const sortsOf = ({ parameters }: Operation): string[] =>
  parameters.find(({ name }) => name === 'sort.sortBy')!.schema.enum as string[];

/** Send a heartbeat of the newest device of each type, except the third one. That one stays silent. */
async function heartbeats(tenant: Tenant, index: number): Promise<void> {
  if (index === 2) return;
  for (const deviceType of ['SCANNER', 'LOCAL_MANAGER', 'AGENT']) {
    const path = `/${deviceType.toLowerCase().replace('_', '-')}`;
    const [{ uuid }] = (await tenant.call('GET', `${path}?pageSize=1`)).body.content;
    await tenant.device('POST', '/heartbeat', { deviceType, uuid, status: 'ONLINE' });
  }
}
/** The default order of a list: newest first. */
const defaultOf = (list: Operation) =>
  ({
    listClients: { sortBy: 'displayName', direction: 'ASC' },
    listCalibrations: { sortBy: 'hardwareId', direction: 'ASC' },
  })[list.operationId] ?? { sortBy: sortsOf(list)[0]!, direction: 'DESC' };
/** A sort field that never changes. Only such fields support cursors. */
const walkable = (list: Operation) =>
  sortsOf(list).find((name) => ['sequenceNumber', 'createDate', 'activityDate'].includes(name))!;

/** A tenant with seven rows in every list. Some rows have equal values in sort fields. */
async function withRows(): Promise<Tenant> {
  const tenant = await newTenant({ retentionDays: 90 });
  for (let index = 0; index < 7; index += 1) {
    const name = `${'aBéßZ_1'[index]}${index}`;
    await newGate(tenant, name);
    for (const kind of ['scanner', 'local-manager', 'agent']) {
      await operator('POST', `/organization/${tenant.uuid}/${kind}`, { name: index < 3 ? 'same' : name });
    }
    await heartbeats(tenant, index);
    await tenant.call('POST', '/manifest', { externalIdentifier: name, assets: ['P'] });
    await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: name });
    await tenant.call('POST', '/client', { displayName: `${7 - index}${name}`, externalId: name });
    await tenant.call('POST', '/user', {
      firstName: name,
      lastName: index < 4 ? 'same' : name,
      email: `${'aBcdZ_1'[index]}@example.com`,
      authority: { authorityName: 'VIEWER' },
      passwordPolicyMode: 'INVITE_LINK',
    });
    await tenant.call('PATCH', `/track/${encodeURIComponent('a0')}/flag`, { reason: name });
    await operator('POST', `/organization/${tenant.uuid}/api-key`, { name: index < 4 ? 'same' : name });
    await operator('POST', `/organization/${tenant.uuid}/access-token`, { name, scopes: ['GATE_WRITE'] });
    await newShipment(tenant, name, index);
    if (index % 2 === 0) await tenant.call('POST', `/manifest/${encodeURIComponent(name)}/status/CANCELLED`);
    const batches = await batchesOf(tenant);
    const batch = await tenant.call('POST', batches, { quantity: 1 + (index % 3), externalIdentifier: name });
    const status = ['CREATED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'][index % 4];
    await tenant.call('POST', `${batches}/${batch.body.uuid}/status/${status}`);
    const url = 'https://hooks.example.com/';
    await tenant.call('POST', '/webhook', { name: index < 3 ? 'same' : name, url, active: false });
    await giveUp(tenant, crypto.randomUUID());
    await newPhoto(tenant, name);
    await calibrate(tenant, `${'aBcdZ_1'[index]}`, index % 2 === 0 ? 'INTRINSIC' : 'COLOR');
  }
  await newArchive(tenant);
  const range = { sequenceNumberFrom: 1, sequenceNumberTo: 7 };
  await tenant.call('POST', `/webhook/${await firstOf(tenant, '/webhook')}/replay`, range);
  return tenant;
}

/** Add manifests to the archive. The names of some differ only in case. */
async function newArchive(tenant: Tenant): Promise<void> {
  const uuids: string[] = [];
  for (const name of ['a', 'B', 'c', 'C', 'é', 'ß', '_']) {
    const { body } = await tenant.call('POST', '/manifest', { externalIdentifier: `old ${name}` });
    await tenant.call('POST', `/manifest/${body.uuid}/status/CANCELLED`);
    uuids.push(body.uuid);
  }
  await archived(tenant, uuids);
}

/** Upload a calibration file. */
async function calibrate(tenant: Tenant, hardwareId: string, type: string): Promise<void> {
  const path = `${API}/camera/${hardwareId}/calibration/${type}`;
  await call('POST', path, { headers: { 'X-Auth-Token': tenant.token }, json: [type] });
}

/** The path of the printing batches of the first scanner. */
async function batchesOf(tenant: Tenant): Promise<string> {
  return `/scanner/${await firstOf(tenant, '/scanner')}/printing-batch`;
}

/** The uuid of the oldest row in a list. */
async function firstOf(tenant: Tenant, list: string): Promise<string> {
  return (await tenant.call('GET', `${list}?sort.sortBy=createDate&pageSize=1`)).body.content[0].uuid;
}

/** Create a shipment in a status that depends on the index, and an alert. */
async function newShipment(tenant: Tenant, name: string, index: number): Promise<void> {
  await tenant.call('POST', '/manifest', { externalIdentifier: `of ${name}` });
  await tenant.call('POST', '/shipment', {
    identifier: name,
    gateIdentifier: index % 3 === 0 ? name : '',
    manifests: [{ manifestExternalId: `of ${name}` }],
  });
  const scan = { scanId: name, markerCode: 10 + index, direction: 'LOAD' };
  await tenant.device('POST', `/gate/${encodeURIComponent(name)}/scan`, scan);
  if (index % 3 !== 0) return;
  const path = `/shipment/${encodeURIComponent(name)}`;
  await tenant.call('POST', `${path}/status/IN_PROGRESS`);
  if (index > 0) await tenant.call('POST', `${path}/status/${index === 3 ? 'COMPLETED' : 'CANCELLED'}`);
}

/** The path of a list, relative to its API. */
async function belowOf({ path }: Operation, tenant: Tenant): Promise<string> {
  const below = path.replace('{organizationUuid}', tenant.uuid).replace('{trackId}', 'a0');
  if (below.endsWith('/printing-batch')) return batchesOf(tenant);
  if (below.endsWith('/delivery')) return `/webhook/${await firstOf(tenant, '/webhook')}/delivery`;
  return below.replace(/^.*\/rest\/api\/v1/, '');
}

/**
 * Filters for lists with additional rows: the log needs rows that fit one page, and dead letters belong to
 * all tenants.
 */
const PARTS: Record<string, (tenant: Tenant) => Record<string, string>> = {
  listAuditLog: () => ({ entityType: 'MANIFEST' }),
  listDeadLetters: ({ uuid }) => ({ organizationUuid: uuid }),
};

/** Request a list with its credential. */
async function ask(list: Operation, tenant: Tenant, query: string, headers: Record<string, string> = {}) {
  const path = `${await belowOf(list, tenant)}?${query}`;
  if (isIntegration(list)) return tenant.call('GET', path, undefined, headers);
  if (isTokened(list))
    return call('GET', `${API}${path}`, { headers: { 'X-Auth-Token': tenant.token, ...headers } });
  return operator('GET', path, undefined, headers);
}

/** Request a page of a list. */
async function page(list: Operation, tenant: Tenant, query: Record<string, string | number> = {}) {
  const part = PARTS[list.operationId]?.(tenant);
  const search = new URLSearchParams(
    Object.entries({ ...part, ...query }).map(([key, value]) => [key, String(value)]),
  );
  const answer = await ask(list, tenant, String(search));
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return { ...answer.body, link: answer.headers.get('Link') } as {
    content: Row[];
    pageRequest: { pageNumber: number; pageSize: number; sort: { sortBy: string; direction: string } };
    totalElements: number;
    link: string | null;
  };
}

const ids = (rows: Row[]) => rows.map(({ uuid }) => uuid);
/** The tests only read it. */
const tenant = await withRows();

describe.each(lists)('$operationId', (list) => {
  it('a list operation returns the envelope of the contract with its defaults', async () => {
    const { link: _, ...first } = await page(list, tenant);
    expect(Object.keys(first).sort()).toEqual(['content', 'pageRequest', 'totalElements']);
    expect(first.pageRequest).toEqual({ pageNumber: 1, pageSize: 20, sort: defaultOf(list) });
    expect(first.content).toHaveLength(Math.min(20, first.totalElements));
    expect(first.totalElements).toBeGreaterThanOrEqual(7);
    const small = await page(list, tenant, { pageNumber: 2, pageSize: 3 });
    expect(small.pageRequest).toMatchObject({ pageNumber: 2, pageSize: 3 });
    expect(ids(small.content)).toEqual(ids(first.content).slice(3, 6));
    expect(small.totalElements).toBe(first.totalElements);
    const beyond = await page(list, tenant, { pageNumber: 900_000, pageSize: 100 });
    expect([beyond.content, beyond.totalElements, beyond.link]).toEqual([[], first.totalElements, null]);
  });

  it.each(sortsOf(list))(
    'a list operation sorted by %s has one total order across its pages',
    async (sortBy) => {
      const all = async (direction: string) => {
        const whole = await page(list, tenant, {
          pageSize: 100,
          'sort.sortBy': sortBy,
          'sort.direction': direction,
        });
        expect(whole.pageRequest.sort).toEqual({ sortBy, direction });
        expect(whole.content).toHaveLength(whole.totalElements);
        return ids(whole.content);
      };
      const ascending = await all('ASC');
      expect(new Set(ascending).size).toBe(ascending.length);
      expect(await all('DESC')).toEqual([...ascending].reverse());
      const unspecified = await page(list, tenant, { pageSize: 100, 'sort.sortBy': sortBy });
      expect([unspecified.pageRequest.sort.direction, ids(unspecified.content)]).toEqual(['ASC', ascending]);
      for (const pageSize of [1, 2, 3, 5]) {
        const paged: string[] = [];
        for (let pageNumber = 1; paged.length < ascending.length; pageNumber += 1) {
          paged.push(
            ...ids((await page(list, tenant, { pageNumber, pageSize, 'sort.sortBy': sortBy })).content),
          );
        }
        expect(paged).toEqual(ascending);
      }
      const values = (await page(list, tenant, { pageSize: 100, 'sort.sortBy': sortBy })).content.map(
        (row) => row[sortBy],
      );
      // UTF-8 has the order of code points, UTF-16 has not.
      const keys = values.map((value) =>
        typeof value === 'string' ? Buffer.from(value).toString('hex') : value,
      );
      const sorted = [...keys].sort(
        (one, two) =>
          Number(one !== null) - Number(two !== null) || Number(one! > two!) - Number(one! < two!),
      );
      expect(keys).toEqual(sorted);
    },
  );

  it('a list operation walked along Link returns every row once; the last page has no Link', async () => {
    for (const sortBy of sortsOf(list)) {
      const first = await page(list, tenant, {
        pageSize: 3,
        'sort.sortBy': sortBy,
        'sort.direction': 'DESC',
      });
      if (first.link === null) continue;
      const walked = ids(first.content);
      let link: string | null = first.link;
      for (let pageNumber = 2; link !== null; pageNumber += 1) {
        if (pageNumber > 100) throw new Error('the walk does not end');
        const url = new URL(/^<(.*)>; rel="next"$/.exec(link)![1]!);
        expect([url.origin, url.searchParams.get('pageSize')]).toEqual([ORIGIN, '3']);
        const next = await page(list, tenant, Object.fromEntries(url.searchParams));
        expect(next.pageRequest).toEqual({ pageNumber, pageSize: 3, sort: { sortBy, direction: 'DESC' } });
        walked.push(...ids(next.content));
        ({ link } = next);
      }
      const all = await page(list, tenant, {
        pageSize: 100,
        'sort.sortBy': sortBy,
        'sort.direction': 'DESC',
      });
      expect(walked).toEqual(ids(all.content));
    }
    expect((await page(list, tenant, { pageSize: 3, 'sort.sortBy': walkable(list) })).link).not.toBe(null);
  });

  it('a list operation filters by creation and update dates, including the first instant and excluding the second', async () => {
    for (const field of ['createDate', 'updateDate'] as const) {
      const rows = (await page(list, tenant, { pageSize: 100 })).content;
      // A timeline entry shows its activity date and never changes.
      const dateOf = (row: Row) => Date.parse((row[field] ?? row['activityDate']) as string);
      const bound = dateOf(rows[3]!);
      const count = async (query: Record<string, string | number>) =>
        (await page(list, tenant, query)).totalElements;
      const forms = [
        bound,
        new Date(bound).toISOString(),
        new Date(bound).toISOString().replace('Z', '+00:00'),
      ];
      for (const form of forms) {
        const from = rows.filter((row) => dateOf(row) >= bound).length;
        expect([form, await count({ [`${field}After`]: form })]).toEqual([form, from]);
        expect([form, await count({ [`${field}Before`]: form })]).toEqual([form, rows.length - from]);
        expect(await count({ [`${field}After`]: form, [`${field}Before`]: bound })).toBe(0);
        expect(await count({ [`${field}After`]: form, [`${field}Before`]: bound + 1 })).toBeGreaterThan(0);
      }
      const abroad = `${new Date(bound + 5.5 * 3_600_000).toISOString().slice(0, -1)}+05:30`;
      expect(await count({ [`${field}Before`]: abroad })).toBe(await count({ [`${field}Before`]: bound }));
      const day = new Date(bound).toISOString().slice(0, 10);
      expect(await count({ [`${field}Before`]: day })).toBe(
        await count({ [`${field}Before`]: Date.parse(day) }),
      );
      expect(await count({ [`${field}After`]: 0 })).toBe(rows.length);
      expect(await count({ [`${field}After`]: -1, [`${field}Before`]: 9_999_999_999_999 })).toBe(rows.length);
    }
  });

  it('a list operation refuses an unknown sort or direction and names the allowed values', async () => {
    for (const bad of ['nope', 'uuid; DROP TABLE track', `${sortsOf(list)[0]} DESC`, '1', 'CREATEDATE']) {
      const { status, body } = await ask(list, tenant, `sort.sortBy=${encodeURIComponent(bad)}`);
      expect([status, body.code, body.allowedValues]).toEqual([400, 'validationFailed', sortsOf(list)]);
    }
    const { status, body } = await ask(list, tenant, 'sort.direction=asc');
    expect([status, body.code, body.allowedValues]).toEqual([400, 'validationFailed', ['ASC', 'DESC']]);
  });

  it('a list operation refuses a cursor of another order and a malformed bookmark', async () => {
    const order = { 'sort.sortBy': walkable(list), 'sort.direction': 'DESC' };
    const { link } = await page(list, tenant, { pageSize: 2, ...order });
    const cursor = new URL(/^<(.*)>/.exec(link!)![1]!).searchParams.get('cursor')!;
    const bad = [
      `cursor=${cursor}&sort.direction=ASC`,
      `cursor=${cursor.slice(0, -4)}`,
      `cursor=${cursor}x!`,
      `cursor=${cursor}&cursor=${cursor}`,
      ...sortsOf(list)
        .filter((other) => other !== walkable(list))
        .map((other) => `cursor=${cursor}&sort.sortBy=${other}`),
    ];
    for (const query of bad) expect([query, (await ask(list, tenant, query)).status]).toEqual([query, 400]);
    for (const bookmark of ['x', '', '0-0-0-0', "' OR 1=1", 'first-primary', 'first-unconstrained']) {
      const answer = await ask(list, tenant, '', { 'x-d1-bookmark': bookmark });
      expect([bookmark, answer.status, answer.body.code]).toEqual([bookmark, 400, 'validationFailed']);
    }
    const fresh = (await ask(list, tenant, '')).headers.get('x-d1-bookmark')!;
    expect((await ask(list, tenant, '', { 'x-d1-bookmark': fresh })).status).toBe(200);
  });
});

it('all lists are operations below the API', () => {
  expect(lists.map(({ operationId }) => operationId)).toContain('listTracks');
  expect(lists.some(({ path }) => path.startsWith(API))).toBe(true);
});
