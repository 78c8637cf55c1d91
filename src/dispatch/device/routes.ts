import { OpenAPIHono, z } from '@hono/zod-openapi';
import { accessTokenAccess, apiKeyAccess } from '../../access/credential/authenticate.ts';
import { operatorAccess, operatorOf } from '../../access/credential/operator.ts';
import { BASE_PATH, DEVICE_PATH, endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import type { List, PageSchema } from '../../core/http/list.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { answerRecord, reads } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import { type AppContext, type AppEnv, origin, principalOf } from '../../core/http/types.ts';
import { idempotencyKey, write, writeAs } from '../../core/http/write.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import type { ProblemCode } from '../../core/lib/problem.ts';
import { createDevice, deleteDevice, type ProvisionedDevice, reportDevice } from './commands.ts';
import { agentList, localManagerList, scannerList } from './list.ts';
import { DEVICE_NOT_FOUND, type ReportedStatus } from './rules.ts';
import {
  agentCreateSchema,
  agentSchema,
  deviceSchema,
  heartbeatSchema,
  localManagerCreateSchema,
  localManagerSchema,
  scannerCreateSchema,
  scannerSchema,
} from './schema.ts';
import {
  deviceViewQuery,
  type Heartbeat,
  presentDevice,
  readAlive,
  SEGMENTS,
  type StoredDevice,
  silentBefore,
} from './store.ts';
import type { DeviceType } from './table.ts';

const app = new OpenAPIHono<AppEnv>();

/** The names in the operations of each type. */
const NAMES = {
  SCANNER: { idPart: 'Scanner', tag: 'Scanner', title: 'scanner' },
  LOCAL_MANAGER: { idPart: 'LocalManager', tag: 'Local manager', title: 'local manager' },
  AGENT: { idPart: 'Agent', tag: 'Agent', title: 'agent' },
} as const;

/** Declare the operator's endpoints for devices of a type. */
function operatorEndpoints(
  deviceType: DeviceType,
  body: z.ZodType<ProvisionedDevice>,
  schema: z.ZodType,
  references: (readonly [ProblemCode, number])[],
): void {
  const path = `${OPERATOR_PATH}/organization/{organizationUuid}/${SEGMENTS[deviceType]}`;
  const { idPart, title } = NAMES[deviceType];
  const params = z.object({ organizationUuid: uuidName });

  endpoint(app, {
    method: 'post',
    path,
    operationId: `create${idPart}`,
    tag: 'Operator',
    summary: `Provision a device: ${title}`,
    description: 'The operator cannot set values that the device reports itself: status, dates and errors.',
    access: operatorAccess('PROVISION'),
    params,
    body,
    responses: { 201: { description: 'The device', schema } },
    errors: ['organizationNotFound', ...references],
    async handler(c, { params: { organizationUuid }, body: provisioned, submission }) {
      const { body: stored } = await writeAs(c, submission, organizationUuid, operatorOf(c), createDevice, {
        ...provisioned,
        deviceType,
      });
      c.header('Location', `${path.replace('{organizationUuid}', organizationUuid)}/${stored.uuid}`);
      return c.json(presentDevice(origin(c), stored), 201);
    },
  });

  endpoint(app, {
    method: 'delete',
    path: `${path}/{uuid}`,
    operationId: `delete${idPart}`,
    tag: 'Operator',
    summary: `Delete a device: ${title}`,
    description: 'Heartbeats of the device are refused from then on. References to it stay.',
    access: operatorAccess('PROVISION'),
    params: params.extend({ uuid: uuidName }),
    responses: { 204: { description: 'Deleted' } },
    errors: ['organizationNotFound', DEVICE_NOT_FOUND[deviceType]],
    async handler(c, { params: { organizationUuid, uuid: deviceUuid }, submission }) {
      await writeAs(c, submission, organizationUuid, operatorOf(c), deleteDevice, {
        deviceType,
        uuid: deviceUuid,
      });
      return c.body(null, 204);
    },
  });
}

const unknownGate = ['gateNotFound', 400] as const;
const unknownManager = ['localManagerNotFound', 400] as const;
operatorEndpoints('SCANNER', scannerCreateSchema, scannerSchema, [unknownGate, unknownManager]);
operatorEndpoints('LOCAL_MANAGER', localManagerCreateSchema, localManagerSchema, []);
operatorEndpoints('AGENT', agentCreateSchema, agentSchema, [unknownManager]);

/** Declare the list of a type, and GET of one device. */
function readEndpoints(
  deviceType: DeviceType,
  schema: z.ZodType,
  devices: List<PageSchema, StoredDevice, [silent: number]>,
): void {
  const { idPart, tag, title } = NAMES[deviceType];
  endpoint(app, {
    method: 'get',
    path: `${BASE_PATH}/${SEGMENTS[deviceType]}`,
    operationId: `list${idPart}s`,
    tag,
    summary: `List ${title}s`,
    description:
      'Returns devices, newest first, with their last report. A device that was silent for too long ' +
      'is OFFLINE.',
    access: apiKeyAccess,
    query: devices.query,
    responses: { 200: { description: 'A page', schema: envelope(`${idPart}Page`, schema) } },
    handler(c, { query }) {
      const database = reads(c);
      const silent = silentBefore(principalOf(c).organization, Date.now());
      return answerPage(c, database, askPage(devices, database, query, silent), presentDevice);
    },
  });

  endpoint(app, {
    method: 'get',
    path: `${BASE_PATH}/${SEGMENTS[deviceType]}/{uuid}`,
    operationId: `get${idPart}`,
    tag,
    summary: `Get a device: ${title}`,
    description: 'Returns the device with its last report, as in the list.',
    access: apiKeyAccess,
    params: z.object({ uuid: uuidName }),
    responses: { 200: { description: 'The device', schema } },
    errors: [DEVICE_NOT_FOUND[deviceType]],
    handler(c, { params: { uuid: wanted } }) {
      const database = reads(c);
      const silent = silentBefore(principalOf(c).organization, Date.now());
      const query = deviceViewQuery(database, deviceType, wanted, silent);
      const named = { code: DEVICE_NOT_FOUND[deviceType], identifier: wanted };
      return answerRecord(c, database, query, named, (stored) => presentDevice(origin(c), stored));
    },
  });
}

readEndpoints('SCANNER', scannerSchema, scannerList);
readEndpoints('LOCAL_MANAGER', localManagerSchema, localManagerList);
readEndpoints('AGENT', agentSchema, agentList);

endpoint(app, {
  method: 'post',
  path: `${DEVICE_PATH}/heartbeat`,
  operationId: 'recordHeartbeat',
  tag: 'Device',
  summary: 'Report a heartbeat of a device',
  description:
    'A new status, version or error is a change of the device and appears in the audit log. A ' +
    'heartbeat without news only updates `lastSeenDate` or `lastHeartbeatDate`. You can send a ' +
    'heartbeat again without an `Idempotency-Key`.',
  access: accessTokenAccess('DEVICE_WRITE'),
  body: heartbeatSchema,
  responses: {
    200: { description: 'The device', schema: deviceSchema },
  },
  errors: ['unknownStatus', ...Object.values(DEVICE_NOT_FOUND).map((code) => [code, 400] as const)],
  async handler(c, { body, submission }) {
    const { deviceType, uuid: deviceUuid, softwareVersion = null, lastError = null } = body;
    const status = body.status as ReportedStatus;
    const beat = { deviceType, uuid: deviceUuid, status, softwareVersion, lastError };
    const stored = (await stillAlive(c, beat)) ?? (await write(c, submission, reportDevice, beat)).body;
    return c.json(presentDevice(origin(c), stored));
  },
});

/**
 * Store a heartbeat without news directly in D1. Returns undefined if the writer has to process it:
 * it has news, the device is unknown, D1 did not respond, or the caller sent an idempotency key.
 */
async function stillAlive(c: AppContext, beat: Heartbeat): Promise<StoredDevice | undefined> {
  if (idempotencyKey(c.req.header('Idempotency-Key')) !== null) return undefined;
  const { organization } = principalOf(c);
  const database = new Database(organization.uuid, databasesOf(c.env));
  const now = Date.now();
  try {
    const stored = await readAlive(database, beat, silentBefore(organization, now), now);
    if (stored) c.set('database', database);
    return stored;
  } catch (error) {
    console.warn(JSON.stringify({ requestId: c.get('requestId'), heartbeat: String(error) }));
    return undefined;
  }
}

export const deviceRoutes = app;
