import { beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/core/lib/problem.ts';
import { type Operation, operations } from './document.ts';
import { exampleOf } from './operations.ts';
import { send } from './request.ts';
import { newWorld, type World } from './world.ts';

/** Parameters that select a value of a list: another value is 400. */
const VALUES = ['status', 'manifestStatus', 'shipmentStatus', 'loadingStatus', 'type'];

/** Parameters that may name a resource that does not exist, and the status of that. */
const ALLOWED: Record<string, number> = {
  // The resource is created.
  'putGate externalIdentifier': 201,
  'putAuthority authorityName': 201,
  'uploadCalibration hardwareId': 201,
  // Every code has an image, and a manifest may expect a pallet that has no track yet.
  'getMarkerImage code': 200,
  'attachTrack trackIdentifier': 200,
};

/** Whether the path contains a token, which is a secret: no refusal names it. */
const hasToken = ({ path }: Operation): boolean => /\{\w*token\w*\}/i.test(path);

/** Every path parameter that names a resource. */
const naming = operations
  .filter((operated) => !hasToken(operated))
  .flatMap((operated) =>
    operated.parameters
      .filter((parameter) => parameter.in === 'path' && !VALUES.includes(parameter.name))
      .map(({ name }) => ({ operated, operationId: operated.operationId, name })),
  );
const isAllowed = ({ operationId, name }: { operationId: string; name: string }): boolean =>
  `${operationId} ${name}` in ALLOWED;

/** The word for a kind of resource in the title, by the parameter that names it. */
const KIND_WORDS: Record<string, RegExp> = {
  databaseName: /database/i,
  organizationUuid: /organization/i,
  manifestExternalId: /manifest/i,
  shipmentExternalId: /shipment/i,
  gateExternalId: /gate/i,
  trackIdentifier: /track|loading record/i,
  clientUuid: /client/i,
  userUuid: /user/i,
  fieldKey: /custom field/i,
  webhookUuid: /webhook/i,
  operationId: /operation/i,
};
/** Identifiers that could break a message, and how the message shows them. */
const ODD: [sent: string, shown: string][] = [
  ['a\u202eb\u0085"c\\', '"a\\u{202e}b\\u{85}\\"c\\\\"'],
  ['x'.repeat(255), `"${'x'.repeat(100)}…"`],
];

describe('a resource that does not exist', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });

  /** Send an operation's example with an unknown value for one path parameter. */
  async function ask(operated: Operation, name: string, unknown: string = crypto.randomUUID()) {
    const identifier = name === 'code' ? '8123456789' : unknown;
    const { params } = exampleOf(operated, world.names);
    const answer = await send(operated, world, { params: { ...params, [name]: identifier } });
    return { identifier, ...answer };
  }

  it.each(naming.filter((named) => !isAllowed(named)))(
    'the 404 of $operationId names the unknown $name',
    async ({ operated, name }) => {
      const { identifier, status, body } = await ask(operated, name);
      expect([status, body.detail]).toEqual([404, expect.stringContaining(`"${identifier}"`)]);
      expect(body.title).toMatch(KIND_WORDS[name] ?? /./);
      expect(body.title).not.toBe(PROBLEMS.notFound[1]);
      expect(new Set(body.errors.map(String)).size).toBe(body.errors.length);
    },
  );

  it('a 404 shows an odd identifier on one line and shortened', async () => {
    const found: unknown[] = [];
    for (const { operated, name } of naming.filter((named) => !isAllowed(named))) {
      for (const [sent, shown] of name === 'code' ? [] : ODD) {
        const { status, body } = await ask(operated, name, sent);
        // Some identifiers have stricter forms, so that another text is a validation error.
        if (status !== 404) expect([operated.operationId, status]).toEqual([operated.operationId, 400]);
        else if (!body.detail.includes(shown)) found.push([operated.operationId, name, body.detail]);
      }
    }
    expect(found).toEqual([]);
  });

  it.each(naming.filter(isAllowed))('$operationId takes an unknown $name', async (named) => {
    const { status } = await ask(named.operated, named.name);
    expect(status).toBe(ALLOWED[`${named.operationId} ${named.name}`]);
  });
});
