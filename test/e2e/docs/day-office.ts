import type { Document } from '../../contract/schema.ts';
import { recordReport } from './day-report.ts';
import type { Recorder } from './recorder.ts';

const DAYS_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAYS_MS).toISOString();

/** Parts of the organization that the rest of the day uses. */
export interface Provisioned {
  organizationUuid: string;
  scanner: string;
  apiKey: string;
  accessToken: string;
}

/** The last measurement of a database. Its real size and date differ in each run. */
const MEASURED = { sizeBytes: 1_687_552, measureDate: '2026-11-21T04:29:41.250Z', missingMigrations: [] };

/** Moves the organization and records the databases, with a fixed measurement. */
async function databases(day: Recorder, organization: { organizationUuid: string }): Promise<void> {
  const { operationId } = await day.send('moveOrganization', 'Move to another database', {
    params: organization,
    body: { databaseName: 'DB_1' },
  });
  const operation = { params: { operationId } };
  await day.until('getOperatorOperation', operation, ({ finishDate }) => finishDate !== null);
  await day.send('getOperatorOperation', 'A finished move', operation);
  day.byHand('restoreOrganization', {
    summary: 'Verify the latest nightly export',
    params: day.shown(organization),
    query: {},
    body: { dryRun: true },
    status: 202,
    answer: {
      operationId: day.shown(operationId),
      exportDate: '2026-11-21T03:17:05.412Z',
      sequenceNumber: 1_180,
      lastSequenceNumber: 1_214,
    },
  });
  const answer = await day.ask('listDatabases', {});
  const content = answer.content.map((database: Document) => ({ ...database, ...MEASURED }));
  day.byHand('listDatabases', {
    summary: 'All databases',
    params: {},
    query: {},
    status: 200,
    answer: { ...answer, content },
  });
  const params = { databaseName: 'DB_1' };
  const body = { open: false };
  const closed = await day.ask('updateDatabase', { params, body });
  day.byHand('updateDatabase', {
    summary: 'Close a database',
    params,
    query: {},
    body,
    status: 200,
    answer: { ...closed, ...MEASURED },
  });
}

/** The operator creates an organization with its gates, devices and credentials. */
export async function provision(day: Recorder): Promise<Provisioned> {
  day.at('05:30');
  const { uuid: organizationUuid } = await day.send(
    'createOrganization',
    'An organization that dispatches by shipment',
    {
      body: {
        name: 'Acme Foods',
        slug: 'acme',
        dispatchStrategy: 'SHIPMENT',
        clientFeatureEnabled: true,
        databaseName: 'DB',
        shipmentCustomFields: [{ fieldKey: 'carrier', fieldType: 'TEXT' }],
      },
    },
  );
  const params = { organizationUuid };
  await day.send('updateOrganization', 'Another custom field for shipments', {
    params,
    body: {
      shipmentCustomFields: [
        { fieldKey: 'carrier', fieldType: 'TEXT' },
        { fieldKey: 'temperature', fieldType: 'NUMBER' },
      ],
    },
  });
  await day.send('getOrganization', 'The organization', { params });
  await day.send('getOrganizationVersion', 'The versions that serve it', { params });
  await day.send('listOrganizations', 'All organizations');
  await databases(day, params);
  const key = await day.send('createApiKey', 'A key for the WMS', {
    params,
    body: { name: 'WMS', expiresDate: inDays(365) },
  });
  day.use('apiKey', key.secret);
  const token = await day.send('createAccessToken', 'A token for the devices at the gates', {
    params,
    body: {
      name: 'Dock',
      scopes: ['GATE_WRITE', 'DEVICE_WRITE', 'CAMERA_READ', 'CAMERA_WRITE'],
      expiresDate: inDays(90),
    },
  });
  day.use('accessToken', token.secret);
  const manager = await day.send('createLocalManager', 'The computer at the dock', {
    params,
    body: { name: 'Dock north', hostname: 'dock-north.acme.example', softwareVersion: '2.1.0' },
  });
  const localManagerUuid = manager.uuid;
  for (const [summary, externalIdentifier, name] of [
    ['A new gate', 'GATE-1', 'Gate 1, north yard'],
    ['Another gate', 'GATE-2', 'Gate 2, south yard'],
    ['A changed gate', 'GATE-2', 'Gate 2, east yard'],
    ['A temporary gate', 'GATE-9', 'Gate 9, behind the hall'],
  ] as const) {
    await day.send('putGate', summary, {
      params: { ...params, externalIdentifier },
      body: { name, localManagerUuid },
    });
  }
  await day.send('deleteGate', 'Deleted', { params: { ...params, externalIdentifier: 'GATE-9' } });
  const scanner = await day.send('createScanner', 'A camera at the gate', {
    params,
    body: {
      name: 'Camera 1',
      serialNumber: 'CAM-0007',
      scannerType: 'FIXED',
      gateExternalId: 'GATE-1',
      localManagerUuid,
      softwareVersion: '2.1.0',
    },
  });
  const agent = await day.send('createAgent', 'A label printer', {
    params,
    body: { name: 'Printer 1', agentType: 'PRINTER', localManagerUuid, softwareVersion: '1.4.2' },
  });
  for (const [summary, permissions] of [
    ['A new authority', ['APP_LOGIN', 'OPERATIONAL_APP_LOGIN']],
    ['One more permission', ['APP_LOGIN', 'OPERATIONAL_APP_LOGIN', 'USER_MANAGEMENT_READ']],
  ] as const) {
    const named = { ...params, authorityName: 'SHIFT_LEAD' };
    await day.send('putAuthority', summary, { params: named, body: { permissions } });
  }
  for (const [summary, deviceType, { uuid }, status] of [
    ['A camera', 'SCANNER', scanner, 'ONLINE'],
    ['A local manager', 'LOCAL_MANAGER', manager, 'ONLINE'],
  ] as const) {
    await day.send('recordHeartbeat', summary, {
      body: { deviceType, uuid, status, softwareVersion: '2.1.1' },
    });
  }
  await day.send('recordHeartbeat', 'A printer in trouble', {
    body: { deviceType: 'AGENT', uuid: agent.uuid, status: 'ERROR', lastError: 'Out of labels' },
  });
  await day.send('listScanners', 'The cameras', { query: { status: 'ONLINE' } });
  await day.send('listLocalManagers', 'The local managers');
  await day.send('listAgents', 'Agents with an error', { query: { status: 'ERROR' } });
  await day.send('getScanner', 'A camera', { params: { uuid: scanner.uuid } });
  await day.send('getLocalManager', 'The computer at the dock', { params: { uuid: localManagerUuid } });
  await day.send('getAgent', 'The printer in trouble', { params: { uuid: agent.uuid } });
  return { organizationUuid, scanner: scanner.uuid, apiKey: key.uuid, accessToken: token.uuid };
}

/** Parts of the office that the rest of the day uses. */
export interface Office {
  user: string;
  webhook: string;
}

/** People, webhooks, labels and calibration files, before the first pallet. */
export async function issue(day: Recorder, { scanner }: Provisioned, hooks: string): Promise<Office> {
  day.at('06:00');
  const authorities: Document[] = await day.send('listAuthorities', 'All authorities');
  await day.send('getAuthority', 'An authority', { params: { uuid: authorities[0].uuid } });
  const user = await day.send('createUser', 'Invited by a link', {
    body: {
      firstName: 'Jane',
      lastName: 'Doe',
      email: 'jane.doe@acme.example',
      phoneNumber: '+31 20 123 45 67',
      authority: { authorityName: 'SHIFT_LEAD' },
      passwordPolicyMode: 'INVITE_LINK',
    },
  });
  await day.send('createUser', 'With a password for the first day', {
    body: {
      firstName: 'Tom',
      lastName: 'Baker',
      email: 'tom.baker@acme.example',
      authority: { authorityName: 'FORKLIFT_OPERATOR' },
      passwordPolicyMode: 'TEMP_PASSWORD',
      password: 'seven crates of tea',
    },
  });
  const params = { uuid: user.uuid };
  await day.send('getUser', 'A user', { params });
  await day.send('updateUser', 'Promoted', {
    params,
    body: {
      firstName: 'Jane',
      lastName: 'Doe-Baker',
      email: 'jane.doe@acme.example',
      phoneNumber: '+31 20 123 45 67',
      authority: { authorityName: 'OPERATOR' },
    },
  });
  await day.send('listUsers', 'By role', { query: { role: 'OPERATOR' } });
  await day.send('resetPassword', 'A new link', { params });
  const webhook = await webhooks(day, hooks);
  await calibrate(day);
  await print(day, scanner);
  return { user: user.uuid, webhook };
}

async function webhooks(day: Recorder, url: string): Promise<string> {
  const { uuid } = await day.send('createWebhook', 'Events of trucks', {
    body: {
      name: 'WMS',
      url,
      eventTypes: ['SHIPMENT_STATUS_CHANGED'],
      customHeaders: [{ name: 'Authorization', value: 'Bearer example' }],
    },
  });
  const params = { uuid };
  await day.send('updateWebhook', 'Events of couplings too', {
    params,
    body: { eventTypes: ['SHIPMENT_STATUS_CHANGED', 'COUPLING_SUCCEEDED', 'COUPLING_FAILED'] },
  });
  await day.send('getWebhook', 'A webhook', { params });
  await day.send('listWebhooks', 'All webhooks');
  await day.send('createWebhook', 'EPCIS for a trading partner', {
    body: { name: 'Partner', url: `${url}/epcis`, format: 'EPCIS_2_0' },
  });
  await day.send('testWebhook', 'A test', { params });
  const tests = { params, query: { eventType: 'WEBHOOK_TEST' } };
  await day.until(
    'listWebhookDeliveries',
    tests,
    ({ content }: Document) => content[0].status === 'SUCCEEDED',
  );
  const { content } = await day.send('listWebhookDeliveries', 'The test has arrived', tests);
  const delivery = { ...params, deliveryUuid: content[0].uuid };
  await day.send('resendWebhookDelivery', 'The test again', { params: delivery });
  await day.until(
    'listWebhookDeliveries',
    tests,
    ({ content: [sent] }: Document) => sent.attemptsCount === 2 && sent.status === 'SUCCEEDED',
  );
  // The other delivery has arrived, so no later date of it falls into the minute of this request.
  await day.send('testWebhook', 'A test with the event of a truck', {
    params,
    body: { eventType: 'SHIPMENT_STATUS_CHANGED' },
  });
  await day.send('rotateWebhookSecret', 'A new secret', { params, body: { overlapSeconds: 86_400 } });
  return uuid;
}

async function calibrate(day: Recorder): Promise<void> {
  const params = { hardwareId: 'CAM-0007:left', type: 'INTRINSIC' };
  await day.send('uploadCalibration', 'A new file', { params, body: { focalLength: [912.4, 911.8] } });
  await day.send('uploadCalibration', 'Measured again', { params, body: { focalLength: [912.6, 911.7] } });
  await day.send('getCalibration', 'The file', { params });
  await day.send('listCalibrations', 'Files of one camera', { query: { hardwareId: params.hardwareId } });
  await day.send('deleteCalibration', 'Deleted', { params });
}

async function print(day: Recorder, scannerUuid: string): Promise<void> {
  const params = { scannerUuid };
  const create = (summary: string, body: object) =>
    day.send('createPrintingBatch', summary, { params, body });
  const roll = await create('A roll of labels', {
    quantity: 3,
    externalIdentifier: 'ROLL-2026-47',
    labelFormat: 'ZPL',
  });
  const spare = await create('A spare batch', { quantity: 1 });
  await day.send('listPrintingBatches', 'Batches of one scanner', { params });
  const batch = { ...params, batchUuid: roll.uuid };
  await day.send('getPrintingBatch', 'A batch', { params: batch });
  await day.send('changePrintingBatchStatus', 'Printing', { params: { ...batch, status: 'IN_PROGRESS' } });
  await day.send('getPrintingSheetZpl', 'The labels', { params: batch });
  await day.send('getPrintingSheetPdf', 'The labels', { params: batch });
  await day.send('changePrintingBatchStatusByGet', 'Printed', { params: { ...batch, status: 'COMPLETED' } });
  await day.send('deletePrintingBatch', 'The spare batch', { params: { ...params, batchUuid: spare.uuid } });
}

/** Looks back on the day and removes what only this day needed. */
export async function tidyUp(day: Recorder, at: Provisioned, { user, webhook }: Office): Promise<void> {
  day.at('17:00');
  const { organizationUuid } = at;
  const params = { organizationUuid };
  const query = { pageSize: '2' };
  await day.send('listEvents', 'The first events', { query: { afterSequence: '0', limit: '2' } });
  await tryOut(day);
  await recordReport(day, 'A day by gate', { from: '2026-11-21', to: '2026-11-21' });
  await day.send('listEpcisEvents', 'Departures', { query: { EQ_bizStep: 'shipping' } });
  await day.send('listEpcisEvents', 'Events of pallets', {});
  await day.send('replayWebhook', 'All events of the day', {
    params: { uuid: webhook },
    body: { sequenceNumberFrom: 1, sequenceNumberTo: 100 },
  });
  const { content } = await day.send('listAuditLog', 'Records about the truck', {
    query: { entityExternalId: 'SHIP-20261121-1', ...query },
  });
  await day.send('getAuditRecord', 'The latest record', { params: { uuid: content[0].uuid } });
  await day.send('listOperatorAuditLog', 'Actions of operators', { query });
  await day.send('deleteUser', 'Deleted', { params: { uuid: user } });
  await day.send('deleteWebhook', 'Deleted', { params: { uuid: webhook } });
  for (const [kind, uuid] of [
    ['ApiKey', at.apiKey],
    ['AccessToken', at.accessToken],
  ] as const) {
    await day.send(`list${kind}s`, 'All credentials', { params });
    await day.send(`rotate${kind}`, 'A new secret', {
      params: { ...params, uuid },
      body: { overlapSeconds: 3_600 },
    });
    await day.send(`revoke${kind}`, 'Revoked', { params: { ...params, uuid } });
  }
  for (const kind of ['Scanner', 'Agent', 'LocalManager'] as const) {
    const spare = await day.send(`create${kind}`, 'A spare device', { params, body: { name: 'Spare' } });
    await day.send(`delete${kind}`, 'Deleted', { params: { ...params, uuid: spare.uuid } });
  }
  deadLetters(day, day.shown(organizationUuid));
}

/** On a good day there are no dead letters. This example shows how they look. */
function deadLetters(day: Recorder, organizationUuid: string): void {
  const uuid = '019aa4f5-5bc0-7000-8000-00000000d1ed';
  const operation = '019aa4f5-5bc0-7000-8000-000000000be9';
  const letter = {
    uuid,
    createDate: '2026-11-21T16:40:00.000Z',
    updateDate: '2026-11-21T16:40:00.000Z',
    deepLink: `https://dispatch.example.com/app/dead-letter/${uuid}`,
    organizationUuid,
    queue: 'operation',
    body: { organization: organizationUuid, operation },
    reason: 'It failed at every attempt; the log of its consumer says why.',
    resendCount: 0,
    resendDate: null,
  };
  const sort = { sortBy: 'createDate', direction: 'DESC' };
  const page = { content: [letter], pageRequest: { pageNumber: 1, pageSize: 20, sort }, totalElements: 1 };
  const resent = {
    ...letter,
    updateDate: '2026-11-21T17:20:00.000Z',
    resendCount: 1,
    resendDate: '2026-11-21T17:20:00.000Z',
  };
  day.byHand('listDeadLetters', {
    summary: 'A dead letter',
    params: {},
    query: {},
    status: 200,
    answer: page,
  });
  day.byHand('resendDeadLetter', {
    summary: 'Sent again',
    params: { uuid },
    query: {},
    status: 200,
    answer: resent,
  });
}

/** Plays cameras in a sandbox organization. */
async function tryOut(day: Recorder): Promise<void> {
  const sandbox = { name: 'Acme try-out', slug: 'acme-try-out', sandbox: true };
  const { uuid: organizationUuid } = await day.send('createOrganization', 'A sandbox', {
    body: sandbox,
  });
  const key = await day.send('createApiKey', 'A key for the sandbox', {
    params: { organizationUuid },
    body: { name: 'Try-out' },
  });
  const gate = { organizationUuid, externalIdentifier: 'GATE-1' };
  await day.send('putGate', 'A gate of the sandbox', { params: gate, body: { name: 'Gate 1' } });
  const before = day.use('apiKey', key.secret);
  await day.send('simulateGate', 'A truck with unknown markers', {
    params: { gateExternalId: 'GATE-1' },
    body: { loadPallets: 'ALL', wrongPallets: 0, unknownMarkers: 3, paceMilliseconds: 0 },
  });
  day.use('apiKey', before);
}
