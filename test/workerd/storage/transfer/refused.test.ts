import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { NO_ORGANIZATION, newUuid } from '../../../../src/core/lib/id.ts';
import { keyFingerprint, seal } from '../../../../src/core/lib/seal.ts';
import { bindings, setOpen } from '../../access/database/places.ts';
import { newTenant, operator, type Tenant } from '../../client.ts';
import { dump } from '../move/moves.ts';
import { exportOf, importOf, linesOf, sealed, sendImport, wipe } from './exports.ts';

const { DB, DB_1, CALIBRATION } = bindings;

beforeEach(() => {
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
});

/** The number of rows by table, and the keys of objects. */
async function everything() {
  const found: Record<string, number> = {};
  for (const [name, db] of Object.entries({ DB, DB_1 })) {
    const { results } = await db
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT IN ('log', 'log_entity', 'log_name', 'command_log') AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
      )
      .all<{ name: string }>();
    for (const table of results) {
      const row = await db
        .prepare(`SELECT count(*) AS count FROM "${table.name}"`)
        .first<{ count: number }>();
      found[`${name} ${table.name}`] = row!.count;
    }
  }
  const { objects } = await CALIBRATION.list();
  return { found, objects: objects.map(({ key }) => key) };
}

describe('an import that is refused changes nothing', () => {
  let tenant: Tenant;
  let text: string;
  let lines: ReturnType<typeof linesOf>;
  beforeAll(async () => {
    tenant = await newTenant();
    for (let index = 0; index < 5; index += 1)
      await tenant.call('POST', '/track/get-and-couple', { wmsId: `P${index}` });
    text = await exportOf(tenant.uuid);
    lines = linesOf(text).slice(0, -1);
    await wipe(tenant.uuid);
  });

  const with_ = (index: number, change: object) =>
    lines.map((line, at) => (at === index ? { ...line, ...change } : line));
  const cases: [string, number, string, () => string][] = [
    ['cut behind a line', 400, 'exportInvalid', () => `${text.split('\n').slice(0, -5).join('\n')}\n`],
    ['cut within a line', 400, 'exportInvalid', () => text.slice(0, -40)],
    ['empty', 400, 'exportInvalid', () => ''],
    ['without a line in between', 400, 'exportInvalid', () => text.split('\n').toSpliced(7, 1).join('\n')],
    [
      'with two lines exchanged',
      400,
      'exportInvalid',
      () => {
        const all = text.split('\n');
        return all.toSpliced(6, 2, all[7]!, all[6]!).join('\n');
      },
    ],
    ['with one letter changed', 400, 'exportInvalid', () => text.replace('P3', 'P8')],
    ['with more behind its end', 400, 'exportInvalid', () => `${text}{}\n`],
    ['twice', 400, 'exportInvalid', () => text + text],
    ['of no format', 400, 'exportInvalid', () => sealed(with_(0, { format: 'other' }))],
    ['no JSON', 400, 'exportInvalid', () => 'a\n'],
    ['of a later version', 400, 'exportVersionUnsupported', () => sealed(with_(0, { version: 2 }))],
    [
      'with a table that is not known',
      400,
      'exportVersionUnsupported',
      () => sealed(with_(5, { table: 'other' })),
    ],
    [
      'with a column that is not known',
      400,
      'exportVersionUnsupported',
      () => sealed(with_(5, { values: { ...lines[5].values, other: 1 } })),
    ],
    [
      'with a row of another',
      400,
      'exportInvalid',
      () => sealed(with_(5, { values: { ...lines[5].values, organization_uuid: crypto.randomUUID() } })),
    ],
    [
      'with an object of another',
      400,
      'exportInvalid',
      () =>
        sealed([...lines, { object: 'calibration/x', sizeBytes: 0, httpMetadata: {}, customMetadata: {} }]),
    ],
    [
      'with an object that is cut',
      400,
      'exportInvalid',
      () =>
        sealed([
          ...lines,
          { object: `organization/${tenant.uuid}/x`, sizeBytes: 9, httpMetadata: {}, customMetadata: {} },
        ]),
    ],
  ];
  it.each(cases)('a refused import changes nothing: %s: %i %s', async (_, status, code, body) => {
    const before = await everything();
    const answer = await sendImport(body());
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await everything()).toEqual(before);
  });

  it('an import of an existing uuid or slug is 409, also if it appeared during the import', async () => {
    expect((await importOf(text)).status).toBe('SUCCEEDED');
    const rows = await dump(DB, tenant.uuid);
    const again = await sendImport(text);
    expect([again.status, again.body.code]).toEqual([409, 'organizationExists']);
    // Without the log, because its hashes contain the uuid.
    const others = lines.filter(({ table }) => table !== 'command_log');
    others[0] = { ...others[0], sequenceNumber: 0 };
    const renamed = sealed(JSON.parse(JSON.stringify(others).replaceAll(tenant.uuid, newUuid())));
    const taken = await sendImport(renamed);
    expect([taken.status, taken.body.code]).toEqual([409, 'organizationExists']);
    expect(await dump(DB, tenant.uuid)).toEqual(rows);
    await wipe(tenant.uuid);
    const both = await Promise.all([sendImport(text), sendImport(text)]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
    const won = both.find(({ status }) => status === 202)!.body.operationId;
    await vi.waitFor(
      async () => expect((await operator('GET', `/operation/${won}`)).body.status).toBe('SUCCEEDED'),
      { timeout: 20_000 },
    );
    expect(await dump(DB, tenant.uuid)).toEqual(rows);
    await wipe(tenant.uuid);
  });

  it('an import of another media type is 415, into an unknown database 400, into a closed one 409', async () => {
    const before = await everything();
    const typed = await sendImport(text, '', { 'Content-Type': 'application/json' });
    expect([typed.status, typed.body.code]).toEqual([415, 'unsupportedMediaType']);
    for (const unknown of ['DB_9', 'DB_1-with-a-long-name']) {
      const nowhere = await sendImport(text, `?databaseName=${unknown}`);
      expect([nowhere.status, nowhere.body.code]).toEqual([400, 'databaseNotFound']);
    }
    await setOpen('DB_1', false);
    const closed = await sendImport(text, '?databaseName=DB_1');
    expect([closed.status, closed.body.code]).toEqual([409, 'databaseClosed']);
    expect((await everything()).objects).toEqual(before.objects);
  });

  it('a failed import is cleaned up and says so', async () => {
    const stranger = await newTenant();
    await stranger.call('POST', '/track/get-and-couple', { wmsId: 'theirs' });
    const theirs = await dump(DB, stranger.uuid);
    const { uuid } = JSON.parse(theirs['track']![0]!);
    const before = await everything();
    // A row that belongs to another organization. It stays there.
    const own = lines.findIndex(({ table }) => table === 'track');
    const forged = sealed(with_(own, { values: { ...lines[own].values, uuid } }));
    expect(await importOf(forged)).toMatchObject({
      status: 'FAILED',
      results: [{ status: 'FAILED', error: { code: 'importFailed' } }],
    });
    expect(await dump(DB, stranger.uuid)).toEqual(theirs);
    const after = await everything();
    expect(after.objects).toEqual(before.objects);
    const changed = Object.keys(after.found).filter((name) => after.found[name] !== before.found[name]);
    // The operator's action and its result.
    expect(changed.filter((name) => name !== 'DB recent_answer').sort()).toEqual([
      'DB audit_log',
      'DB long_job',
    ]);
    expect((await operator('GET', `/organization/${tenant.uuid}`)).status).toBe(404);
    // The correct export can still be imported.
    expect((await importOf(text)).status).toBe('SUCCEEDED');
    await wipe(tenant.uuid);
  });

  it('an import is invisible until it is complete', async () => {
    // Accepted, but not carried out.
    const database = new Database(NO_ORGANIZATION, databasesOf(bindings));
    const values: [string, unknown][] = Object.entries(lines[1].values);
    await DB.prepare(
      `INSERT INTO organization (${values.map(([name]) => name).join(', ')}, residence) VALUES (${values.map(() => '?').join(', ')}, 'ARRIVING')`,
    )
      .bind(...values.map(([, value]) => value))
      .run();
    expect(database.organization).toBe(NO_ORGANIZATION);
    expect((await operator('GET', `/organization/${tenant.uuid}`)).status).toBe(404);
    expect((await operator('PUT', `/organization/${tenant.uuid}`, { name: 'x' })).status).toBe(404);
    expect((await tenant.call('GET', '/track')).status).toBe(401);
    const { body } = await operator('GET', '/organization?pageSize=100');
    expect(JSON.stringify(body)).not.toContain(tenant.uuid);
    expect(body.totalElements).toBe(body.content.length);
    const taken = await operator('POST', '/organization', { name: 'x', slug: tenant.slug });
    expect([taken.status, taken.body.code]).toEqual([409, 'slugInUse']);
    await wipe(tenant.uuid);
  });
});

describe('webhooks of a deployment with another key', () => {
  const FORMER = 'the key of the other deployment, as it was there';
  let tenant: Tenant;
  let text: string;
  beforeAll(async () => {
    tenant = await newTenant();
    const { body } = await tenant.call('POST', '/webhook', {
      name: 'Hook',
      url: 'https://hooks.example.com/x',
      customHeaders: [{ name: 'X-Secret', value: 'of the receiver' }],
    });
    const lines = linesOf(await exportOf(tenant.uuid)).slice(0, -1);
    const row = lines.find(({ table }) => table === 'webhook').values;
    row.secrets = JSON.stringify([
      { sealed: await seal([FORMER], `webhook ${body.uuid} secret`, body.secret), validUntilDate: null },
    ]);
    row.custom_headers = JSON.stringify([
      {
        name: 'X-Secret',
        value: await seal([FORMER], `webhook ${body.uuid} header x-secret`, 'of the receiver'),
      },
    ]);
    lines[0].sealingKey = keyFingerprint(FORMER);
    text = sealed(lines);
  });

  const imported = async (headers: Record<string, string>) => {
    await wipe(tenant.uuid);
    expect((await importOf(text, '', headers)).status).toBe('SUCCEEDED');
    return (await tenant.call('GET', '/webhook')).body.content[0];
  };

  it('imported webhooks continue with the former key', async () => {
    const shown = await imported({ 'X-SEALING-KEY': FORMER });
    expect(shown).toMatchObject({ active: true, customHeaders: [{ name: 'X-Secret' }] });
    const { status } = await tenant.call('POST', `/webhook/${shown.uuid}/rotate-secret`, {
      overlapSeconds: 60,
    });
    expect(status).toBe(200);
  });

  it('imported webhooks without the former key are paused with a new secret', async () => {
    const shown = await imported({});
    expect(shown).toMatchObject({ active: false, customHeaders: [] });
    const { body } = await operator(
      'GET',
      '/audit-log?action=ORGANIZATION_IMPORT_ACCEPTED&sort.sortBy=sequenceNumber&sort.direction=DESC',
    );
    expect(body.content[0].changes).toContainEqual({
      field: 'pausedWebhooksCount',
      oldValue: null,
      newValue: 1,
    });
    expect(
      (await tenant.call('POST', `/webhook/${shown.uuid}/rotate-secret`, { overlapSeconds: 60 })).status,
    ).toBe(200);
    expect((await tenant.call('PUT', `/webhook/${shown.uuid}`, { active: true })).status).toBe(200);
  });

  it('an import with a wrong former key is refused', async () => {
    await wipe(tenant.uuid);
    const { status, body } = await sendImport(text, '', { 'X-SEALING-KEY': 'some other key' });
    expect([status, body.errors[0].field, body.errors[0].rejectedValue]).toEqual([
      400,
      'X-SEALING-KEY',
      null,
    ]);
  });
});
