import { newTenant, operator, type Tenant } from '../client.ts';
import type { World } from './browser.ts';

/** A text that tries to run a script on a page. The mark shows which field it came from. */
export const hostile = (mark: string): string =>
  `${mark}"'><img src=x onerror=globalThis.hit=1><script>globalThis.hit=1</script>{{7*7}}`;

/** Creates an organization with a record of every kind, and with hostile texts in every field that accepts them. */
export async function hostileTenant(world: World): Promise<Tenant> {
  const { service } = world;
  const tenant = await newTenant(service, 'hostile', {
    name: hostile('organization'),
    dispatchStrategy: 'SHIPMENT',
    clientFeatureEnabled: true,
    sandbox: true,
    shipmentCustomFields: [{ fieldKey: hostile('configured'), fieldType: 'TEXT' }],
  });
  const must = async (method: string, path: string, json?: unknown) => {
    const answer = await tenant.send({ method, path, json });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const provision = async (method: string, path: string, json: unknown) =>
    (await operator(service, 201, { method, path: `/organization/${tenant.uuid}${path}`, json })).json;
  await provision('PUT', `/gate/${encodeURIComponent(hostile('gate'))}`, { name: hostile('gate name') });
  await provision('PUT', `/authority/${encodeURIComponent(hostile('authority'))}`, {
    permissions: ['APP_LOGIN'],
  });
  const manager = await provision('POST', '/local-manager', {
    name: hostile('manager'),
    hostname: 'a.example',
  });
  const scanner = await provision('POST', '/scanner', {
    name: hostile('scanner'),
    serialNumber: hostile('serial'),
    localManagerUuid: manager.uuid,
  });
  await provision('POST', '/agent', { name: hostile('agent'), agentType: 'PRINTER' });
  await provision('POST', '/access-token', {
    name: hostile('token'),
    scopes: ['GATE_WRITE', 'CAMERA_WRITE'],
  });
  const { secret: token } = await provision('POST', '/access-token', {
    name: hostile('device'),
    scopes: ['GATE_WRITE', 'CAMERA_WRITE'],
  });
  await fillDispatch(must);
  await must('POST', `/scanner/${scanner.uuid}/printing-batch`, {
    quantity: 3,
    externalIdentifier: hostile('batch'),
  });
  const webhook = await must('POST', '/webhook', {
    name: hostile('webhook'),
    url: 'http://127.0.0.1:9/hook',
    active: false,
    customHeaders: [{ name: 'X-Custom', value: 'v' }],
  });
  await must('POST', `/webhook/${webhook.uuid}/test`);
  await must('POST', '/user', {
    firstName: hostile('first'),
    lastName: hostile('last'),
    email: 'a@example.com',
    phoneNumber: '<b>1</b>',
    authority: { authorityName: hostile('authority') },
    passwordPolicyMode: 'INVITE_LINK',
  });
  await device(world, token, 'POST', `/device/rest/api/v1/gate/${encodeURIComponent(hostile('gate'))}/scan`, {
    scanId: hostile('scan'),
    markerCode: 77,
    direction: 'LOAD',
  });
  await device(world, token, 'POST', '/integration/rest/api/v1/camera/cam-1/calibration/COLOR', {
    a: hostile('c'),
  });
  return tenant;
}

async function fillDispatch(
  must: (method: string, path: string, json?: unknown) => Promise<unknown>,
): Promise<void> {
  const client = { displayName: hostile('client'), externalId: hostile('client id') };
  await must('POST', '/client', client);
  const customFields = [{ fieldKey: hostile('key'), fieldValue: hostile('value') }];
  for (const name of ['pallet', 'other']) {
    const coupling = { wmsId: hostile(name), customFields, clientId: client.externalId };
    await must('POST', '/track/get-and-couple?imageDelivery=URL', coupling);
  }
  const pallet = `/track/${encodeURIComponent(hostile('pallet'))}`;
  const attachments = [
    { link: 'https://example.com/', fileName: hostile('file'), description: hostile('about') },
  ];
  await must('POST', `${pallet}/comments`, { additionalInfo: hostile('comment'), attachments });
  await must('PATCH', `${pallet}/flag`, { damaged: true, reason: hostile('reason') });
  const assets = [hostile('pallet'), hostile('uncoupled')];
  await must('POST', '/manifest', { externalIdentifier: hostile('manifest'), assets, customFields });
  await must('POST', '/manifest', { externalIdentifier: hostile('closed'), assets: [hostile('other')] });
  await must('POST', '/manifest', { externalIdentifier: hostile('later') });
  await must('POST', '/shipment', {
    identifier: hostile('planned'),
    manifests: [{ manifestExternalId: hostile('later') }],
  });
  for (const [identifier, member] of [
    ['shipment', 'manifest'],
    ['gone', 'closed'],
  ] as const) {
    await must('POST', '/shipment', {
      identifier: hostile(identifier),
      gateIdentifier: hostile('gate'),
      notes: hostile('notes'),
      manifests: [{ manifestExternalId: hostile(member) }],
      customFields: [{ fieldKey: hostile('configured'), fieldValue: hostile('value') }],
    });
    const status = `/shipment/${encodeURIComponent(hostile(identifier))}/status`;
    await must('POST', `${status}/IN_PROGRESS`);
    if (identifier === 'gone') await must('POST', `${status}/COMPLETED`);
  }
  const items = [{ shipmentExternalId: hostile('unknown'), customFields: [] }];
  await must('POST', '/shipment/bulk-upsert', { items });
}

async function device(
  world: World,
  token: string,
  method: string,
  path: string,
  json: unknown,
): Promise<void> {
  const response = await fetch(`${world.service.origin}${path}`, {
    method,
    headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify(json),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
}
