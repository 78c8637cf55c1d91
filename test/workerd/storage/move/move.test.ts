import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetCredentials } from '../../../../src/access/credential/trusted.ts';
import { execute } from '../../../../src/core/writer/client.ts';
import { newWorld, type World } from '../../../contract/world.ts';
import { bindings, forgetPlace, newTenantIn, rowsIn, setOpen } from '../../access/database/places.ts';
import { newTenant, operator, type Tenant } from '../../client.ts';
import { bodyOf, request } from '../../core/writer/requests.ts';
import { FAILURES, failingD1 } from '../../failing.ts';
import { carryOn, dump, ended, move, moverOf, moving, plan, relocationOf } from './moves.ts';

const { DB, DB_1 } = bindings;

beforeEach(async () => {
  await setOpen('DB_1', true);
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
});

const codeOf = async (answer: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await answer;
  return [status, body.code];
};

describe('an organization that is moved', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });

  it('a moved organization has every row at the target and none at the source, and can move back', async () => {
    const { tenant, names } = world;
    const keyed = { 'Idempotency-Key': 'before-the-move' };
    await tenant.call('POST', '/marker-code/allocate?quantity=1&imageDelivery=URL', undefined, keyed);
    const before = await dump(DB, tenant.uuid);
    expect(Object.keys(before).length).toBeGreaterThan(25);
    expect(await move(tenant, 'DB_1')).toMatchObject({
      operationType: 'ORGANIZATION_MOVE',
      status: 'SUCCEEDED',
      succeededCount: 1,
      results: [{ identifier: tenant.uuid, status: 'SUCCEEDED', error: null }],
    });
    expect(await dump(DB, tenant.uuid)).toEqual({});
    const { command_log: log, idempotency, list_total: __, ...moved } = await dump(DB_1, tenant.uuid);
    const { command_log: logBefore, idempotency: kept, list_total: _, ...rest } = before;
    expect(moved).toEqual(rest);
    // The log contains the move, after all earlier records.
    expect(log!.length).toBe(logBefore!.length + 1);
    expect(logBefore!.every((row) => log!.includes(row))).toBe(true);
    expect(kept!.every((row) => idempotency!.includes(row))).toBe(true);
    const { body } = await tenant.call('GET', '/audit-log?action=ORGANIZATION_MOVED');
    expect(body.content[0].changes).toEqual([{ field: 'databaseName', oldValue: 'DB', newValue: 'DB_1' }]);
    // Tokens keep working, also at an instance that does not know the organization.
    forgetPlace(tenant.uuid);
    forgetCredentials();
    expect((await tenant.call('GET', `/track/${encodeURIComponent(names.wmsId)}`)).status).toBe(200);
    expect((await move(tenant, 'DB')).status).toBe('SUCCEEDED');
    const {
      command_log: ___,
      idempotency: ____,
      list_total: _____,
      ...returned
    } = await dump(DB, tenant.uuid);
    expect(returned).toEqual(rest);
    expect(await dump(DB_1, tenant.uuid)).toEqual({});
    expect((await tenant.call('GET', `/track/${encodeURIComponent(names.wmsId)}`)).status).toBe(200);
  });

  it('a call that is repeated after a move, because its answer was lost, has one effect', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const asked = request('allocateMarkers', { quantity: 1 });
    const first = await execute(bindings as never, tenant.uuid, asked);
    expect((await move(tenant, 'DB_1')).status).toBe('SUCCEEDED');
    expect(bodyOf(await execute(bindings as never, tenant.uuid, asked))).toEqual(bodyOf(first));
    const other = await execute(bindings as never, tenant.uuid, request('allocateMarkers', { quantity: 1 }));
    expect(bodyOf(other)).toEqual({ firstMarkerCode: 2, lastMarkerCode: 2 });
  });

  it('a moved organization keeps the counts of its lists and their order', async () => {
    const tenant = await newTenant();
    const wmsIds = Array.from({ length: 30 }, (_, index) => `P${index}`);
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: wmsIds.slice(0, 20) });
    for (const fieldKey of ['z', 'a', 'm']) {
      await tenant.call('PUT', '/manifest/M/custom-field', { fieldKey, fieldValue: fieldKey });
    }
    for (const wmsId of wmsIds) await tenant.call('POST', '/track/get-and-couple', { wmsId });
    const shown = async () => ({
      manifest: (await tenant.call('GET', '/manifest/M')).body,
      total: (await tenant.call('GET', '/track')).body.totalElements,
    });
    const before = await shown();
    await move(tenant, 'DB_1');
    expect(await shown()).toEqual(before);
    expect(before.total).toBe(30);
  });

  it('a row that changes while its organization moves is counted once', async () => {
    const { tenant, uuid, mover } = await moving('DB', 'COPYING');
    const made = await tenant.call('POST', '/client', { displayName: 'Before', externalId: 'C' });
    while ((await relocationOf(uuid))!.phase !== 'CATCHING_UP') await mover.step();
    await tenant.call('PUT', `/client/${made.body.uuid}`, { displayName: 'After', externalId: 'C' });
    while (!(await mover.step()));
    const { body } = await tenant.call('GET', '/client');
    expect([body.totalElements, body.content[0].displayName]).toEqual([1, 'After']);
    expect(await rowsIn(DB_1, uuid)).toMatchObject({ client: 1 });
  });

  it('a message of a webhook that changes while its organization moves is counted once', async () => {
    const { tenant, uuid, mover, from, to } = await moving('DB', 'CATCHING_UP');
    const url = 'https://hooks.example.com/';
    const { body: webhook } = await tenant.call('POST', '/webhook', { name: 'W', url, active: false });
    const ofWebhook = (statement: string) => from.prepare(statement).bind(webhook.uuid);
    await from.batch([
      ofWebhook('UPDATE webhook SET messages_count = 1 WHERE uuid = ?'),
      ofWebhook(
        `INSERT INTO webhook_message SELECT organization_uuid, uuid, 1, uuid, '[{}]', 1 FROM webhook WHERE uuid = ?`,
      ),
    ]);
    await mover.step();
    await ofWebhook('UPDATE webhook_message SET update_date = 2 WHERE webhook_uuid = ?').run();
    while (!(await mover.step()));
    const { results } = await to
      .prepare(
        'SELECT w.messages_count, m.update_date FROM webhook w JOIN webhook_message m USING (organization_uuid) WHERE organization_uuid = ?',
      )
      .bind(uuid)
      .all();
    expect(results).toEqual([{ messages_count: 1, update_date: 2 }]);
  });

  it('a moving organization keeps working: nothing acknowledged is lost, repeated or announced again', async () => {
    const tenant = await newTenant();
    const acknowledged = new Map<string, number>();
    let stop = false;
    const worker = async (name: string) => {
      for (let index = 0; !stop; index += 1) {
        const wmsId = `${name}-${index}`;
        const key = { 'Idempotency-Key': wmsId };
        const sent = () => tenant.call('POST', '/track/get-and-couple', { wmsId }, key);
        const { status, body } = await sent();
        expect([200, 503]).toContain(status);
        if (status === 200) {
          acknowledged.set(wmsId, body.markerCode);
          const read = await tenant.call('GET', `/track/${wmsId}`);
          expect([read.status, read.body.markerCode]).toEqual([200, body.markerCode]);
        }
        // Pause, because timers and alarms do not run while the process is always busy.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const workers = ['A', 'B', 'C'].map(worker);
    try {
      for (const name of ['DB_1', 'DB', 'DB_1', 'DB']) {
        const so = acknowledged.size;
        while (acknowledged.size < so + 10) await new Promise((resolve) => setTimeout(resolve, 5));
        expect((await move(tenant, name)).status).toBe('SUCCEEDED');
      }
    } finally {
      stop = true;
      await Promise.all(workers);
    }
    expect(acknowledged.size).toBeGreaterThan(40);
    expect(new Set(acknowledged.values()).size).toBe(acknowledged.size);
    const { body } = await tenant.call('GET', '/track?pageSize=1');
    expect(body.totalElements).toBeGreaterThanOrEqual(acknowledged.size);
    // Answers for repeated calls are deleted after a day.
    const { recent_answer: _, ...left } = await rowsIn(DB_1, tenant.uuid);
    expect(left).toEqual({});
    const { content } = (await tenant.call('GET', '/audit-log?pageSize=100&sort.sortBy=sequenceNumber')).body;
    content.forEach(
      (record: { sequenceNumber: number; previousHash: string; hash: string }, index: number) => {
        expect(record.sequenceNumber).toBe(index + 1);
        if (index > 0) expect(record.previousHash).toBe(content[index - 1].hash);
      },
    );
  });
});

describe('a move', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });

  it('an impossible move is refused', async () => {
    const tenant = await newTenant();
    const path = `/organization/${tenant.uuid}/move`;
    for (const databaseName of ['DB_9', 'DB_1 with a long name']) {
      expect(await codeOf(operator('POST', path, { databaseName }))).toEqual([400, 'databaseNotFound']);
    }
    await setOpen('DB_1', false);
    expect(await codeOf(operator('POST', path, { databaseName: 'DB_1' }))).toEqual([409, 'databaseClosed']);
    await setOpen('DB_1', true);
    const nobody = `/organization/${crypto.randomUUID()}/move`;
    expect(await codeOf(operator('POST', nobody, { databaseName: 'DB_1' }))).toEqual([
      404,
      'organizationNotFound',
    ]);
    await plan(tenant.uuid, 'DB', 'DB_1');
    expect(await codeOf(operator('POST', path, { databaseName: 'DB_1' }))).toEqual([409, 'moveUnderWay']);
    await carryOn(bindings, (await relocationOf(tenant.uuid))!);
  });

  it('a move to the current database succeeds at once', async () => {
    const tenant = await newTenantIn('DB_1');
    expect((await move(tenant, 'DB_1')).status).toBe('SUCCEEDED');
    await setOpen('DB_1', false);
    expect((await move(tenant, 'DB_1')).status).toBe('SUCCEEDED');
  });

  it('a move ends the same, whichever database call it died at', async () => {
    const { tenant } = world;
    const before = await dump(DB, tenant.uuid);
    let [from, to] = ['DB', 'DB_1'];
    let calls = 0;
    const died = { before: 0, after: 0 };
    for (let at = 1; ; at += 23) {
      // Give other work in the process time to run.
      await new Promise((next) => setTimeout(next, 5));
      const late = at % 2 === 0;
      await plan(tenant.uuid, from, to);
      const fault = failingD1({ message: FAILURES.lost, from: at, late });
      const other = failingD1({ message: FAILURES.lost, from: at, late }, DB_1);
      await carryOn({ DB: fault.db, DB_1: other.db }, (await relocationOf(tenant.uuid))!).catch(() => {
        died[late ? 'after' : 'before'] += 1;
      });
      const open = await relocationOf(tenant.uuid);
      if (open) await carryOn(bindings, open);
      const [there, left] = to === 'DB_1' ? [DB_1, DB] : [DB, DB_1];
      expect(await dump(left, tenant.uuid)).toEqual({});
      expect(await dump(there, tenant.uuid)).toEqual(before);
      [from, to] = [to, from];
      calls = Math.max(fault.calls.count, other.calls.count);
      if (at > calls) break;
    }
    expect(died.before).toBeGreaterThan(3);
    expect(died.after).toBeGreaterThan(3);
    if (from === 'DB_1') {
      await plan(tenant.uuid, 'DB_1', 'DB');
      await carryOn(bindings, (await relocationOf(tenant.uuid))!);
    }
    forgetPlace(tenant.uuid);
    expect((await tenant.call('GET', '/track')).status).toBe(200);
  }, 200_000);

  it('a move that two runners continue, one of them replaced, ends the same', async () => {
    const { tenant } = world;
    const before = await dump(DB, tenant.uuid);
    const planned = await plan(tenant.uuid, 'DB', 'DB_1');
    const both = await Promise.allSettled([carryOn(bindings, planned), carryOn(bindings, planned)]);
    expect(both.map(({ status }) => status).sort()).toContain('rejected');
    const open = await relocationOf(tenant.uuid);
    if (open) await carryOn(bindings, open);
    expect(await dump(DB, tenant.uuid)).toEqual({});
    expect(await dump(DB_1, tenant.uuid)).toEqual(before);
  });

  it('a replaced move runner writes nothing, although it has read before', async () => {
    const tenant = await newTenant();
    await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' });
    const planned = await plan(tenant.uuid, 'DB', 'DB_1');
    // Holds the batches of the first mover once it has copied all rows.
    let held: Promise<void> | undefined;
    const session = DB_1.withSession('first-primary');
    const slow = {
      prepare: (text: string) => DB_1.prepare(text),
      withSession: () => session,
      batch: async (statements: D1PreparedStatement[]) => {
        await held;
        return DB_1.batch(statements);
      },
    };
    const first = moverOf({ DB, DB_1: slow }, planned);
    while ((await relocationOf(tenant.uuid))!.phase !== 'CATCHING_UP') await first.step();
    expect((await tenant.call('PATCH', '/track/P/flag', { reason: 'Torn' })).status).toBe(200);
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const late = first.step();
    await new Promise((next) => setTimeout(next, 100));
    const second = moverOf(bindings, (await relocationOf(tenant.uuid))!);
    expect((await tenant.call('PATCH', '/track/P/unflag')).status).toBe(200);
    await second.step();
    resolve();
    await expect(late).rejects.toThrow('taken over');
    while (!(await second.step()));
    const { results } = await DB_1.prepare('SELECT flagged FROM track WHERE organization_uuid = ?')
      .bind(tenant.uuid)
      .all();
    expect(results).toEqual([{ flagged: 0 }]);
  });

  it('a move that finds other rows than it copied leaves the organization where it is', async () => {
    const tenant = await newTenant();
    await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' });
    // This trigger deletes a row unnoticed, as if the move had forgotten it.
    await DB_1.exec(
      "CREATE TRIGGER loses AFTER INSERT ON track WHEN NEW.wms_id = 'P' BEGIN DELETE FROM track WHERE uuid = NEW.uuid; END",
    );
    const { body } = await operator('POST', `/organization/${tenant.uuid}/move`, { databaseName: 'DB_1' });
    const operation = await ended(body.operationId);
    await DB_1.exec('DROP TRIGGER loses');
    expect(operation).toMatchObject({ status: 'FAILED', results: [{ error: { code: 'moveFailed' } }] });
    expect(await rowsIn(DB_1, tenant.uuid)).toEqual({});
    expect((await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P2' })).status).toBe(200);
    expect((await move(tenant, 'DB_1')).status).toBe('SUCCEEDED');
  });
});

it('a move leaves no trigger behind', async () => {
  const tenant: Tenant = await newTenant();
  await move(tenant, 'DB_1');
  for (const db of [DB, DB_1]) {
    const { results } = await db
      .prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'move\\_%' ESCAPE '\\'")
      .all();
    expect(results).toEqual([]);
    expect((await db.prepare('SELECT * FROM moved_row').all()).results).toEqual([]);
  }
});
