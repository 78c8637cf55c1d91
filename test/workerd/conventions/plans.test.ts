import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { findCredential } from '../../../src/access/credential/store.ts';
import type { Env } from '../../../src/core/env.ts';
import type { Databases } from '../../../src/core/lib/databases.ts';
import { execute, ofService } from '../../../src/core/writer/client.ts';
import { findDriverLoad } from '../../../src/web/pages/driver-store.ts';
import { findPhoto } from '../../../src/web/pages/photo-routes.ts';
import { findPublished } from '../../../src/web/pages/published-store.ts';
import { type Operation, operations } from '../../contract/document.ts';
import { send } from '../../contract/request.ts';
import { restoredWorld } from '../../contract/restored-world.ts';
import { newWorld, type World } from '../../contract/world.ts';
import { newTenant, operator } from '../client.ts';
import { type Device, newDevice, noteSilences } from '../dispatch/device/devices.ts';
import { loadingDock } from '../dispatch/load/shipment/dock.ts';
import { longGone, resolveAlerts, retain } from '../retention/archives.ts';
import { lookedUp, recorded } from '../statements.ts';
import { walksOf } from './walks.ts';

/** Walks by statement text. A statement always has the same plan. */
const plans = new Map<string, string[]>();

/** Run something and find the walks of its statements. */
async function walks(run: () => Promise<unknown>): Promise<string[]> {
  const statements = (await recorded(run)).flatMap((trip) => trip.statements);
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) {
    if (!plans.has(statement.text)) plans.set(statement.text, await walksOf(statement));
  }
  return [...new Set(statements.map(({ text }) => text))].flatMap((text) =>
    plans.get(text)!.map((step) => `${step} in ${text.replace(/\s+/g, ' ').slice(0, 300)}`),
  );
}

/** Look-ups that search all organizations. `recorded` does not see them. */
const LOOK_UPS: Record<string, (databases: Databases) => Promise<unknown>> = {
  'a caller': (databases) => findCredential(databases, 'secret'),
  'the load of a public link': (databases) => findPublished(databases, TOKEN),
  'the shipment of a driver': (databases) => findDriverLoad(databases, TOKEN),
  'the photo of a link': (databases) => findPhoto(databases, TOKEN),
};
const TOKEN = 'token';

/** Operations that do not use D1, or only for one of `LOOK_UPS`. */
const WITHOUT_STORE = ['getHealth', 'getMarkerImage', 'getDriverPage', 'getPhotoBytes'];

describe('no walk over an organization', () => {
  it.each(operations.filter(({ operationId }) => !WITHOUT_STORE.includes(operationId)))(
    '$operationId walks over no organization, by external identifiers or uuids',
    async (operation) => {
      const { tenant, names, uuids } = await restoredWorld();
      expect(await walks(() => send(operation, { tenant, names: uuids }))).toEqual([]);
      expect(await walks(() => send(operation, { tenant, names }))).toEqual([]);
    },
  );

  it.each(WITHOUT_STORE)('%s sends no statement, except for a look-up', async (operationId) => {
    const operation = operations.find((declared) => declared.operationId === operationId)!;
    const { tenant, names } = await restoredWorld();
    expect(await recorded(() => send(operation, { tenant, names }))).toEqual([]);
  });

  it('no filter or order of a list walks over the organization', async () => {
    const world = await newWorld();
    const lists = operations.filter(({ parameters }) =>
      parameters.some(({ name }) => /^(cursor|nextPageToken)$/.test(name)),
    );
    expect(lists.length).toBeGreaterThan(10);
    for (const list of lists) {
      for (const { name, schema } of list.parameters.filter((parameter) => parameter.in === 'query')) {
        for (const value of valuesOf(name, schema, world)) {
          const sent = async () => {
            const answer = await send(list, world, { query: { [name]: value } });
            expect([list.operationId, name, value, answer.status]).toEqual([
              list.operationId,
              name,
              value,
              200,
            ]);
          };
          expect([list.operationId, name, await walks(sent)]).toEqual([list.operationId, name, []]);
        }
      }
      if (!list.parameters.some(({ name }) => name === 'pageNumber')) continue;
      expect([list.operationId, await walks(() => secondPage(list, world))]).toEqual([list.operationId, []]);
    }
  }, 240_000);

  it('no special request walks over the organization', async () => {
    const dock = await loadingDock();
    await dock.manifest('O', 'O1', 'O2');
    await dock.manifest('P', 'A');
    await dock.manifest('Q', 'A');
    const attached = { manifests: [{ manifestExternalId: 'P' }, { manifestExternalId: 'Q' }] };
    const paths: [string, string, unknown?, Record<string, string>?][] = [
      ['POST', '/track/get-and-couple', { wmsId: 'A' }],
      ['POST', '/track/couple', { wmsId: 'A', markerCode: 1 }, { 'Idempotency-Key': 'refused' }],
      ['POST', '/track/couple', { wmsId: 'A', markerCode: 1 }, { 'Idempotency-Key': 'refused' }],
      ['POST', '/track/get-and-couple', { wmsId: 'O1', customFields: [{ fieldKey: 'k', fieldValue: 'v' }] }],
      ['PUT', '/manifest/O', { assets: ['O2', 'O3'] }, { 'If-Match': '"stale"' }],
      ['PUT', '/manifest/O', { assets: ['O2', 'O3'] }, { 'If-Match': '*' }],
      ['PATCH', '/track/A/retire'],
      ['POST', '/shipment/S/manifest', attached],
      ['POST', '/shipment/S/manifest', attached],
      ['POST', '/manifest/P/status/CANCELLED'],
      ['POST', '/manifest/N/track-record/X'],
      ['DELETE', '/shipment/S/manifest', attached],
      ['DELETE', '/shipment/S/manifest', attached],
      ['PUT', '/shipment/S', { notes: 'n', manifests: [{ manifestExternalId: 'M' }] }, { 'If-Match': '*' }],
      ['PUT', '/shipment/S', { gateIdentifier: 'H' }],
      ['POST', '/shipment/S/gate/G'],
      ['POST', '/shipment/S/status/COMPLETED'],
      ['PATCH', '/shipment/S/asset-loading/track/B/status', { status: 'NOT_LOADED', gateExternalId: 'G' }],
      ['PATCH', '/track/C/revert-retirement'],
      ['POST', '/manifest/N/status/TO_DO'],
      ['DELETE', '/manifest/O'],
    ];
    for (const [method, path, json, headers] of paths) {
      const sent = () => dock.call(method, path, json, headers);
      expect([method, path, await walks(sent)]).toEqual([method, path, []]);
    }
  });

  it('archiving walks over no organization', async () => {
    const dock = await longGone();
    await resolveAlerts(dock);
    expect(await walks(() => retain(dock))).toEqual([]);
    expect((await dock.must('GET', '/archive')).body.totalElements).toBe(4);
  });

  it('no kind of scan walks over the organization', async () => {
    const dock = await loadingDock();
    const { A, B, X } = dock.codes as Record<string, number>;
    const outcomes = new Set<string>();
    const scan = async (gate: string, markerCode: number, direction: string) => {
      const scans = [{ scanId: crypto.randomUUID(), markerCode, direction, damaged: true }];
      const { body } = await dock.device('POST', `/gate/${gate}/scans`, { scans });
      outcomes.add(body.results[0].outcome);
    };
    const expectNone = async (...read: Parameters<typeof scan>) =>
      expect([...read, await walks(() => scan(...read))]).toEqual([...read, []]);
    for (const code of [A!, X!, 99]) await expectNone('G', code, 'LOAD');
    await expectNone('G', B!, 'LOAD');
    await expectNone('G', B!, 'UNLOAD');
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    await expectNone('H', A!, 'OFFLOAD');
    for (const code of [A!, 99]) await expectNone('H', code, 'LOAD');
    expect([...outcomes].sort()).toEqual(
      ['LOADED', 'UNLOADED', 'OFFLOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING', 'NO_ACTIVE_MANIFEST'].sort(),
    );
  });

  it('no device that falls silent, returns or is deleted causes a walk over the organization', async () => {
    for (const deviceType of ['SCANNER', 'AGENT'] as const) {
      const tenant = await newTenant();
      const beat = (device: Device) => tenant.device('POST', '/heartbeat', { ...device, status: 'ONLINE' });
      const device = await newDevice(tenant, deviceType);
      await beat(device);
      expect(await walks(() => noteSilences(600_000))).toEqual([]);
      expect((await tenant.call('GET', '/alert-event?status=OPEN')).body.totalElements).toBe(1);
      const path = `/organization/${tenant.uuid}/agent/${device.uuid}`;
      const end = () => (deviceType === 'AGENT' ? operator('DELETE', path) : beat(device));
      expect(await walks(end)).toEqual([]);
      expect((await tenant.call('GET', '/alert-event?status=OPEN')).body.totalElements).toBe(0);
    }
  });

  it('a check of the departures walks over no organization, only over its open shipments', async () => {
    const etd = { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' };
    const { uuid } = await newTenant({ shipmentCustomFields: [etd] });
    const command = ofService('checkDepartures', {});
    expect(await walks(() => execute(env as unknown as Env, uuid, command))).toEqual([]);
  });

  it('alerts about attempts at tablets walk over no organization', async () => {
    const { uuid } = await newTenant();
    for (const [name, input] of Object.entries({
      noteSignInLimit: { tabletUuid: crypto.randomUUID() },
      endSignInLimit: {},
    })) {
      const command = ofService(name, input);
      expect([name, await walks(() => execute(env as unknown as Env, uuid, command))]).toEqual([name, []]);
    }
  });

  it.each(Object.entries(LOOK_UPS))('the look-up of %s walks over no organization', async (_, find) => {
    const statements = await lookedUp(find);
    expect(statements).toHaveLength(2);
    for (const statement of statements) expect(await walksOf(statement)).toEqual([]);
  });
});

describe('a walk', () => {
  const cases: Record<string, string> = {
    'of all rows of a table': 'SELECT name FROM gate WHERE name = ?',
    'of an organization': 'SELECT * FROM manifest WHERE organization_uuid = ? AND deleted_date IS NULL',
    'of all rows in one status':
      "SELECT * FROM shipment WHERE organization_uuid = ? AND status = 'TO_DO' AND deleted_date IS NULL",
    'for rows that are named': `UPDATE asset_loading SET gate_uuid = NULL
      WHERE organization_uuid = ? AND uuid IN (SELECT value FROM json_each('[]'))`,
    'for the rows of a page': `SELECT alert.params AS view, alert.create_date AS position, "alert"."uuid" AS key
      FROM alert WHERE uuid IN (SELECT uuid FROM alert WHERE organization_uuid = ?1 LIMIT 2)
        AND organization_uuid = ?1 ORDER BY create_date`,
    'beside the one of a list': `SELECT count(*) AS total FROM gate WHERE organization_uuid = ?1
      AND EXISTS (SELECT 1 FROM client WHERE client.organization_uuid = ?1 AND deleted_date IS NULL)`,
  };

  it.each(Object.entries(cases))('the plan check sees the walk %s', async (_, text) => {
    expect(await walksOf({ text, params: ['x'] })).not.toEqual([]);
  });
});

/** Values of a query parameter that lead to different statements. */
function valuesOf(
  name: string,
  schema: Operation['parameters'][number]['schema'],
  { names }: World,
): string[] {
  if (['cursor', 'nextPageToken', 'pageNumber', 'pageSize', 'sort.direction'].includes(name)) return [];
  const values = schema.enum ?? schema.items?.enum;
  if (values) return name === 'sort.sortBy' ? (values as string[]) : [String(values[0])];
  if (/(Date(After|Before)|Time)$/.test(name)) return ['1'];
  if (schema.type === 'boolean') return ['true'];
  if (schema.type === 'integer') return ['1'];
  if (name === 'customField') return ['key:value'];
  if (schema.items?.format === 'uri') return ['https://id.gs1.org/00/340123450000000017'];
  if (/Uuid$/.test(name)) return [names.organization];
  return ['x'];
}

async function secondPage(list: Operation, world: World): Promise<void> {
  const first = await send(list, world, { query: { pageSize: '1' } });
  const next = /<([^>]+)>/.exec(first.headers.get('Link') ?? '')?.[1];
  if (next) await send(list, world, { at: next.slice(new URL(next).origin.length) });
  await send(list, world, { query: { pageSize: '1', pageNumber: '2' } });
}
