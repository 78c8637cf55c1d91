import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, API, call, newGate, newTenant, operator, type Tenant } from '../workerd/client.ts';
import {
  isIntegration,
  isOperator,
  isTokened,
  isWrite,
  type Operation,
  operation,
  operations,
} from './document.ts';
import { exampleOf } from './operations.ts';
import { refusals } from './problem.ts';
import { type Change, pathOf, send, undocumented } from './request.ts';
import { renewable, restoredWorld } from './restored-world.ts';
import { stateOf, storedState } from './state.ts';
import {
  type Names,
  newAlone,
  newDispatch,
  newPhoto,
  newPrintingBatch,
  newWorld,
  type World,
} from './world.ts';

/** All operations that a tenant's credential opens. */
const ofTenants = operations.filter((operated) => isIntegration(operated) || isTokened(operated));
const ofThings = ofTenants.filter(
  // The caller of an upload names the camera, so the upload finds nothing that could be missing.
  ({ path, operationId }) => path.includes('{') && operationId !== 'uploadCalibration',
);

/** Creates another organization, in the same database as the worlds unless the settings name another one. */
async function newStranger(settings: Record<string, unknown> = {}): Promise<Tenant> {
  await operator('PUT', '/database/DB_1', { open: true });
  return newTenant({ sandbox: true, ...settings });
}

/** The status that a stranger gets if only the body or query could name another organization's resources. */
const STRANGER: Record<string, number> = {
  listGates: 200,
  listTracks: 200,
  listManifests: 200,
  listClients: 200,
  listUsers: 200,
  // Its own built-in authorities.
  listAuthorities: 200,
  // Its own codes and its own pallet, because each organization has its own WMS ids.
  allocateMarkers: 200,
  // Each organization has its own client names.
  createClient: 201,
  getAndCoupleTrack: 400,
  coupleTrack: 409,
  createManifest: 400,
  listShipments: 200,
  listArchive: 200,
  getReport: 200,
  createShipment: 400,
  listAlertEvents: 200,
  // Its own log, with the records of its provisioning.
  listAuditLog: 200,
  listEvents: 200,
  listEpcisEvents: 200,
  // A background operation checks whether such shipments exist.
  bulkUpsertShipments: 202,
  listScanners: 200,
  listLocalManagers: 200,
  listAgents: 200,
  recordHeartbeat: 400,
  // Its own manifest, which does not exist there.
  addPhoto: 400,
  listPhotos: 200,
  // Its own file.
  uploadCalibration: 201,
  listCalibrations: 200,
  createUser: 400,
  listWebhooks: 200,
  // Its own webhook.
  createWebhook: 201,
};

/** All texts that identify a world in an answer. */
function tracesOf({ names, uuids, tenant }: World): string[] {
  const { unused: _, fieldKey: __, markerCodeStart: ___, ...own } = { ...names };
  return [
    ...new Set([...Object.values(own), ...Object.values(uuids), tenant.slug, 'Carrier', 'Comment']),
  ].filter(
    (text): text is string => typeof text === 'string' && text !== names.unused && text !== names.fieldKey,
  );
}

/** The traces of a world in an answer that the caller did not send. */
function leaked(world: World, answer: Answer, sent: string): string[] {
  const text = JSON.stringify(answer.body);
  return tracesOf(world).filter(
    (trace) => text.includes(JSON.stringify(trace).slice(1, -1)) && !decodeURIComponent(sent).includes(trace),
  );
}

const request = (operated: Operation, names: Names): string => {
  const example = exampleOf(operated, names);
  return encodeURIComponent(
    `${decodeURIComponent(pathOf(operated, example))} ${JSON.stringify([example.json, example.query])}`,
  );
};

/** Both ways to name the resources of a world. */
const namings = ({ names, uuids }: World): [string, Names][] => [
  ['external identifiers', names],
  ['uuids', uuids],
];

describe('an organization', () => {
  /** Strangers may not change it, so one world is enough. */
  let world: World;
  let untouched: Awaited<ReturnType<typeof stateOf>>;
  /** One stranger in each database. All their requests are refused, so they do not change and operations share them. */
  let refused: Tenant[];
  beforeAll(async () => {
    world = await newWorld();
    untouched = await stateOf(world.tenant);
    refused = [await newStranger(), await newStranger({ databaseName: 'DB_1' })];
  });

  it.each(ofThings)(
    'an organization cannot reach resources of another one by $operationId',
    async (operated) => {
      const nothing = {
        ...world.names,
        manifest: 'x',
        track: 'x',
        freeTrack: 'x',
        markerCode: '7',
        gate: 'x',
        camera: 'x',
        client: 'x',
        freeClient: 'x',
        shipment: 'x',
        shipmentGate: 'x',
      };
      for (const stranger of refused) {
        const missing = await send(operated, { tenant: stranger, names: nothing });
        for (const [naming, names] of namings(world)) {
          const answer = await send(operated, { tenant: stranger, names });
          expect([naming, answer.status, answer.body.code]).toEqual([naming, 404, missing.body.code]);
          expect(answer.body.code).toMatch(/^[a-zA-Z]+NotFound$/);
          expect(leaked(world, answer, request(operated, names))).toEqual([]);
          expect(undocumented(operated, answer)).toEqual([]);
        }
      }
      expect(await storedState(world.tenant)).toEqual(untouched.stored);
    },
  );

  it('STRANGER names every operation that has no resource name in its path', () => {
    const others = ofTenants.filter((operated) => !ofThings.includes(operated));
    expect(Object.keys(STRANGER).sort()).toEqual(others.map(({ operationId }) => operationId).sort());
  });

  it.each(Object.entries(STRANGER))(
    'an organization learns nothing about another one from %s (%i)',
    async (operationId, status) => {
      for (const [naming, names] of namings(world)) {
        const stranger = await newStranger({ markerCodeStart: world.names.markerCodeStart - 500_000 });
        const operated = operation(operationId);
        const answer = await send(operated, { tenant: stranger, names });
        expect([naming, answer.status]).toEqual([naming, status]);
        expect(leaked(world, answer, request(operated, names))).toEqual([]);
        // The event log has no total, and the audit log contains the organization's own provisioning.
        const { content, totalElements = 0 } = answer.body;
        if (content && operationId !== 'listAuditLog') expect([content, totalElements]).toEqual([[], 0]);
      }
      expect(await storedState(world.tenant)).toEqual(untouched.stored);
    },
  );

  it('an organization is unchanged after all attempts of another one', async () => {
    expect(await stateOf(world.tenant)).toEqual(untouched);
  });

  it('the filters of an organization find nothing of another one', async () => {
    const stranger = await newStranger();
    const values = [...Object.values(world.names), ...Object.values(world.uuids)].map(encodeURIComponent);
    for (const value of new Set(values)) {
      for (const path of [
        `/track?manifestExternalIds=${value}`,
        `/track?wmsId=${value}`,
        `/track?q=${value}&includeDeleted=true`,
        `/track?clientId=${value}&includeDeleted=true`,
        `/client?q=${value}&includeDeleted=true`,
        `/manifest?gateExternalId=${value}`,
        `/manifest?q=${value}&includeDeleted=true`,
        `/manifest?customField=${encodeURIComponent(world.names.fieldKey)}:${value}`,
        `/gate?q=${value}&includeDeleted=true`,
        `/shipment?q=${value}&includeDeleted=true`,
        `/shipment?gate=${value}`,
        `/alert-event?gateExternalId=${value}`,
        `/alert-event?shipmentExternalId=${value}`,
        `/audit-log?entityExternalId=${value}`,
        `/scanner?q=${value}&includeDeleted=true`,
        `/scanner?gateExternalId=${value}&includeDeleted=true`,
        `/local-manager?q=${value}&includeDeleted=true`,
        `/agent?q=${value}&includeDeleted=true`,
        `/user?q=${value}&includeDeleted=true`,
      ]) {
        const { status, body } = await stranger.call('GET', path);
        expect([path, status, body.content, body.totalElements]).toEqual([path, 200, [], 0]);
      }
    }
    for (const path of ['/gate', '/scanner', '/agent']) {
      const filter = `localManagerUuid=${world.names.localManager}&includeDeleted=true`;
      expect((await world.tenant.call('GET', `${path}?${filter}`)).body.totalElements).toBe(1);
      expect((await stranger.call('GET', `${path}?${filter}`)).body.totalElements).toBe(0);
    }
  });

  it('an organization walks its own rows when it sends a cursor or bookmark of another one', async () => {
    const [one, two] = [await newWorld(), await newWorld()];
    const first = await one.tenant.call('GET', '/track?pageSize=1&sort.sortBy=createDate');
    const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('Link') ?? '')![1]!;
    const bookmark = first.headers.get('x-d1-bookmark')!;
    const path = next.slice(next.indexOf(API) + API.length);
    const { status, body } = await two.tenant.call('GET', path, undefined, { 'x-d1-bookmark': bookmark });
    expect([status, body.totalElements]).toEqual([200, 6]);
    expect(leaked(one, { ...first, body }, '')).toEqual([]);
  });

  it('a manifest does not link to tracks or clients of the same name in another organization', async () => {
    const world = await newWorld();
    const before = await stateOf(world.tenant);
    const stranger = await newStranger();
    const { names, uuids } = world;
    await stranger.call('POST', '/manifest', {
      externalIdentifier: names.manifest,
      assets: [names.wmsId, uuids.track],
    });
    const manifest = (await stranger.call('GET', `/manifest/${encodeURIComponent(names.manifest)}`)).body;
    expect(manifest.validationErrors).toEqual({
      duplicatedTracks: [],
      nonExistingTracks: [{ trackIdentifier: names.wmsId }, { trackIdentifier: uuids.track }],
      deactivatedTracks: [],
      leftWith: [],
    });
    const assets = await stranger.call('GET', `/manifest/${manifest.uuid}/asset`);
    expect(assets.body.map((asset: { track: unknown }) => asset.track)).toEqual([null, null]);
    for (const gate of [names.freeGate, uuids.freeGate]) {
      const assigned = await stranger.call(
        'POST',
        `/manifest/${manifest.uuid}/gate/${encodeURIComponent(gate)}`,
      );
      expect([assigned.status, assigned.body.code]).toEqual([404, 'gateNotFound']);
    }
    expect((await stranger.call('POST', `/manifest/${manifest.uuid}/status/TO_DO`)).status).toBe(200);
    for (const wmsId of [names.wmsId, names.freeTrack, uuids.track]) {
      const coupled = await stranger.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId });
      expect(coupled.status).toBe(200);
      expect((await stranger.call('PATCH', `/track/${coupled.body.track.uuid}/retire`)).status).toBe(200);
    }
    expect(await stateOf(world.tenant)).toEqual(before);
  });
});

describe('two organizations with the same names', () => {
  /** The same resources in each organization, created in the same order. */
  async function twin(): Promise<World> {
    const shipmentCustomFields = [{ fieldKey: 'seal/é', fieldType: 'TEXT' }];
    const tenant = await newTenant({ markerCodeStart: 1, shipmentCustomFields, sandbox: true });
    for (const gate of ['G', 'shipment-gate']) await newGate(tenant, gate);
    await tenant.call('POST', '/manifest', {
      externalIdentifier: 'M',
      gateExternalId: 'G',
      customFields: [{ fieldKey: 'k', fieldValue: 'v' }],
      assets: ['P'],
    });
    await tenant.call('POST', '/manifest', { externalIdentifier: 'short', assets: ['P'] });
    await tenant.call('POST', '/manifest/short/status/CANCELLED');
    for (const externalId of ['C', 'D']) {
      await tenant.call('POST', '/client', { displayName: `Client ${externalId}`, externalId });
    }
    await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'P', clientId: 'C' });
    await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'Q' });
    await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL');
    await call('POST', `${API}/camera/C/calibration/INTRINSIC`, {
      headers: { 'X-Auth-Token': tenant.token },
      json: {},
    });
    const { body: user } = await tenant.call('POST', '/user', {
      firstName: 'Jane',
      lastName: 'Doe',
      email: 'jane@example.com',
      authority: { authorityName: 'VIEWER' },
      passwordPolicyMode: 'INVITE_LINK',
    });
    const dispatch = {
      ...(await newDispatch(tenant, 1, (kind) => kind)),
      ...(await newAlone(tenant, (kind) => kind, 'G')),
    };
    const [agent, scanner] = await Promise.all(
      ['agent', 'scanner'].map(
        async (kind): Promise<string> =>
          (await operator('POST', `/organization/${tenant.uuid}/${kind}`, { name: kind })).body.uuid,
      ),
    );
    const printingBatch = await newPrintingBatch(tenant, scanner!, 'B');
    const url = 'https://hooks.example.com/';
    const { body: webhook } = await tenant.call('POST', '/webhook', { name: 'W', url, active: false });
    const all = { sequenceNumberFrom: 1, sequenceNumberTo: 1 };
    await tenant.call('POST', `/webhook/${webhook.uuid}/replay`, all);
    const { content } = (await tenant.call('GET', `/webhook/${webhook.uuid}/delivery`)).body;
    const devices = { localManager: '', scanner: scanner!, agent: agent!, printingBatch };
    const letters = {
      operation: '',
      move: '',
      suspended: '',
      suspendedSlug: '',
      deadLetter: '',
      alertEvent: '',
      auditRecord: '',
    };
    const none = {
      operator: '',
      apiKey: '',
      accessToken: '',
      publicToken: '',
      archived: '',
      ...letters,
    };
    const { uuid: photo, link } = await newPhoto(tenant, 'P');
    const own = { organization: tenant.uuid, markerCodeStart: 1, photo, photoToken: link.split('/').at(-1)! };
    const uuids = {
      webhook: webhook.uuid,
      delivery: content[0].uuid,
      user: user.uuid,
      authority: user.authority.uuid,
    };
    const names = { ...common, ...dispatch, ...devices, ...none, ...own, ...uuids };
    return { tenant, names, uuids: names };
  }
  const common = {
    gate: 'G',
    freeGate: 'G',
    client: 'C',
    freeClient: 'D',
    manifest: 'M',
    short: 'short',
    fieldKey: 'k',
    track: 'P',
    wmsId: 'P',
    freeTrack: 'Q',
    markerCode: '1',
    freeMarkerCode: '3',
    camera: 'C',
    unused: 'U',
    email: 'jane@example.com',
  };
  const [oneAnew, twoAnew] = [renewable(twin), renewable(twin)];
  const writes = ofTenants.filter(isWrite);
  const headers = { 'Idempotency-Key': 'same' };
  /** The restored state is always the same, so it is read only once. */
  let untouched: Awaited<ReturnType<typeof storedState>> | undefined;

  it.each(writes)(
    'two organizations with the same names never share the effect or the key of $operationId',
    async (operated) => {
      const [one, two] = [await oneAnew(), await twoAnew()];
      untouched ??= await storedState(two.tenant);
      const first = await send(operated, one, { headers });
      expect(first.status).toBeLessThan(300);
      expect(await storedState(two.tenant)).toEqual(untouched);
      const second = await send(operated, two, { headers });
      expect([second.status, second.headers.get('Idempotent-Replayed')]).toEqual([first.status, null]);
    },
  );

  it('an organization shows the same before and after all writes of another one with the same names', async () => {
    const two = await twoAnew();
    const before = await stateOf(two.tenant);
    for (const operated of writes) {
      const first = await send(operated, await oneAnew(), { headers });
      expect([operated.operationId, first.status < 300]).toEqual([operated.operationId, true]);
    }
    expect(await stateOf(two.tenant)).toEqual(before);
  });
});

describe('the host of an organization', () => {
  const host = (tenant: Tenant, port = ':8787') => `http://${tenant.slug}.localhost${port}`;

  it('the host of an organization refuses the key of another one for every operation', async () => {
    const [world, owner] = [await newWorld(), await newTenant()];
    const before = await storedState(world.tenant);
    const change = () => ({ host: host(owner) });
    expect(await refusals(ofTenants, world, change, 401, 'unauthorized')).toEqual([]);
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it('the host of an organization serves its own key in any case and port; an unknown host serves no key', async () => {
    const world = await newWorld();
    const ask = async (change: Change) => (await send(operation('listGates'), world, change)).status;
    expect(await ask({ host: host(world.tenant) })).toBe(200);
    expect(await ask({ host: host(world.tenant, '') })).toBe(200);
    expect(
      await ask({ host: host(world.tenant).replace(world.tenant.slug, world.tenant.slug.toUpperCase()) }),
    ).toBe(200);
    expect(await ask({ host: 'http://nobody-has-this.localhost:8787' })).toBe(401);
    expect(await ask({ host: `http://x.${world.tenant.slug}.localhost:8787` })).toBe(401);
    expect(await ask({ host: 'http://localhost:8787' })).toBe(200);
    expect(await ask({ host: 'http://api.localhost:8787' })).toBe(200);
  });
});

describe('the operator', () => {
  it.each(
    operations.filter((operated) => isOperator(operated) && (operated.path.match(/\{/g) ?? []).length > 1),
  )('the operator cannot reach one organization through another one by $operationId', async (operated) => {
    const [world, other] = [await restoredWorld(), await newStranger()];
    const before = await storedState(world.tenant);
    const names = { ...world.names, organization: other.uuid };
    const answer = await send(operated, { tenant: other, names });
    expect([answer.status, answer.body.code]).toEqual(
      // A PUT of the operator creates the resource under the given name.
      { putGate: [400, 'localManagerNotFound'], putAuthority: [201, undefined] }[operated.operationId] ?? [
        404,
        expect.stringMatching(/NotFound$/),
      ],
    );
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it('the operator can create a gate of the same name in two organizations', async () => {
    const [world, other] = [await restoredWorld(), await newStranger()];
    const before = await storedState(world.tenant);
    const names = { ...world.names, organization: other.uuid, unused: world.names.gate };
    const put = await send(operation('putGate'), { tenant: other, names }, { json: { name: 'Mine' } });
    expect([put.status, put.body.name]).toEqual([201, 'Mine']);
    expect(await storedState(world.tenant)).toEqual(before);
  });
});
