import { env } from 'cloudflare:workers';
import type { Env } from '../../src/core/env.ts';
import { consume } from '../../src/queues.ts';
import { writeComplete } from '../../src/storage/restore/objects.ts';
import { png } from '../images.ts';
import { API, call, newGate, newTenant, operator, type Tenant } from '../workerd/client.ts';
import { finished } from '../workerd/log/operation/finished.ts';
import { archived } from '../workerd/retention/archives.ts';

/** The names that a request uses for the resources of a world. */
export interface Names {
  organization: string;
  markerCodeStart: number;
  apiKey: string;
  accessToken: string;
  /** The uuids of a user and of its authority, VIEWER. */
  user: string;
  authority: string;
  /** The e-mail address of the user. */
  email: string;
  /** The gate of the manifest. */
  gate: string;
  /** A gate that nothing is assigned to. */
  freeGate: string;
  /** The client of `track`. */
  client: string;
  /** A client without pallets. */
  freeClient: string;
  /** A manifest with two assets. Its first asset is coupled. */
  manifest: string;
  fieldKey: string;
  /** The track of the manifest's first asset, and its WMS id. */
  track: string;
  wmsId: string;
  /** A track that is on no manifest. */
  freeTrack: string;
  /** The code of `track`. */
  markerCode: string;
  /** A code that is allocated but not coupled. */
  freeMarkerCode: string;
  /** A shipment in progress, its gate, and its manifest with one coupled asset. */
  shipment: string;
  shipmentGate: string;
  member: string;
  /** The loading record of that asset, its pallet and its code. */
  record: string;
  memberTrack: string;
  memberCode: string;
  /** The record of an invalid loading there, its pallet and its code. */
  invalidRecord: string;
  invalidTrack: string;
  invalidCode: string;
  shipmentFieldKey: string;
  /** The token of the page of the shipment's driver. */
  driverToken: string;
  /** The same for a manifest in progress without shipment. */
  alone: string;
  aloneRecord: string;
  aloneTrack: string;
  aloneCode: string;
  aloneInvalidRecord: string;
  aloneInvalidTrack: string;
  aloneInvalidCode: string;
  /** The local manager of `gate`, and its scanner and agent. Devices have no names except uuids. */
  localManager: string;
  scanner: string;
  agent: string;
  /** The uuid of a paused webhook. */
  webhook: string;
  /** A pending delivery of this webhook. */
  delivery: string;
  /** A finished background operation, and a dead letter about it. */
  operation: string;
  deadLetter: string;
  /** A camera that has only an INTRINSIC calibration file. */
  camera: string;
  /** An operator of the service. */
  operator: string;
  /** A finished move of the organization. */
  move: string;
  /** A suspended organization and its slug. */
  suspended: string;
  suspendedSlug: string;
  /** The uuids of the alert about the invalid loading and of the first audit record. */
  alertEvent: string;
  auditRecord: string;
  /** A printing batch of the scanner. */
  printingBatch: string;
  /** A photo of `track`, and the token of its public link. */
  photo: string;
  photoToken: string;
  /** A completed manifest without its pallet, and the token for its public pages. */
  short: string;
  publicToken: string;
  /** The uuid of a manifest in the archive. */
  archived: string;
  /** A name that is not used yet. */
  unused: string;
}

/** A new organization with one resource of each kind. */
export interface World {
  tenant: Tenant;
  /** External identifiers, or uuids for resources that have no other name. */
  names: Names;
  /** The same with uuids only. */
  uuids: Names;
}

let worlds = 0;

/** Add a nightly export without parts, which a restore may name. */
export const addNight = (organization: string): Promise<void> =>
  writeComplete((env as unknown as Env).CALIBRATION, organization, {
    exportDate: new Date(0).toISOString(),
    sequenceNumber: 1,
    digests: [],
    sizeBytes: 0,
  });

/** Create a suspended organization. */
async function newSuspended(): Promise<{ uuid: string; slug: string }> {
  const slug = `suspended-${crypto.randomUUID()}`;
  const { body } = await operator('POST', '/organization', { name: 'Suspended', slug, databaseName: 'DB' });
  await operator('POST', `/organization/${body.uuid}/suspend`);
  await addNight(body.uuid);
  return { uuid: body.uuid, slug };
}

/** Create a world. The identifiers of two worlds differ, and they need escaping in a path. */
export async function newWorld(settings: Record<string, unknown> = {}): Promise<World> {
  worlds += 1;
  const markerCodeStart = 1_000_000 * worlds;
  const shipmentCustomFields = [{ fieldKey: 'seal/é', fieldType: 'TEXT' }];
  const tenant = await newTenant({
    markerCodeStart,
    shipmentCustomFields,
    retentionDays: 90,
    sandbox: true,
    ...settings,
  });
  const name = (kind: string) => `${kind}/${worlds} %é`;
  const must = mustOf(tenant);
  const provision = async (kind: string, body: object): Promise<string> =>
    (await operator('POST', `/organization/${tenant.uuid}/${kind}`, body)).body.uuid;

  await newGate(tenant, name('gate'));
  await newGate(tenant, name('free-gate'));
  await newGate(tenant, name('shipment-gate'));
  const localManagerUuid = await provision('local-manager', { name: name('local-manager') });
  await operator('PUT', `/organization/${tenant.uuid}/gate/${encodeURIComponent(name('gate'))}`, {
    name: `Gate ${name('gate')}`,
    localManagerUuid,
  });
  const gates: { uuid: string; externalIdentifier: string }[] = (await must('GET', '/gate')).content;
  const gateUuid = (wanted: string) => gates.find((gate) => gate.externalIdentifier === wanted)!.uuid;
  const manifest = await must('POST', '/manifest', {
    externalIdentifier: name('manifest'),
    gateExternalId: name('gate'),
    customFields: [{ fieldKey: 'carrier/é', fieldValue: `Carrier ${worlds}` }],
    assets: [name('pallet'), name('later')],
  });
  const newClient = (kind: string) =>
    must('POST', '/client', { displayName: `The ${name(kind)}`, externalId: name(kind) });
  const client = await newClient('client');
  const freeClient = await newClient('free-client');
  const track = await must('POST', '/track/get-and-couple?imageDelivery=URL', {
    wmsId: name('pallet'),
    clientId: name('client'),
  });
  const free = await must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: name('free') });
  const allocated = await must('POST', '/marker-code/allocate?imageDelivery=URL');
  await must('POST', `/track/${track.track.uuid}/comments`, { additionalInfo: `Comment ${worlds}` });
  const email = `user-${worlds}@example.com`;
  const user = await must('POST', '/user', {
    firstName: `First ${worlds}`,
    lastName: `Last ${worlds}`,
    email,
    authority: { authorityName: 'VIEWER' },
    passwordPolicyMode: 'INVITE_LINK',
  });

  const dispatch = await newDispatch(tenant, worlds, name);
  const alone = await newAlone(tenant, name, name('gate'));
  const publicToken = await newPublished(tenant, name('published'), name('gate'));
  const inArchive = await newArchived(tenant, name('archived'));
  const webhook = await must('POST', '/webhook', {
    name: name('webhook'),
    url: `https://hooks.example.com/${worlds}`,
    active: false,
  });
  // It stays pending, because the webhook is paused.
  await must('POST', `/webhook/${webhook.uuid}/replay`, { sequenceNumberFrom: 1, sequenceNumberTo: 1 });
  const background = await newBackground(tenant, name('pallet'), track.markerCode);

  const moved = await operator('POST', `/organization/${tenant.uuid}/move`, { databaseName: 'DB' });

  const suspended = await newSuspended();
  const camera = `camera-${worlds}:${crypto.randomUUID().slice(0, 8)}`;
  const uploaded = await call('POST', `${API}/camera/${camera}/calibration/INTRINSIC`, {
    headers: { 'X-Auth-Token': tenant.token },
    json: { camera, matrix: [[1, 0, 0]] },
  });
  if (uploaded.status !== 201) throw new Error(JSON.stringify(uploaded.body));
  const photo = await newPhoto(tenant, name('pallet'));
  const scanner = await provision('scanner', {
    name: name('scanner'),
    serialNumber: name('serial'),
    gateExternalId: name('gate'),
    localManagerUuid,
  });

  const names: Names = {
    organization: tenant.uuid,
    markerCodeStart,
    apiKey: await provision('api-key', { name: `Key ${worlds}` }),
    accessToken: await provision('access-token', { name: `Token ${worlds}`, scopes: ['CAMERA_READ'] }),
    user: user.uuid,
    authority: user.authority.uuid,
    email,
    gate: name('gate'),
    freeGate: name('free-gate'),
    client: name('client'),
    freeClient: name('free-client'),
    manifest: name('manifest'),
    fieldKey: 'carrier/é',
    track: name('pallet'),
    wmsId: name('pallet'),
    freeTrack: name('free'),
    markerCode: String(track.markerCode),
    freeMarkerCode: String(allocated.entries[0].markerCode),
    ...dispatch,
    ...alone,
    ...background,
    operator: (await operator('POST', '/operator', { name: name('operator'), scopes: ['READ'] })).body.uuid,
    move: moved.body.operationId,
    suspended: suspended.uuid,
    suspendedSlug: suspended.slug,
    short: name('published'),
    publicToken,
    archived: inArchive,
    localManager: localManagerUuid,
    scanner,
    agent: await provision('agent', { name: name('agent'), localManagerUuid }),
    camera,
    photo: photo.uuid,
    photoToken: photo.link.split('/').at(-1)!,
    alertEvent: (await must('GET', '/alert-event')).content[0].uuid,
    auditRecord: (await must('GET', '/audit-log?sort.sortBy=sequenceNumber&pageSize=1')).content[0].uuid,
    printingBatch: await newPrintingBatch(tenant, scanner, name('printing-batch')),
    webhook: webhook.uuid,
    delivery: (await must('GET', `/webhook/${webhook.uuid}/delivery`)).content[0].uuid,
    unused: `unused-${worlds}-${crypto.randomUUID().slice(0, 8)}`,
  };
  const uuids: Names = {
    ...names,
    shipment: (await must('GET', `/shipment/${encodeURIComponent(names.shipment)}`)).uuid,
    shipmentGate: gateUuid(names.shipmentGate),
    member: (await must('GET', `/manifest/${encodeURIComponent(names.member)}`)).uuid,
    alone: (await must('GET', `/manifest/${encodeURIComponent(names.alone)}`)).uuid,
    short: (await must('GET', `/manifest/${encodeURIComponent(names.short)}`)).uuid,
    gate: gateUuid(names.gate),
    freeGate: gateUuid(names.freeGate),
    client: client.uuid,
    freeClient: freeClient.uuid,
    manifest: manifest.uuid,
    track: track.track.uuid,
    freeTrack: free.track.uuid,
  };
  return { tenant, names, uuids };
}

/** A function for calls of a tenant that must succeed. It returns the body of the answer. */
function mustOf(tenant: Tenant) {
  return async (...args: Parameters<Tenant['call']>) => {
    const answer = await tenant.call(...args);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
}

/** Add a photo of a pallet. */
export async function newPhoto(tenant: Tenant, wmsId: string): Promise<{ uuid: string; link: string }> {
  const { status, body } = await call(
    'POST',
    `${API}/photo?kind=LOAD&trackIdentifier=${encodeURIComponent(wmsId)}`,
    {
      headers: { 'X-AUTH-KEY': tenant.key, 'Content-Type': 'image/png' },
      raw: Uint8Array.from(png()),
    },
  );
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

/** Create a completed manifest. @returns the token of its public pages. */
async function newPublished(
  tenant: Tenant,
  externalIdentifier: string,
  gateExternalId: string,
): Promise<string> {
  const must = mustOf(tenant);
  const planned = {
    externalIdentifier,
    gateExternalId,
    manifestStatus: 'TO_DO',
    assets: [externalIdentifier],
  };
  const { uuid } = await must('POST', '/manifest', planned);
  for (const status of ['IN_PROGRESS', 'COMPLETED']) await must('POST', `/manifest/${uuid}/status/${status}`);
  return (await must('GET', `/manifest/${uuid}`)).shipmentSummaryUrl.split('/').at(-1);
}

/** Create a manifest that was cancelled long ago. @returns its uuid. */
async function newArchived(tenant: Tenant, externalIdentifier: string): Promise<string> {
  const { uuid } = await mustOf(tenant)('POST', '/manifest', { externalIdentifier });
  await mustOf(tenant)('POST', `/manifest/${uuid}/status/CANCELLED`);
  await archived(tenant, [uuid]);
  return uuid;
}

/** Run a coupling in the background, and create a dead letter about it. */
async function newBackground(tenant: Tenant, wmsId: string, markerCode: number) {
  const accepted = await tenant.call('POST', '/track/couple?async=true', { wmsId, markerCode });
  const { operationId: operation } = await finished(tenant, accepted);
  await giveUp(tenant, operation);
  const letters = await operator('GET', `/dead-letter?organizationUuid=${tenant.uuid}`);
  return { operation, deadLetter: letters.body.content[0].uuid as string };
}

/** Create a dead letter about an operation. */
export async function giveUp(tenant: Tenant, operation: string): Promise<void> {
  const message = { id: operation, body: { organization: tenant.uuid, operation }, ack() {}, retry() {} };
  const batch = { queue: 'warehouse-dispatch-operation-dead', messages: [message] };
  await consume(batch as unknown as MessageBatch, env as unknown as Env, { waitUntil() {} });
}

/** Create a printing batch of a scanner. @returns its uuid, its only name in a path. */
export async function newPrintingBatch(
  tenant: Tenant,
  scanner: string,
  externalIdentifier: string,
): Promise<string> {
  const path = `/scanner/${scanner}/printing-batch`;
  return (await mustOf(tenant)('POST', path, { quantity: 3, externalIdentifier })).uuid;
}

/** Create a shipment in progress. One pallet at its gate belongs to it, another one does not. */
export async function newDispatch(tenant: Tenant, world: number, name: (kind: string) => string) {
  const must = mustOf(tenant);
  const [shipment, shipmentGate, member] = [name('shipment'), name('shipment-gate'), name('member')];
  const [memberTrack, invalidTrack] = [name('member-pallet'), name('stray')];
  const codes = await coupled(tenant, memberTrack, invalidTrack);
  await must('POST', '/manifest', { externalIdentifier: member, assets: [memberTrack] });
  await must('POST', '/shipment', {
    identifier: shipment,
    gateIdentifier: shipmentGate,
    notes: `Comment ${world}`,
    manifests: [{ manifestExternalId: member }],
    customFields: [{ fieldKey: 'seal/é', fieldValue: `Carrier ${world}` }],
  });
  const path = `/shipment/${encodeURIComponent(shipment)}`;
  await must('POST', `${path}/status/IN_PROGRESS`);
  await must('POST', `${path}/signature`, {
    role: 'LOADER',
    name: `Comment ${world}`,
    strokes: [[[1, 1]]],
    signDate: new Date().toISOString(),
  });
  const invalidRecord = await strayScan(tenant, shipmentGate, codes[1]!);
  const [{ recordUuid: record }] = await must('GET', `${path}/asset-loading`);
  return {
    shipment,
    driverToken: (await must('GET', path)).driverUrl.split('/').at(-1),
    shipmentGate,
    member,
    record,
    memberTrack,
    memberCode: String(codes[0]),
    invalidRecord,
    invalidTrack,
    invalidCode: String(codes[1]),
    shipmentFieldKey: 'seal/é',
  };
}

/**
 * Create a manifest in progress without shipment. One pallet at its gate belongs to it, another one does
 * not.
 */
export async function newAlone(tenant: Tenant, name: (kind: string) => string, gateExternalId: string) {
  const must = mustOf(tenant);
  const [alone, aloneTrack, aloneInvalidTrack] = [name('alone'), name('alone-pallet'), name('alone-stray')];
  const codes = await coupled(tenant, aloneTrack, aloneInvalidTrack);
  await must('POST', '/manifest', {
    externalIdentifier: alone,
    manifestStatus: 'TO_DO',
    gateExternalId,
    assets: [aloneTrack],
  });
  const path = `/manifest/${encodeURIComponent(alone)}`;
  await must('POST', `${path}/status/IN_PROGRESS`);
  const aloneInvalidRecord = await strayScan(tenant, gateExternalId, codes[1]!);
  const [{ recordUuid: aloneRecord }] = await must('GET', `${path}/asset-loading`);
  return {
    alone,
    aloneRecord,
    aloneTrack,
    aloneCode: String(codes[0]),
    aloneInvalidRecord,
    aloneInvalidTrack,
    aloneInvalidCode: String(codes[1]),
  };
}

/** Couple pallets. @returns their codes. */
async function coupled(tenant: Tenant, ...wmsIds: string[]): Promise<number[]> {
  const codes: number[] = [];
  for (const wmsId of wmsIds) {
    const path = '/track/get-and-couple?imageDelivery=URL';
    codes.push((await mustOf(tenant)('POST', path, { wmsId })).markerCode);
  }
  return codes;
}

/** Scan a pallet that does not belong at a gate. @returns the uuid of its loading record. */
async function strayScan(tenant: Tenant, gate: string, markerCode: number): Promise<string> {
  const scan = { scanId: `stray-${gate}`, markerCode, direction: 'LOAD' };
  const scanned = await tenant.device('POST', `/gate/${encodeURIComponent(gate)}/scan`, scan);
  return scanned.body.recordUuid;
}
