import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_LOG } from '../../src/access/credential/operator.ts';
import { sha256Hex } from '../../src/core/lib/hash.ts';
import { labelIn } from '../../src/web/console/resources/audit/words.ts';
import { wordsIn } from '../messages.ts';
import type { Answer } from '../workerd/client.ts';
import { operatorLog, type Shown, verified, wholeLog } from '../workerd/log/audit/logs.ts';
import {
  changesByGet,
  isOperator,
  isTokened,
  isWrite,
  type Operation,
  operations,
  takesFile,
} from './document.ts';
import { exampleOf, OF_SERVICE } from './operations.ts';
import { type Change, send } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { storedState } from './state.ts';
import type { Names, World } from './world.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const writes = operations.filter((operated) => isWrite(operated) || changesByGet(operated));

type Named = (names: Names) => string;
type Appended = Record<string, [action: string, entityType: string, externalId: Named | null]>;

/** The expected records of operations on loading records of a shipment or a manifest. */
function ofLoading(of: string, marked: Named, removed: Named): Appended {
  return Object.fromEntries(
    ['', 'ByTrack', 'ByMarker'].flatMap((by): [string, Appended[string]][] => [
      [`mark${of}Loading${by}`, ['ASSET_LOADING_STATUS_CHANGED', 'ASSET_LOADING', marked]],
      [`removeInvalid${of}Loading${by}`, ['UNAUTHORIZED_LOADING_RESOLVED', 'ASSET_LOADING', removed]],
    ]),
  );
}

/**
 * The first record that each write appends: its action, entity type and external identifier. Add new writes
 * here.
 */
const APPENDED: Appended = {
  createOrganization: ['ORGANIZATION_CREATED', 'ORGANIZATION', ({ unused }) => unused],
  updateOrganization: ['ORGANIZATION_UPDATED', 'ORGANIZATION', ({ unused }) => unused],
  updateDatabase: ['DATABASE_UPDATED', 'DATABASE', () => 'DB_1'],
  moveOrganization: ['ORGANIZATION_MOVE_ACCEPTED', 'ORGANIZATION', null],
  restoreOrganization: [
    'ORGANIZATION_RESTORE_ACCEPTED',
    'ORGANIZATION',
    ({ suspendedSlug }) => suspendedSlug,
  ],
  eraseOrganization: ['ORGANIZATION_ERASURE_ACCEPTED', 'ORGANIZATION', ({ suspendedSlug }) => suspendedSlug],
  importOrganization: ['ORGANIZATION_IMPORT_ACCEPTED', 'ORGANIZATION', null],
  createOperator: ['OPERATOR_CREATED', 'OPERATOR', () => 'On call'],
  rotateOperator: ['OPERATOR_ROTATED', 'OPERATOR', null],
  revokeOperator: ['OPERATOR_REVOKED', 'OPERATOR', null],
  createApiKey: ['API_KEY_CREATED', 'API_KEY', () => 'WMS 2'],
  rotateApiKey: ['API_KEY_ROTATED', 'API_KEY', null],
  revokeApiKey: ['API_KEY_REVOKED', 'API_KEY', null],
  createAccessToken: ['ACCESS_TOKEN_CREATED', 'ACCESS_TOKEN', () => 'Camera'],
  rotateAccessToken: ['ACCESS_TOKEN_ROTATED', 'ACCESS_TOKEN', null],
  revokeAccessToken: ['ACCESS_TOKEN_REVOKED', 'ACCESS_TOKEN', null],
  putGate: ['GATE_CREATED', 'GATE', ({ unused }) => unused],
  deleteGate: ['GATE_DELETED', 'GATE', ({ freeGate }) => freeGate],
  putAuthority: ['AUTHORITY_CREATED', 'AUTHORITY', ({ unused }) => unused],
  createUser: ['USER_CREATED', 'USER', ({ unused }) => `${unused}@example.com`],
  updateUser: ['USER_UPDATED', 'USER', ({ unused }) => `${unused}@example.com`],
  deleteUser: ['USER_DELETED', 'USER', ({ email }) => email],
  resetPassword: ['USER_PASSWORD_RESET', 'USER', ({ email }) => email],
  createScanner: ['SCANNER_CREATED', 'SCANNER', () => 'Scanner 2'],
  createLocalManager: ['LOCAL_MANAGER_CREATED', 'LOCAL_MANAGER', () => 'Local manager 2'],
  createAgent: ['AGENT_CREATED', 'AGENT', () => 'Agent 2'],
  deleteScanner: ['SCANNER_DELETED', 'SCANNER', null],
  deleteLocalManager: ['LOCAL_MANAGER_DELETED', 'LOCAL_MANAGER', null],
  deleteAgent: ['AGENT_DELETED', 'AGENT', null],
  recordHeartbeat: ['AGENT_REPORTED', 'AGENT', null],
  allocateMarkers: ['MARKERS_ALLOCATED', 'MARKER_ALLOCATION', null],
  deleteTrack: ['TRACK_DELETED', 'TRACK', ({ freeTrack }) => freeTrack],
  coupleTrack: ['TRACK_COUPLED', 'TRACK', ({ unused }) => unused],
  getAndCoupleTrack: ['TRACK_COUPLED', 'TRACK', ({ unused }) => unused],
  retireTrack: ['TRACK_RETIRED', 'TRACK', ({ wmsId }) => wmsId],
  flagTrack: ['TRACK_FLAGGED', 'TRACK', ({ wmsId }) => wmsId],
  createComment: ['TRACK_COMMENTED', 'TRACK', ({ wmsId }) => wmsId],
  createClient: ['CLIENT_CREATED', 'CLIENT', ({ unused }) => unused],
  updateClient: ['CLIENT_UPDATED', 'CLIENT', ({ client }) => client],
  deleteClient: ['CLIENT_DELETED', 'CLIENT', ({ freeClient }) => freeClient],
  createManifest: ['MANIFEST_CREATED', 'MANIFEST', ({ unused }) => unused],
  createBackorder: ['MANIFEST_CREATED', 'MANIFEST', ({ unused }) => unused],
  replaceManifest: ['MANIFEST_UPDATED', 'MANIFEST', ({ manifest }) => manifest],
  deleteManifest: ['MANIFEST_DELETED', 'MANIFEST', ({ manifest }) => manifest],
  upsertAssets: ['MANIFEST_UPDATED', 'MANIFEST', ({ manifest }) => manifest],
  attachTrack: ['MANIFEST_UPDATED', 'MANIFEST', ({ manifest }) => manifest],
  detachTrack: ['MANIFEST_UPDATED', 'MANIFEST', ({ manifest }) => manifest],
  changeManifestStatus: ['MANIFEST_STATUS_CHANGED', 'MANIFEST', ({ manifest }) => manifest],
  assignManifestGate: ['MANIFEST_GATE_ASSIGNED', 'MANIFEST', ({ manifest }) => manifest],
  putManifestField: ['MANIFEST_UPDATED', 'MANIFEST', ({ manifest }) => manifest],
  removeManifestField: ['MANIFEST_UPDATED', 'MANIFEST', ({ manifest }) => manifest],
  createShipment: ['SHIPMENT_CREATED', 'SHIPMENT', ({ unused }) => unused],
  replaceShipment: ['SHIPMENT_UPDATED', 'SHIPMENT', ({ shipment }) => shipment],
  deleteShipment: ['SHIPMENT_DELETED', 'SHIPMENT', ({ shipment }) => shipment],
  changeShipmentStatus: ['SHIPMENT_STATUS_CHANGED', 'SHIPMENT', ({ shipment }) => shipment],
  recordShipmentArrival: ['SHIPMENT_ARRIVED', 'SHIPMENT', ({ shipment }) => shipment],
  attachManifests: ['SHIPMENT_UPDATED', 'SHIPMENT', ({ shipment }) => shipment],
  detachManifests: ['SHIPMENT_UPDATED', 'SHIPMENT', ({ shipment }) => shipment],
  detachManifestsByPost: ['SHIPMENT_UPDATED', 'SHIPMENT', ({ shipment }) => shipment],
  assignShipmentGate: ['SHIPMENT_GATE_ASSIGNED', 'SHIPMENT', ({ shipment }) => shipment],
  addSignature: ['SIGNATURE_ADDED', 'SHIPMENT', ({ shipment }) => shipment],
  addManifestSignature: ['SIGNATURE_ADDED', 'MANIFEST', ({ alone }) => alone],
  putShipmentField: ['SHIPMENT_UPDATED', 'SHIPMENT', ({ shipment }) => shipment],
  removeShipmentField: ['SHIPMENT_UPDATED', 'SHIPMENT', ({ shipment }) => shipment],
  ...ofLoading(
    '',
    ({ memberTrack }) => memberTrack,
    ({ invalidTrack }) => invalidTrack,
  ),
  ...ofLoading(
    'Manifest',
    ({ aloneTrack }) => aloneTrack,
    ({ aloneInvalidTrack }) => aloneInvalidTrack,
  ),
  bulkUpsertShipments: ['OPERATION_ACCEPTED', 'OPERATION', null],
  simulateGate: ['OPERATION_ACCEPTED', 'OPERATION', null],
  createWebhook: ['WEBHOOK_CREATED', 'WEBHOOK', () => 'WMS'],
  updateWebhook: ['WEBHOOK_UPDATED', 'WEBHOOK', () => 'Renamed'],
  deleteWebhook: ['WEBHOOK_DELETED', 'WEBHOOK', null],
  rotateWebhookSecret: ['WEBHOOK_SECRET_ROTATED', 'WEBHOOK', null],
  resendWebhookDelivery: ['WEBHOOK_DELIVERY_RESENT', 'WEBHOOK', null],
  testWebhook: ['WEBHOOK_TESTED', 'WEBHOOK', null],
  replayWebhook: ['WEBHOOK_REPLAYED', 'WEBHOOK', null],
  resendDeadLetter: ['DEAD_LETTER_RESENT', 'DEAD_LETTER', () => 'operation'],
  createPrintingBatch: ['PRINTING_BATCH_CREATED', 'PRINTING_BATCH', ({ unused }) => unused],
  deletePrintingBatch: ['PRINTING_BATCH_DELETED', 'PRINTING_BATCH', null],
  changePrintingBatchStatus: ['PRINTING_BATCH_STATUS_CHANGED', 'PRINTING_BATCH', null],
  changePrintingBatchStatusByGet: ['PRINTING_BATCH_STATUS_CHANGED', 'PRINTING_BATCH', null],
  uploadCalibration: ['CALIBRATION_UPLOADED', 'CALIBRATION', null],
  addPhoto: ['PHOTO_ADDED', 'PHOTO', ({ manifest }) => manifest],
  addPhotoAtGate: ['PHOTO_ADDED', 'PHOTO', ({ shipment }) => shipment],
  deletePhoto: ['PHOTO_DELETED', 'PHOTO', ({ track }) => track],
  deleteCalibration: ['CALIBRATION_DELETED', 'CALIBRATION', ({ camera }) => `${camera}/INTRINSIC`],
  recordScan: ['SCANS_RECORDED', 'GATE', ({ shipmentGate }) => shipmentGate],
  recordScans: ['SCANS_RECORDED', 'GATE', ({ shipmentGate }) => shipmentGate],
};
/** Writes that change nothing in a new world, and so append no record. */
const UNCHANGED = ['revertRetirement', 'unflagTrack', 'suspendOrganization', 'resumeOrganization'];
/** Writes that only repeat work. They append a record, but the stored state looks the same. */
const AGAIN = ['replayWebhook', 'resendWebhookDelivery'];

/** All secrets that this file sent or received. */
const secrets = new Set<string>();

function collect(world: World, sent: unknown, { body }: Answer): void {
  for (const secret of [world.tenant.key, world.tenant.token, 'local-operator-key']) secrets.add(secret);
  for (const shown of [sent, body] as (Record<string, unknown> | undefined)[]) {
    for (const name of ['password', 'secret', 'inviteLink']) {
      const secret = shown?.[name];
      if (typeof secret === 'string') secrets.add(secret.replace(/^.*\//, ''));
    }
    for (const { value } of (shown?.['customHeaders'] ?? []) as { value: unknown }[])
      if (typeof value === 'string') secrets.add(value);
  }
}

/** Send an operation's example with a request id. @returns the answer and the records of this request. */
async function audited(operated: Operation, world: World, change: Change = {}) {
  const requestId = crypto.randomUUID();
  const headers = { 'X-Request-Id': requestId, 'CF-Connecting-IP': '192.0.2.7', ...change.headers };
  const answer = await send(operated, world, { ...change, headers });
  collect(world, { ...exampleOf(operated, world.names), ...change }.json, answer);
  const records = OF_SERVICE.includes(operated.operationId)
    ? (await operatorLog(`requestId=${requestId}`)).toReversed()
    : await wholeLog(world.tenant, `requestId=${requestId}`);
  return { answer, records, requestId };
}

/**
 * The stored state of a world. It leaves out the log, the stored answers, the dates of heartbeats, and
 * the files that an upload without effect left in the bucket.
 */
async function contentOf(world: World, operated: Operation): Promise<unknown> {
  const stored = await storedState(world.tenant);
  const {
    audit_log: _,
    command_log: _____,
    idempotency: __,
    recent_answer: ______,
    calibration_orphan: ____,
    device,
    ...state
  } = stored;
  const all = OF_SERVICE.includes(operated.operationId);
  const service = all
    ? await db.batch([
        db.prepare('SELECT uuid FROM organization ORDER BY uuid'),
        db.prepare('SELECT database_name, open FROM database_setting ORDER BY database_name'),
        db.prepare(
          "SELECT uuid, iif(operation_type = 'ORGANIZATION_MOVE', phase, NULL) AS phase FROM long_job ORDER BY uuid",
        ),
        db.prepare('SELECT uuid, prefix, revoked_date FROM operator ORDER BY uuid'),
      ])
    : [];
  const devices = (device as Record<string, unknown>[]).map(({ last_heartbeat_date: ___, ...row }) => row);
  return { ...state, devices, service: service.map(({ results }) => results) };
}

/** The fields of all records. */
const recorded = new Set<string>();

/** The faults of a record: every record must have these fields in this form. */
function faultsOf(record: Shown): string[] {
  for (const { field } of record.changes) recorded.add(field);
  const faults = record.changes
    .filter(({ oldValue, newValue }) => JSON.stringify(oldValue) === JSON.stringify(newValue))
    .map(({ field }) => `${record.action}: ${field} did not change`);
  if (record.changes.length === 0) faults.push(`${record.action}: nothing changed`);
  if (record.changes.some(({ field }) => /^gateUuid$|^clientUuid$/.test(field)))
    faults.push(`${record.action}: names a thing by its uuid`);
  return faults;
}

const actorOf = (operated: Operation): string =>
  isOperator(operated) ? 'OPERATOR' : isTokened(operated) ? 'ACCESS_TOKEN' : 'API_KEY';

it('this file names for every write the record that it appends to the audit log', () => {
  expect([...Object.keys(APPENDED), ...UNCHANGED].sort()).toEqual(
    writes.map(({ operationId }) => operationId).sort(),
  );
});

describe('a write', () => {
  it.each(writes)(
    '$operationId appends a record with actor, action, old and new values, IP address and request id if it changes something',
    async (operated) => {
      const world = await restoredWorld();
      const { json, other, status } = exampleOf(operated, world.names);
      let before = await contentOf(world, operated);
      const take = async (change: Change) => {
        const taken = await audited(operated, world, change);
        for (const record of taken.records) {
          expect(faultsOf(record)).toEqual([]);
          expect(record).toMatchObject({ requestId: taken.requestId, ipAddress: '192.0.2.7' });
          expect(record.actor.actorType).toBe(actorOf(operated));
        }
        const after = await contentOf(world, operated);
        const differs =
          JSON.stringify(after) !== JSON.stringify(before) || AGAIN.includes(operated.operationId);
        expect([taken.answer.status, taken.records.length > 0]).toEqual([taken.answer.status, differs]);
        before = after;
        return taken;
      };
      const { answer, records } = await take({});
      expect(answer.status).toBe(status);
      const expected = APPENDED[operated.operationId];
      if (expected) {
        const [action, entityType, externalId] = expected;
        const found = records.find((record) => record.action === action);
        expect([found?.action, found?.entityType]).toEqual([action, entityType]);
        if (externalId) expect(found!.entityExternalId).toBe(externalId(world.names));
      } else expect(records).toEqual([]);
      // The same request may be refused, change nothing, or change something again.
      for (const again of [json, other, other].filter((body) => body !== undefined))
        await take({ json: again });
      if (json === undefined) await take({});
      expect((await verified(world.tenant, undefined, 100)).fault).toBeUndefined();
    },
  );

  it.each(writes.filter(isWrite))(
    '$operationId appends nothing to the audit log when it is refused or repeated',
    async (operated) => {
      const world = await restoredWorld();
      // Keys of operations that belong to no organization are stored in the operator's log.
      const key = `k-${operated.operationId}`;
      const repeated = { headers: { 'Idempotency-Key': key } };
      const first = await audited(operated, world, repeated);
      const appended = first.records.length;
      expect(appended > 0).toBe(!UNCHANGED.includes(operated.operationId));
      const changes: [string, Change][] = [
        ['repeated', repeated],
        ['anonymous', { anonymous: true }],
        ['with a key that is none', { headers: { 'Idempotency-Key': '' } }],
        ['under the key of another', { headers: { 'Idempotency-Key': key }, query: { other: '1' } }],
        ...(operated.body && !takesFile(operated)
          ? ([
              ['malformed', { raw: '{' }],
              ['with a stranger', { json: { nobody: 1 } }],
            ] as [string, Change][])
          : []),
      ];
      for (const [how, change] of changes) {
        const { records, answer } = await audited(operated, world, change);
        expect([how, records, answer.status >= 400 || how === 'repeated']).toEqual([how, [], true]);
      }
    },
  );
});

it('every field of an audit record has a label on its page', () => {
  const fields = [...recorded].filter((field) => !field.startsWith('customFields.'));
  expect(fields.length).toBeGreaterThan(80);
  const bare = fields.map((field) => field.replace(/\.(added|removed)$|(?<=^savedViews) .*$/, ''));
  expect(bare.filter((field) => labelIn(wordsIn('en'), field) === undefined)).toEqual([]);
});

describe('secrets', () => {
  let text: string;
  beforeAll(async () => {
    const { results } = await db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .all<{ name: string }>();
    const rows = await db.batch(results.map(({ name }) => db.prepare(`SELECT * FROM ${name}`)));
    text = JSON.stringify(rows.map(({ results: found }) => found));
  });

  it('the tests send and receive every kind of secret', () => {
    const of = (form: RegExp) => [...secrets].filter((secret) => form.test(secret)).length;
    expect([
      of(/^wdk_/) > 10,
      of(/^wdt_/) > 10,
      of(/^wdo_/) > 2,
      of(/^[\w-]{32}$/) > 1,
      secrets.has('correct horse'),
    ]).toEqual(Array(5).fill(true));
    expect(text).toContain(OPERATOR_LOG);
    expect(text.length).toBeGreaterThan(100_000);
  });

  it('no audit record and no table row contains a secret, or data that reveals it', () => {
    for (const secret of secrets) {
      // The hash of a key is stored to find it. The hash of a password must not be stored, because it would
      // help to guess the password.
      const traces = [secret, secret.slice(13), Buffer.from(secret).toString('base64')];
      if (!/^wd[kto]_/.test(secret) && secret.length < 32) traces.push(sha256Hex(secret));
      for (const trace of traces.filter(({ length }) => length > 8)) {
        expect([trace, text.includes(trace)]).toEqual([trace, false]);
      }
    }
  });
});
