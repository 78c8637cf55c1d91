import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { failureOf, reaching } from '../../../../src/core/lib/store.ts';
import { versions } from '../../../../src/core/writer/versions.ts';
import { logOf, newTenant, request } from './requests.ts';

const { WRITER } = env as unknown as Env;

it('an object refuses a request with a member that it does not know, and changes nothing', async () => {
  const tenant = await newTenant();
  const before = await logOf(tenant);
  const object = WRITER.get(WRITER.idFromName(tenant.uuid));
  const sent = { ...request('allocateMarkers', { quantity: 1 }), version: 'another' };
  expect(await object.execute({ ...sent, input: { quantity: 1, colour: 'RED' } })).toEqual({
    kind: 'unknown',
    unknown: 'allocateMarkers.colour',
  });
  expect(await object.execute({ ...sent, urgency: 1 } as never)).toEqual({
    kind: 'unknown',
    unknown: 'request.urgency',
  });
  expect(await logOf(tenant)).toEqual(before);
  expect(await object.execute({ ...sent, version: versions.ofRequest(sent.name) })).toMatchObject({
    kind: 'done',
  });
});

it('a method that an object of another version does not have is an outage', async () => {
  const object = WRITER.get(WRITER.idFromName('any')) as unknown as { notYet(): Promise<void> };
  const error = await reaching(() => object.notYet()).catch((failed) => failed);
  expect([error instanceof TypeError, failureOf(error)]).toEqual([true, 'passing']);
});
