import { expect, it } from 'vitest';
import type { Answer } from '../workerd/client.ts';
import { renewable } from './anew.ts';
import { type Operation, operation, operations, takesFile } from './document.ts';
import { fieldsOf } from './fields.ts';
import { exampleOf } from './operations.ts';
import { problemFaults } from './problem.ts';
import { send, undocumented } from './request.ts';
import { newWorld, type World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are sent back
type Shown = any;

/** What a GET of the world's answers. */
const get = async (world: World, operationId: string): Promise<Shown> => {
  const answer = await send(operation(operationId), world);
  if (answer.status !== 200) throw new Error(`${operationId}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const first = async (world: World, operationId: string): Promise<Shown> => {
  const shown = await get(world, operationId);
  return (shown.content ?? shown)[0];
};

/** Where the object of a body is read, for those whose own path has no GET. */
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
  bulkUpsertShipments: async (world) => {
    const { externalIdentifier, customFields } = await get(world, 'getShipment');
    return { items: [{ shipmentExternalId: externalIdentifier, customFields }] };
  },
  coupleTrack: (world) => get(world, 'getTrack'),
  // Who names a code wants `couple`: it is refused here, or another one would be taken without a word.
  getAndCoupleTrack: async (world) => {
    const { markerCode: _, ...track } = await get(world, 'getTrack');
    return track;
  },
};

const ofWorld = ({ names }: World, { content }: Shown) =>
  content.find((row: Shown) => row.externalIdentifier === names.gate);

/** Bodies that say what is to be done, and are no resource. By its reference, an attachment names a manifest once. */
const ACTS = [
  ...['rotateApiKey', 'rotateOperator', 'rotateAccessToken', 'rotateWebhookSecret'],
  ...['replayWebhook', 'attachManifests', 'moveOrganization', 'testWebhook'],
  ...['recordHeartbeat', 'recordScan', 'recordScans', 'flagTrack', 'simulateGate'],
];

/** Operations that take a resource, or a part of one. */
const taking = operations.filter(
  (operated) =>
    operated.body &&
    !takesFile(operated) &&
    !ACTS.includes(operated.operationId) &&
    !/^markLoading|^mark.*Loading/.test(operated.operationId),
);

/** The object that a body is of, as it is read. */
async function shownFor(operated: Operation, world: World): Promise<Shown> {
  const read = READ[operated.operationId];
  if (read) return read(world);
  const sibling = operations.find(({ method, path }) => method === 'GET' && path === operated.path);
  if (!sibling) throw new Error(`say in sent-back.test.ts where what ${operated.operationId} takes is read`);
  const shown = await get(world, sibling.operationId);
  return Array.isArray(shown) ? shown[0] : shown.content ? shown.content[0] : shown;
}

/** A world whose resources have all that they can show. */
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
  return world;
}

const fullWorldAnew = renewable(newFullWorld);

/** What is sent: all that was read, and what is needed beside it or has to be new. */
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
    // What is there cannot be made again under its own name; that is no fault of the fields.
    const other = operated.operationId === 'getAndCoupleTrack' ? [409] : [];
    expect([[200, 201, 202, ...other].includes(answer.status), answer.body]).toEqual([true, answer.body]);
  },
);

/** What is refused changes nothing, so that one does for all. */
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
