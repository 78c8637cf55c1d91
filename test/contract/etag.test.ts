import { describe, expect, it } from 'vitest';
import { newGate, newTenant, type Tenant } from '../workerd/client.ts';
import { type Operation, operation, operations } from './document.ts';
import { exampleOf } from './operations.ts';
import { problemFaults } from './problem.ts';
import { send, undocumented } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { storedState } from './state.ts';
import type { World } from './world.ts';

const tagOf = async (tenant: Tenant) => (await tenant.call('GET', '/manifest/M')).headers.get('ETag')!;

/** A tenant with a manifest M that can still change in every way. */
async function withManifest(): Promise<Tenant> {
  const tenant = await newTenant();
  await newGate(tenant, 'G');
  await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P'] });
  return tenant;
}

describe('the ETag of a manifest', () => {
  it('a manifest keeps one strong ETag until it changes', async () => {
    const tenant = await withManifest();
    const tag = await tagOf(tenant);
    expect(tag).toMatch(/^"[!#-~]+"$/);
    await tenant.call('POST', '/manifest', { externalIdentifier: 'N' });
    await tenant.call('PUT', '/manifest/M', { assets: ['P'] });
    expect(await tagOf(tenant)).toBe(tag);
  });

  it.each<[string, string, unknown?]>([
    ['PUT', '/manifest/M', { assets: ['P', 'Q'] }],
    ['POST', '/manifest/M/custom-field', { fieldKey: 'k', fieldValue: 'v' }],
    ['POST', '/manifest/M/track-record/Q'],
    ['DELETE', '/manifest/M/track-record/P'],
    ['POST', '/manifest/M/status/TO_DO'],
    ['POST', '/manifest/M/gate/G'],
    ['POST', '/track/get-and-couple', { wmsId: 'P' }],
  ])('the ETag of a manifest changes with %s %s', async (method, path, json) => {
    const tenant = await withManifest();
    const [before, shown] = [await tagOf(tenant), (await tenant.call('GET', '/manifest/M')).body];
    // An update in the same millisecond would not change the date.
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect((await tenant.call(method, path, json)).status).toBe(200);
    expect(await tagOf(tenant)).not.toBe(before);
    const now = (await tenant.call('GET', '/manifest/M')).body;
    expect(Date.parse(now.updateDate)).toBeGreaterThan(Date.parse(shown.updateDate));
  });

  it('a GET that sends the current ETag of a manifest gets 304', async () => {
    const tenant = await withManifest();
    const tag = await tagOf(tenant);
    const ask = (header: string) => tenant.call('GET', '/manifest/M', undefined, { 'If-None-Match': header });
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const answer = await ask(header);
      expect([header, answer.status, answer.headers.get('ETag'), answer.body.length]).toEqual([
        header,
        304,
        tag,
        0,
      ]);
    }
    for (const header of ['"x"', tag.slice(1, -1), `${tag.slice(0, -1)}x"`]) {
      expect([header, (await ask(header)).status]).toEqual([header, 200]);
    }
    await tenant.call('POST', '/manifest/M/status/TO_DO');
    expect((await ask(tag)).status).toBe(200);
  });
});

/** All operations that take If-Match. */
const CONDITIONAL = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'If-Match'));

/** The request of an operation for a resource that exists, and the current ETag of the resource. */
async function matched(operated: Operation, world: World) {
  const { params = {} } = exampleOf(operated, world.names);
  const existing = 'type' in params ? { ...params, type: 'INTRINSIC' } : params;
  const path = operated.path.replace(/[^}]+$/, '');
  const read = operations.find((item) => item.method === 'GET' && item.path === path)!;
  const { headers } = await send(read, world, { params: existing });
  const request = (ifMatch: string) =>
    send(operated, world, { params: existing, headers: { 'If-Match': ifMatch } });
  return { tag: headers.get('ETag')!, request };
}

describe('If-Match', () => {
  it('the operations that take If-Match change manifests, shipments, clients, users and calibration files', () => {
    expect(CONDITIONAL.map(({ operationId }) => operationId).sort()).toEqual([
      ...['deleteCalibration', 'deleteClient', 'deleteManifest', 'deleteShipment', 'deleteUser'],
      ...['replaceManifest', 'replaceShipment', 'updateClient', 'updateUser', 'uploadCalibration'],
      'upsertAssets',
    ]);
  });

  it.each(CONDITIONAL)(
    'an If-Match without the current tag makes $operationId a 412 that changes nothing',
    async (operated) => {
      const world = await restoredWorld();
      const { tag, request } = await matched(operated, world);
      const before = await storedState(world.tenant);
      for (const other of ['"x"', 'W/"x"', tag.slice(1, -1), `W/${tag.slice(1, -1)}`, '""', 'nonsense']) {
        const answer = await request(other);
        const faults = [
          ...problemFaults(answer, 412, 'preconditionFailed'),
          ...undocumented(operated, answer),
        ];
        expect([other, faults]).toEqual([other, []]);
      }
      expect(await storedState(world.tenant)).toEqual(before);
    },
  );

  it.each(
    CONDITIONAL.flatMap((operated) =>
      // Cloudflare adds W/ to a tag when it compresses the answer.
      ['%', 'W/%', '"x", %', 'W/%,"y"', '*'].map((form) => [operated.operationId, form] as const),
    ),
  )('an If-Match with the current tag lets %s happen: %s', async (operationId, form) => {
    const world = await restoredWorld();
    const { tag, request } = await matched(operation(operationId), world);
    const { status, body } = await request(form.replace('%', tag));
    expect([status < 300, status < 300 || body]).toEqual([true, true]);
  });

  it.each(['replaceManifest', 'deleteManifest', 'upsertAssets'])(
    'an If-Match from before a change makes %s a 412 that changes nothing',
    async (operationId) => {
      const world = await restoredWorld();
      const { tag, request } = await matched(operation(operationId), world);
      await world.tenant.call('POST', `/manifest/${encodeURIComponent(world.names.manifest)}/status/TO_DO`);
      const before = await storedState(world.tenant);
      for (const stale of [tag, `W/${tag}`, `${tag}, "x"`])
        expect([stale, problemFaults(await request(stale), 412, 'preconditionFailed')]).toEqual([stale, []]);
      expect(await storedState(world.tenant)).toEqual(before);
    },
  );

  it('If-Match lets only one of many concurrent readers replace a manifest', async () => {
    const tenant = await withManifest();
    const headers = { 'If-Match': await tagOf(tenant) };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tenant.call('PUT', '/manifest/M', { assets: [`P${index}`] }, headers),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
  });
});
