import { expect, it } from 'vitest';
import type { Answer } from '../workerd/client.ts';
import { type Operation, operation, operations, takesFile } from './document.ts';
import { fieldsOf } from './fields.ts';
import { exampleOf } from './operations.ts';
import { problemFaults } from './problem.ts';
import { send, undocumented } from './request.ts';
import { renewable } from './restored-world.ts';
import { newWorld, type World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are sent back
type Shown = any;

/** The body of a GET operation in the world. */
const get = async (world: World, operationId: string): Promise<Shown> => {
  const answer = await send(operation(operationId), world);
  if (answer.status !== 200) throw new Error(`${operationId}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const first = async (world: World, operationId: string): Promise<Shown> => {
  const shown = await get(world, operationId);
  return (shown.content ?? shown)[0];
};

/** How to read the object of a body if its own path has no GET. */
const READ: Record<string, (world: World) => Promise<Shown>> = {
  putGate: async (world) => ofWorld(world, await get(world, 'listGates')),
  putAuthority: (world) => first(world, 'listAuthorities'),
  updateDatabase: (world) => first(world, 'listDatabases'),
  createScanner: (world) => first(world, 'listScanners'),
  createLocalManager: (world) => first(world, 'listLocalManagers'),
  createAgent: (world) => first(world, 'listAgents'),
  upsertAssets: (world) => get(world, 'getManifest'),
  putManifestField: async (world) => (await get(world, 'getManifest')).customFields[0],
  putShipmentField: async (world) => (await get(world, 'getShipment')).customFields[0],
  detachManifests: async (world) => ({ manifests: (await get(world, 'getShipment')).manifests }),
  detachManifestsByPost: async (world) => ({ manifests: (await get(world, 'getShipment')).manifests }),
  bulkUpsertShipments: async (world) => {
    const { externalIdentifier, customFields } = await get(world, 'getShipment');
    return { items: [{ shipmentExternalId: externalIdentifier, customFields }] };
  },
  recordShipmentArrival: (world) => get(world, 'getShipment'),
  coupleTrack: (world) => get(world, 'getTrack'),
  // A code in the body is refused. A caller with a code needs `couple`, and this operation would use
  // another code.
  getAndCoupleTrack: async (world) => {
    const { markerCode: _, ...track } = await get(world, 'getTrack');
    return track;
  },
};

const ofWorld = ({ names }: World, { content }: Shown) =>
  content.find((row: Shown) => row.externalIdentifier === names.gate);

/**
 * Operations whose bodies describe an action, not a resource. An attachment refers to a manifest in one way
 * only.
 */
const ACTS = [
  ...['rotateApiKey', 'rotateOperator', 'rotateAccessToken', 'rotateWebhookSecret'],
  ...[
    'replayWebhook',
    'createBackorder',
    'attachManifests',
    'moveOrganization',
    'restoreOrganization',
    'testWebhook',
  ],
  ...['recordHeartbeat', 'recordScan', 'recordScans', 'flagTrack', 'simulateGate'],
];

/** Operations that take a resource or a part of it. */
const taking = operations.filter(
  (operated) =>
    operated.body &&
    !takesFile(operated) &&
    !ACTS.includes(operated.operationId) &&
    !/^markLoading|^mark.*Loading/.test(operated.operationId),
);

/** The object of a body, as a GET shows it. */
async function shownFor(operated: Operation, world: World): Promise<Shown> {
  const read = READ[operated.operationId];
  if (read) return read(world);
  const sibling = operations.find(({ method, path }) => method === 'GET' && path === operated.path);
  if (!sibling)
    throw new Error(`add to READ in sent-back.test.ts how to read the object of ${operated.operationId}`);
  const shown = await get(world, sibling.operationId);
  return Array.isArray(shown) ? shown[0] : shown.content ? shown.content[0] : shown;
}

/** Create a world whose resources have all their fields. */
async function newFullWorld(): Promise<World> {
  const world = await newWorld();
  const { tenant, names } = world;
  const must = ({ status, body }: Answer) => {
    if (status >= 300) throw new Error(JSON.stringify(body));
  };
  const comment = {
    additionalInfo: 'A photo',
    attachments: [{ link: 'https://example.com/1.jpg', fileName: '1.jpg', description: 'It' }],
  };
  const path = `/track/${encodeURIComponent(names.track)}/comments`;
  for (const { uuid } of (await tenant.call('GET', path)).body) expect(uuid).toBeDefined();
  must(await tenant.call('POST', path, comment));
  const customHeaders = [{ name: 'X-Key', value: 'k' }];
  must(await tenant.call('PUT', `/webhook/${names.webhook}`, { customHeaders }));
  must(await send(operation('addManifestSignature'), world));
  return world;
}

const fullWorldAnew = renewable(newFullWorld);

/** The body to send: everything that was read, with the fields that are required or must be new. */
function bodyOf(operated: Operation, world: World, shown: Shown): Shown {
  if (operated.method !== 'POST' || READ[operated.operationId]) return shown;
  const { json } = exampleOf(operated, world.names) as { json: Shown };
  const parts = ['customFields', 'attachments', 'authority'].filter((part) => part in shown && part in json);
  return { ...shown, ...json, ...Object.fromEntries(parts.map((part) => [part, shown[part]])) };
}

it.each(taking)(
  '$operationId takes back the object that was read and ignores its read-only fields',
  async (operated) => {
    const world = await fullWorldAnew();
    const shown = await shownFor(operated, world);
    expect(shown).toBeInstanceOf(Object);
    const json = bodyOf(operated, world, shown);
    const answer = await send(operated, world, { json });
    expect(undocumented(operated, answer)).toEqual([]);
    // An existing resource cannot be created again under its own name. That is no fault of the fields.
    const other = operated.operationId === 'getAndCoupleTrack' ? [409] : [];
    expect([[200, 201, 202, ...other].includes(answer.status), answer.body]).toEqual([true, answer.body]);
  },
);

/** The requests are refused and change nothing, so one world is enough. */
let shared: Promise<World> | undefined;

it.each(taking)('$operationId refuses unknown fields wherever they are', async (operated) => {
  shared ??= newFullWorld();
  const world = await shared;
  const json = bodyOf(operated, world, await shownFor(operated, world));
  const places = fieldsOf(operated).filter(({ schema, name }) => schema.properties && !name.includes('.'));
  const bodies: [string, unknown][] = [['surprise', { ...json, surprise: 1 }]];
  for (const { name, set, at } of places) {
    if (at(json)) bodies.push([`${name}.surprise`, set(json, { ...(at(json) as object), surprise: 1 })]);
  }
  for (const [field, body] of bodies) {
    const answer = await send(operated, world, { json: body });
    expect([field, problemFaults(answer, 400, 'unknownField')]).toEqual([field, []]);
    expect(answer.body.errors.map((item: Shown) => item.field)).toEqual([field]);
  }
});

it.each(taking.filter(({ method, operationId }) => method === 'PUT' && !READ[operationId]))(
  'read-only fields in the body of $operationId have no effect',
  async (operated) => {
    const world = await fullWorldAnew();
    const shown = await shownFor(operated, world);
    const settable = new Set(fieldsOf(operated).map(({ name }) => name));
    const lies = Object.keys(shown).filter((name) => !settable.has(name));
    expect(lies).toEqual(expect.arrayContaining(['uuid', 'createDate', 'updateDate', 'deepLink']));
    const json = { ...shown, ...Object.fromEntries(lies.map((name) => [name, { lie: [name] }])) };
    expect((await send(operated, world, { json })).status).toBe(200);
    expect(await shownFor(operated, world)).toEqual(shown);
  },
);

it('the document marks every read-only field as readOnly', () => {
  const readOnly = taking.filter((operated) => fieldsOf(operated, true).length > fieldsOf(operated).length);
  expect(readOnly.length).toBeGreaterThanOrEqual(taking.length - 3);
});
