import { describe, expect, it } from 'vitest';
import { type Operation, operations, takesFile } from './document.ts';
import { fieldsOf } from './fields.ts';
import { exampleOf } from './operations.ts';
import { problemFaults } from './problem.ts';
import { pathOf, send } from './request.ts';
import { storedState } from './state.ts';
import { newWorld } from './world.ts';

/** The requests of this file are refused, so one world is enough. */
const world = await newWorld();

/** Fields with a name for people. */
const namesOf = (operated: Operation) =>
  takesFile(operated)
    ? []
    : fieldsOf(operated).filter(({ name }) => /^(name|displayName|firstName|lastName)$/.test(name));
const naming = operations.filter((operated) => namesOf(operated).length > 0);

describe('a name for people', () => {
  const BLANK = [
    '  ',
    '\t\r\n',
    '\u00a0\u00a0',
    '\u3000\u2003',
    '\u0085\u0085',
    '\u2028\u2029',
    '\ufeff\ufeff',
  ];

  it('organizations, clients, users, gates, devices, keys, webhooks and signatures have a name for people', () => {
    expect(naming.map(({ operationId }) => operationId).sort()).toEqual(
      [
        ...[
          'createOrganization',
          'updateOrganization',
          'createClient',
          'updateClient',
          'createUser',
          'updateUser',
        ],
        ...[
          'putGate',
          'createScanner',
          'createLocalManager',
          'createAgent',
          'createApiKey',
          'createOperator',
          'createAccessToken',
        ],
        ...['createWebhook', 'updateWebhook'],
        ...['addSignature', 'addManifestSignature'],
      ].sort(),
    );
  });

  it.each(naming)('$operationId refuses a name that is only white space', async (operated) => {
    const before = await storedState(world.tenant);
    const { json } = exampleOf(operated, world.names);
    for (const { name, set, schema } of namesOf(operated)) {
      expect([name, new RegExp((schema as { pattern?: string }).pattern!).test(' x')]).toEqual([name, true]);
      for (const blank of BLANK) {
        const answer = await send(operated, world, { json: set(json, blank) });
        const what = [name, JSON.stringify(blank)];
        expect([...what, problemFaults(answer, 400, 'validationFailed')]).toEqual([...what, []]);
        expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([name]);
      }
    }
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it('a name keeps white space at its beginning and end', async () => {
    const fresh = await newWorld();
    for (const operationId of ['createClient', 'createUser', 'createScanner']) {
      const operated = naming.find((item) => item.operationId === operationId)!;
      const { json } = exampleOf(operated, fresh.names);
      const [{ name, set, at }] = namesOf(operated) as [ReturnType<typeof namesOf>[number]];
      const { status, body } = await send(operated, fresh, { json: set(json, '\u00a0x ') });
      expect([name, status, at(body)]).toEqual([name, 201, '\u00a0x ']);
    }
  });
});

describe('bytes that are not UTF-8', () => {
  it.each(operations.filter(({ path }) => path.includes('{')))(
    '$operationId refuses a path that is not UTF-8 as it refuses NUL',
    async (operated) => {
      const { params = {} } = exampleOf(operated, world.names);
      const before = await storedState(world.tenant);
      for (const name of Object.keys(params)) {
        const ask = (bytes: string) =>
          send(operated, world, {
            at: pathOf(operated, { params: { ...params, [name]: 'HERE' } }).replace('HERE', bytes),
          });
        const nul = await ask('a%00');
        expect([name, [400, 404].includes(nul.status)]).toEqual([name, true]);
        for (const bytes of ['%ff', 'a%c3', '%ed%a0%80', '%c0%80b', 'é%ff%25']) {
          const { status, body } = await ask(bytes);
          expect([name, bytes, status, body?.code]).toEqual([name, bytes, nul.status, nul.body?.code]);
        }
      }
      expect(await storedState(world.tenant)).toEqual(before);
    },
  );

  it('a path that is escaped twice is a name like any other', async () => {
    const at = (name: string) => world.tenant.call('GET', `/manifest/${name}`);
    expect((await at('%25ff')).body.code).toBe('manifestNotFound');
    await world.tenant.call('POST', '/manifest', { externalIdentifier: '%ff\ufffd' });
    expect((await at('%25ff%ef%bf%bd')).body.externalIdentifier).toBe('%ff\ufffd');
    expect((await at('%25ff%ff')).status).toBe(400);
  });
});
