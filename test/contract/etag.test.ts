import { describe, expect, it } from 'vitest';
import { newGate, newTenant, type Tenant } from '../workerd/client.ts';
import { operation } from './document.ts';
import { problemFaults } from './problem.ts';
import { send, undocumented } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { storedState } from './state.ts';

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

describe('If-Match', () => {
  const OPERATIONS = ['replaceManifest', 'deleteManifest', 'upsertAssets'];

  it.each(OPERATIONS)(
    'a stale, weak or malformed If-Match makes %s a 412 that changes nothing',
    async (operationId) => {
      const { tenant, names } = await restoredWorld();
      const path = `/manifest/${encodeURIComponent(names.manifest)}`;
      const stale = (await tenant.call('GET', path)).headers.get('ETag')!;
      await tenant.call('POST', `${path}/status/TO_DO`);
      const current = (await tenant.call('GET', path)).headers.get('ETag')!;
      const before = await storedState(tenant);
      for (const tag of [stale, `W/${current}`, current.slice(1, -1), `${stale}, "x"`, '""', 'nonsense']) {
        const operated = operation(operationId);
        const answer = await send(operated, { tenant, names }, { headers: { 'If-Match': tag } });
        const faults = [
          ...problemFaults(answer, 412, 'preconditionFailed'),
          ...undocumented(operated, answer),
        ];
        expect([tag, faults]).toEqual([tag, []]);
      }
      expect(await storedState(tenant)).toEqual(before);
    },
  );

  it.each(
    OPERATIONS.flatMap((operationId) =>
      ['%', '"x", %', '%,"y"', '*'].map((form) => [operationId, form] as const),
    ),
  )('a matching If-Match lets %s happen: %s', async (operationId, form) => {
    const { tenant, names } = await restoredWorld();
    const read = await tenant.call('GET', `/manifest/${encodeURIComponent(names.manifest)}`);
    const header = form.replace('%', read.headers.get('ETag')!);
    const answer = await send(operation(operationId), { tenant, names }, { headers: { 'If-Match': header } });
    expect(answer.status).toBe(200);
  });

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
