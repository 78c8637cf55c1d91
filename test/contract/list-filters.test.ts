import { describe, expect, it } from 'vitest';
import { API, newGate, newTenant, type Tenant } from '../workerd/client.ts';
import { operations } from './document.ts';

/** The external identifiers or WMS ids in a list with these parameters, sorted. */
async function listed(
  tenant: Tenant,
  path: string,
  ...query: [string, string | number][]
): Promise<string[]> {
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const { status, body } = await tenant.call('GET', `${path}?pageSize=100&${search}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const names = body.content.map((row: Record<string, string>) => row['externalIdentifier'] ?? row['wmsId']);
  expect(body.totalElements).toBe(names.length);
  return names.sort();
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('the manifest list', () => {
  /**
   * A tenant with one manifest of each status. T(o do) and I(n progress) are at gate G, C(ompleted) is at
   * gate H.
   */
  async function withManifests(): Promise<Tenant> {
    const tenant = await newTenant();
    await newGate(tenant, 'G');
    await newGate(tenant, 'H');
    const gates: Record<string, string> = { T: 'G', I: 'G', C: 'H' };
    for (const name of ['P', 'T', 'I', 'C', 'X']) {
      await tenant.call('POST', '/manifest', {
        externalIdentifier: name,
        gateExternalId: gates[name] ?? null,
        customFields: [
          { fieldKey: 'carrier', fieldValue: 'TI'.includes(name) ? 'Fast' : 'fast' },
          { fieldKey: 'lane', fieldValue: 'PT'.includes(name) ? '1:2' : '2' },
        ],
      });
    }
    const steps: [string, string[]][] = [
      ['T', ['TO_DO']],
      ['I', ['TO_DO', 'IN_PROGRESS']],
      ['C', ['TO_DO', 'IN_PROGRESS', 'COMPLETED']],
      ['X', ['CANCELLED']],
    ];
    for (const [name, statuses] of steps) {
      await pause();
      for (const status of statuses) await tenant.call('POST', `/manifest/${name}/status/${status}`);
    }
    return tenant;
  }
  const list = (tenant: Tenant, ...query: [string, string | number][]) =>
    listed(tenant, '/manifest', ...query);

  it('the manifest list filters by one or several statuses, repeated or with commas', async () => {
    const tenant = await withManifests();
    const by = (...values: string[]) =>
      list(tenant, ...values.map((value): [string, string] => ['manifestStatus', value]));
    expect(await by('PLANNED')).toEqual(['P']);
    expect(await by('TO_DO', 'CANCELLED')).toEqual(['T', 'X']);
    expect(await by('IN_PROGRESS,COMPLETED')).toEqual(['C', 'I']);
    expect(await by('IN_PROGRESS', 'COMPLETED', 'PLANNED', 'PLANNED')).toEqual(['C', 'I', 'P']);
    await expect(by('IN_PROGRESS,COMPLETED', 'PLANNED')).rejects.toThrow('validationFailed');
    expect(await by()).toEqual(['C', 'I', 'P', 'T', 'X']);
  });

  it('the manifest list filters by one or several gates, by external identifier or uuid', async () => {
    const tenant = await withManifests();
    const gates = (await tenant.call('GET', '/gate')).body.content;
    const uuid = gates.find((gate: { name: string }) => gate.name === 'Gate H').uuid;
    const by = (...values: string[]) =>
      list(tenant, ...values.map((value): [string, string] => ['gateExternalId', value]));
    expect(await by('G')).toEqual(['I', 'T']);
    expect(await by(uuid)).toEqual(['C']);
    expect(await by('G', uuid)).toEqual(['C', 'I', 'T']);
    expect(await by(`G,${uuid}`, 'nothing')).toEqual([]);
    expect(await by(`H,${uuid},nothing`)).toEqual(['C']);
    expect(await by('g')).toEqual([]);
  });

  it('the manifest list filters by exact custom field values that must all match; the key ends at the first colon', async () => {
    const tenant = await withManifests();
    const by = (...values: string[]) =>
      list(tenant, ...values.map((value): [string, string] => ['customField', value]));
    expect(await by('carrier:Fast')).toEqual(['I', 'T']);
    expect(await by('carrier:fast')).toEqual(['C', 'P', 'X']);
    expect(await by('carrier:Fas')).toEqual([]);
    expect(await by('lane:1:2')).toEqual(['P', 'T']);
    expect(await by('carrier:Fast', 'lane:1:2')).toEqual(['T']);
    expect(await by('carrier:Fast', 'carrier:fast')).toEqual([]);
    expect(await by('nothing:Fast')).toEqual([]);
    expect(await by('carrier:Fast,lane:1:2')).toEqual(['T']);
    expect(await by('carrier:Fast', 'carrier:Fast')).toEqual(['I', 'T']);
  });

  it.each(['activateDate', 'closeDate'] as const)(
    'the manifest list filters by %s and excludes manifests without one',
    async (field) => {
      const tenant = await withManifests();
      const rows: Record<string, string>[] = (await tenant.call('GET', '/manifest')).body.content;
      const dated = rows.filter((row) => row[field] !== null);
      expect(dated.map((row) => row['externalIdentifier']).sort()).toEqual(
        field === 'activateDate' ? ['C', 'I'] : ['C', 'X'],
      );
      const [early, late] = dated
        .map((row) => ({ name: row['externalIdentifier']!, date: row[field]! }))
        .sort((one, two) => Date.parse(one.date) - Date.parse(two.date)) as { name: string; date: string }[];
      const both = [early!.name, late!.name].sort();
      for (const of of [(date: string) => date, (date: string) => Date.parse(date)]) {
        expect(await list(tenant, [`${field}After`, of(early!.date)])).toEqual(both);
        expect(await list(tenant, [`${field}After`, of(late!.date)])).toEqual([late!.name]);
        expect(await list(tenant, [`${field}Before`, of(late!.date)])).toEqual([early!.name]);
        expect(await list(tenant, [`${field}Before`, of(early!.date)])).toEqual([]);
        expect(
          await list(tenant, [`${field}After`, of(early!.date)], [`${field}Before`, of(late!.date)]),
        ).toEqual([early!.name]);
      }
      expect(await list(tenant, [`${field}After`, 0])).toEqual(both);
    },
  );

  it('the manifest list returns only manifests that match all filters', async () => {
    const tenant = await withManifests();
    expect(await list(tenant, ['gateExternalId', 'G'], ['manifestStatus', 'TO_DO'], ['q', 't'])).toEqual([
      'T',
    ]);
    expect(await list(tenant, ['gateExternalId', 'G'], ['manifestStatus', 'PLANNED'])).toEqual([]);
  });

  it('the manifest list returns deleted manifests on request, beside a new one of the same name', async () => {
    const tenant = await withManifests();
    await tenant.call('DELETE', '/manifest/P');
    await tenant.call('POST', '/manifest', { externalIdentifier: 'P' });
    expect(await list(tenant, ['q', 'p'])).toEqual(['P']);
    const { body } = await tenant.call('GET', '/manifest?q=p&includeDeleted=true&sort.sortBy=createDate');
    expect(body.content.map(({ deleted }: { deleted: boolean }) => deleted)).toEqual([true, false]);
    expect(await list(tenant, ['manifestStatus', 'PLANNED'], ['includeDeleted', 'true'])).toEqual(['P', 'P']);
  });
});

describe('a value with a comma', () => {
  it('a filter value with a comma can be sent twice to keep it whole', async () => {
    const tenant = await newTenant();
    for (const name of ['a', 'b', 'a,b']) {
      await newGate(tenant, name);
      const customFields = [{ fieldKey: 'carrier', fieldValue: name }];
      const planned = { externalIdentifier: name, gateExternalId: name, customFields, assets: [name] };
      await tenant.call('POST', '/manifest', planned);
      await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: name });
    }
    const filters: [string, string, string][] = [
      ['/manifest', 'gateExternalId', ''],
      ['/track', 'manifestExternalIds', ''],
      ['/manifest', 'customField', 'carrier:'],
    ];
    for (const [path, name, key] of filters) {
      const by = (...values: string[]) =>
        listed(tenant, path, ...values.map((value): [string, string] => [name, `${key}${value}`]));
      expect([name, await by('a,b', 'a,b')]).toEqual([name, ['a,b']]);
      // All fields must match, and a manifest has each field only once.
      expect([name, await by('a', 'b')]).toEqual([name, key ? [] : ['a', 'b']]);
    }
    expect(await listed(tenant, '/track', ['manifestExternalIds', 'a,b'])).toEqual(['a', 'b']);
  });
});

describe('the track list', () => {
  /** A tenant with one track of each status, and D(amaged). A and S are on manifest M, F is on N. */
  async function withTracks(): Promise<Tenant> {
    const tenant = await newTenant({ markerCodeStart: 500 });
    for (const wmsId of ['A', 'F', 'D', 'S', 'R']) {
      await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId });
      await pause();
    }
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['A', 'S', 'later'] });
    await tenant.call('POST', '/manifest', { externalIdentifier: 'N', assets: ['F'] });
    await tenant.call('PATCH', '/track/F/flag');
    await tenant.call('PATCH', '/track/D/flag', { damaged: true });
    await tenant.call('PATCH', '/track/S/retire');
    await tenant.call('PATCH', '/track/R/retire');
    return tenant;
  }
  const list = (tenant: Tenant, ...query: [string, string | number][]) => listed(tenant, '/track', ...query);

  it('the track list filters by one or several statuses', async () => {
    const tenant = await withTracks();
    expect(await list(tenant, ['trackStatus', 'ACTIVE'])).toEqual(['A']);
    expect(await list(tenant, ['trackStatus', 'FLAGGED'])).toEqual(['D', 'F']);
    expect(await list(tenant, ['trackStatus', 'SCHEDULED_FOR_RETIREMENT'])).toEqual(['S']);
    expect(await list(tenant, ['trackStatus', 'NOT_ACTIVE'])).toEqual(['R']);
    expect(await list(tenant, ['trackStatus', 'NOT_ACTIVE,ACTIVE'])).toEqual(['A', 'R']);
    expect(await list(tenant, ['trackStatus', 'NOT_ACTIVE'], ['trackStatus', 'FLAGGED'])).toEqual([
      'D',
      'F',
      'R',
    ]);
  });

  it('the track list filters by exact WMS id', async () => {
    const tenant = await withTracks();
    expect(await list(tenant, ['wmsId', 'A'])).toEqual(['A']);
    for (const wmsId of ['a', '%', '_', 'A ', '*'])
      expect([wmsId, await list(tenant, ['wmsId', wmsId])]).toEqual([wmsId, []]);
  });

  it('the track list filters by damage', async () => {
    const tenant = await withTracks();
    expect(await list(tenant, ['damagedTracks', 'true'])).toEqual(['D']);
    expect(await list(tenant, ['damagedTracks', 'false'])).toEqual(['A', 'F', 'R', 'S']);
  });

  it('the track list filters by the manifests that contain the pallet now', async () => {
    const tenant = await withTracks();
    expect(await list(tenant, ['manifestExternalIds', 'M'])).toEqual(['A', 'S']);
    expect(await list(tenant, ['manifestExternalIds', 'M,N'])).toEqual(['A', 'F', 'S']);
    expect(await list(tenant, ['manifestExternalIds', 'N'], ['manifestExternalIds', 'nothing'])).toEqual([
      'F',
    ]);
    expect(await list(tenant, ['manifestExternalIds', 'nothing'])).toEqual([]);
    await tenant.call('DELETE', '/manifest/M/track-record/A');
    await tenant.call('DELETE', '/manifest/N');
    expect(await list(tenant, ['manifestExternalIds', 'M,N'])).toEqual(['S']);
    await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'later' });
    expect(await list(tenant, ['manifestExternalIds', 'M'])).toEqual(['S', 'later']);
  });

  it('the track list takes 100 values of a filter and not one more, repeated or with commas', async () => {
    const tenant = await withTracks();
    const names = ['M', ...Array.from({ length: 100 }, (_, index) => `X${index}`)];
    const commas = (values: string[]) => `/track?manifestExternalIds=${values.join()}`;
    const repeated = (values: string[]) =>
      `/track?${values.map((name) => `manifestExternalIds=${name}`).join('&')}`;
    for (const path of [commas, repeated]) {
      const taken = await tenant.call('GET', path(names.slice(0, 100)));
      expect([taken.status, taken.body.totalElements]).toEqual([200, 2]);
      const refused = await tenant.call('GET', path(names));
      expect([refused.status, refused.body.code]).toEqual([400, 'validationFailed']);
      expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual([
        'manifestExternalIds',
      ]);
    }
  });

  it('the track list returns only tracks that match all filters, with deleted ones on request', async () => {
    const tenant = await withTracks();
    expect(await list(tenant, ['manifestExternalIds', 'M'], ['trackStatus', 'ACTIVE'], ['q', '50'])).toEqual([
      'A',
    ]);
    await tenant.call('DELETE', '/track/D');
    expect(await list(tenant, ['damagedTracks', 'true'])).toEqual([]);
    const { body } = await tenant.call('GET', '/track?damagedTracks=true&includeDeleted=true');
    expect(body.content).toMatchObject([{ wmsId: 'D', deleted: true }]);
  });
});

describe('a filter of known values', () => {
  const KNOWN: [string, string, string[]][] = [
    ['/manifest', 'manifestStatus', ['PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED']],
    ['/manifest', 'priority', ['LOW', 'NORMAL', 'HIGH']],
    ['/track', 'trackStatus', ['ACTIVE', 'FLAGGED', 'SCHEDULED_FOR_RETIREMENT', 'NOT_ACTIVE']],
    ['/track', 'damagedTracks', ['true', 'false']],
    ['/track', 'includeDeleted', ['true', 'false']],
    ['/gate', 'status', ['AVAILABLE', 'LOADING', 'OUT_OF_SERVICE']],
    ['/scanner', 'status', ['ONLINE', 'OFFLINE', 'DISABLED']],
    ['/scanner', 'scannerType', ['HANDHELD', 'FIXED', 'PRINT_STATION']],
    ['/local-manager', 'status', ['ONLINE', 'DEGRADED', 'OFFLINE']],
    ['/agent', 'status', ['ONLINE', 'ERROR', 'OFFLINE']],
    ['/agent', 'agentType', ['PRINTER', 'WMS_CONNECTOR', 'CAMERA']],
  ];

  it.each(KNOWN)('%s?%s= refuses an unknown value and names the known ones', async (path, name, known) => {
    const tenant = await newTenant();
    const { status, body } = await tenant.call('GET', `${path}?${name}=NOPE`);
    expect([status, [...body.allowedValues].sort()]).toEqual([400, [...known].sort()]);
  });

  it.each(KNOWN)('%s?%s= documents its known values', (path, name, known) => {
    const list = operations.find(
      (operated) => operated.path === `${API}${path}` && operated.method === 'GET',
    )!;
    const { schema } = list.parameters.find((parameter) => parameter.name === name)!;
    const documented =
      schema.type === 'boolean' ? ['false', 'true'] : (schema.items?.enum ?? schema.enum ?? []);
    expect([...documented].sort()).toEqual([...known].sort());
  });
});
