import { describe, expect, it } from 'vitest';
import { type Answer, newTenant } from '../../client.ts';
import { logOf } from '../../core/writer/requests.ts';
import { couple, getAndCouple, newClient, newCode, outcome, remove } from './calls.ts';

const cost = ({ headers }: Answer) => Number(/(\d+) round trips/.exec(headers.get('Server-Timing')!)![1]);
const wmsIds = ({ body }: Answer) => body.content.map((row: { wmsId: string }) => row.wmsId).sort();

describe('a pallet', () => {
  it('a pallet shows its client everywhere, by its current names', async () => {
    const tenant = await newTenant();
    const uuid = await newClient(tenant, 'ACME');
    const reference = (externalId: string, displayName: string) => ({
      uuid,
      externalId,
      displayName,
      deepLink: `http://127.0.0.1:8787/app/client/${uuid}`,
    });
    const { body } = await getAndCouple(tenant, 'P', 'acme');
    expect(body.track.client).toEqual(reference('ACME', 'Client ACME'));
    const coupled = await couple(tenant, await newCode(tenant), 'Q', uuid);
    expect(coupled.body.track.client).toEqual(reference('ACME', 'Client ACME'));
    await tenant.call('PUT', '/client/ACME', { displayName: 'Acme Foods', externalId: 'AF' });
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P'] });
    const shown = [
      (await tenant.call('GET', '/track/P')).body,
      (await tenant.call('GET', '/track?wmsId=P')).body.content[0],
      (await tenant.call('GET', `/marker-code/${body.markerCode}`)).body.track,
      (await tenant.call('GET', '/manifest/M/asset')).body[0].track,
      (await tenant.call('PATCH', '/track/P/flag')).body,
    ];
    for (const { client } of shown) expect(client).toEqual(reference('AF', 'Acme Foods'));
  });

  it('a pallet has no client by default', async () => {
    const tenant = await newTenant();
    for (const [wmsId, clientId] of [
      ['P', undefined],
      ['Q', null],
    ] as const) {
      expect((await getAndCouple(tenant, wmsId, clientId)).body.track.client).toBeNull();
      expect(
        (await couple(tenant, await newCode(tenant), `${wmsId}2`, clientId)).body.track.client,
      ).toBeNull();
    }
  });

  it('coupling with an unknown client is 400 and takes neither code nor track', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const other = await newTenant();
    const foreign = await newClient(other, 'FOREIGN');
    await newClient(tenant, 'GONE');
    await remove(tenant, 'GONE');
    const code = await newCode(tenant);
    for (const clientId of ['nobody', 'GONE', 'FOREIGN', foreign, '*', 'Client GONE']) {
      for (const answer of [
        await getAndCouple(tenant, 'P', clientId),
        await couple(tenant, code, 'P', clientId),
        await couple(tenant, 999, 'P', clientId),
      ]) {
        expect(outcome(answer)).toEqual([400, 'clientNotFound']);
        expect(answer.body.errors).toMatchObject([
          { field: 'clientId', code: 'clientNotFound', rejectedValue: clientId },
        ]);
      }
    }
    expect((await tenant.call('GET', '/track?includeDeleted=true')).body.totalElements).toBe(0);
    expect(await newCode(tenant)).toBe(code + 1);
    const empty = await getAndCouple(tenant, 'P', '');
    expect(outcome(empty)).toEqual([400, 'validationFailed']);
  });

  it('a pallet keeps its client when the same pair is coupled with another client or none', async () => {
    const tenant = await newTenant();
    const [first] = [await newClient(tenant, 'A'), await newClient(tenant, 'B')];
    const code = await newCode(tenant);
    const made = await couple(tenant, code, 'P', 'A');
    const entries = (await logOf(tenant)).length;
    for (const clientId of ['B', 'A', null, undefined]) {
      const again = await couple(tenant, code, 'P', clientId);
      expect([again.status, again.body]).toEqual([200, made.body]);
    }
    expect(outcome(await couple(tenant, code, 'P', 'nobody'))).toEqual([400, 'clientNotFound']);
    expect((await tenant.call('GET', '/track/P')).body.client.uuid).toBe(first);
    expect(await logOf(tenant)).toHaveLength(entries);
    const none = await newCode(tenant);
    await couple(tenant, none, 'Q');
    expect((await couple(tenant, none, 'Q', 'A')).body.track.client).toBeNull();
  });

  it('the log shows the client of a coupling', async () => {
    const tenant = await newTenant();
    await newClient(tenant, 'ACME');
    await getAndCouple(tenant, 'P', 'acme');
    await getAndCouple(tenant, 'Q');
    const changes = (await logOf(tenant))
      .filter(({ action }) => action === 'TRACK_COUPLED')
      .map((entry) =>
        JSON.parse(entry['changes'] as string).filter(({ field }: { field: string }) => field === 'client'),
      );
    expect(changes).toEqual([[{ field: 'client', oldValue: null, newValue: 'ACME' }], []]);
  });

  it('a coupling calls the store once, and twice with a client', async () => {
    const tenant = await newTenant();
    await newClient(tenant, 'A');
    await getAndCouple(tenant, 'warm');
    expect(cost(await getAndCouple(tenant, 'P'))).toBe(1);
    expect(cost(await getAndCouple(tenant, 'Q', null))).toBe(1);
    expect(cost(await getAndCouple(tenant, 'R', 'A'))).toBe(2);
    const [one, two] = [await newCode(tenant), await newCode(tenant)];
    expect(cost(await couple(tenant, one, 'S'))).toBe(2);
    expect(cost(await couple(tenant, two, 'T', 'A'))).toBe(2);
  });

  it('a coupling with a client repeats its first answer under its key', async () => {
    const tenant = await newTenant();
    await newClient(tenant, 'A');
    const ask = (clientId: string) =>
      tenant.call(
        'POST',
        '/track/get-and-couple?imageDelivery=URL',
        { wmsId: 'P', clientId },
        { 'Idempotency-Key': 'k' },
      );
    const first = await ask('A');
    await tenant.call('PUT', '/client/A', { displayName: 'Renamed', externalId: 'B' });
    const repeat = await ask('A');
    expect([repeat.status, repeat.body, repeat.headers.get('Idempotent-Replayed')]).toEqual([
      200,
      first.body,
      'true',
    ]);
    expect(outcome(await ask('B'))).toEqual([422, 'idempotencyKeyReused']);
  });
});

describe('the track list', () => {
  it('the track list filters by one or several clients, by external id in any case or uuid', async () => {
    const tenant = await newTenant();
    const uuid = await newClient(tenant, 'A');
    await newClient(tenant, 'B');
    await newClient(tenant, 'C');
    for (const [wmsId, clientId] of [
      ['A1', 'A'],
      ['A2', 'A'],
      ['B1', 'B'],
      ['none', null],
    ] as const) {
      await getAndCouple(tenant, wmsId, clientId);
    }
    const by = async (query: string) => wmsIds(await tenant.call('GET', `/track?${query}`));
    expect(await by('clientId=A')).toEqual(['A1', 'A2']);
    expect(await by('clientId=a')).toEqual(['A1', 'A2']);
    expect(await by(`clientId=${uuid}`)).toEqual(['A1', 'A2']);
    expect(await by('clientId=b,C')).toEqual(['B1']);
    expect(await by(`clientId=${uuid}&clientId=B`)).toEqual(['A1', 'A2', 'B1']);
    expect(await by('clientId=C')).toEqual([]);
    expect(await by('clientId=nobody')).toEqual([]);
    expect(await by('clientId=A&q=2')).toEqual(['A2']);
    await tenant.call('DELETE', '/track/A1');
    expect(await by('clientId=A')).toEqual(['A2']);
    expect(await by('clientId=A&includeDeleted=true')).toEqual(['A1', 'A2']);
    expect((await tenant.call('GET', '/track?clientId=A&pageSize=1')).body.totalElements).toBe(1);
  });

  it("the track list prefers a client whose external id equals another client's uuid", async () => {
    const tenant = await newTenant();
    const uuid = await newClient(tenant, 'A');
    await newClient(tenant, uuid);
    await getAndCouple(tenant, 'P', 'A');
    await getAndCouple(tenant, 'Q', uuid);
    expect(wmsIds(await tenant.call('GET', `/track?clientId=${uuid}`))).toEqual(['Q']);
  });
});
