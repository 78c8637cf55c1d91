import { beforeAll, describe, expect, it } from 'vitest';
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

describe('a resource that does not exist', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });

  /** Send an operation's example with an unknown value for one path parameter. */
  async function ask(operated: Operation, name: string) {
    const identifier = name === 'code' ? '8123456789' : crypto.randomUUID();
    const { params } = exampleOf(operated, world.names);
    const answer = await send(operated, world, { params: { ...params, [name]: identifier } });
    return { identifier, ...answer };
  }

  it.each(naming.filter((named) => !isAllowed(named)))(
    'the 404 of $operationId names the unknown $name',
    async ({ operated, name }) => {
      const { identifier, status, body } = await ask(operated, name);
      expect([status, body.detail]).toEqual([404, expect.stringContaining(`"${identifier}"`)]);
    },
  );

  it.each(naming.filter(isAllowed))('$operationId takes an unknown $name', async (named) => {
    const { status } = await ask(named.operated, named.name);
    expect(status).toBe(ALLOWED[`${named.operationId} ${named.name}`]);
  });
});
