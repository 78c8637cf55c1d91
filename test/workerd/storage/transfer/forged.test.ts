import { exports as worker } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../../src/core/lib/hash.ts';
import { newUuid } from '../../../../src/core/lib/id.ts';
import { newWorld, type World } from '../../../contract/world.ts';
import { bindings } from '../../access/database/places.ts';
import { OPERATOR_API, OPERATOR_KEY, ORIGIN, operator } from '../../client.ts';
import { dump, ended } from '../move/moves.ts';
import { exportOf, importOf, linesOf, sealed, sendImport, wipe } from './exports.ts';

const { DB, DB_1, CALIBRATION } = bindings;
type Lines = ReturnType<typeof linesOf>;

let own: World;
let lines: Lines;
let victim: World;
let victimKey: string;

beforeAll(async () => {
  own = await newWorld();
  lines = linesOf(await exportOf(own.tenant.uuid)).slice(0, -1);
  await wipe(own.tenant.uuid);
  victim = await newWorld();
  victimKey = (await DB.prepare('SELECT object_key FROM calibration WHERE organization_uuid = ?')
    .bind(victim.tenant.uuid)
    .first<string>('object_key'))!;
}, 60_000);
beforeEach(() => {
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
});

/** A digest of each table in both databases, and of all objects. */
async function everything(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, db] of Object.entries({ DB, DB_1 })) {
    const { results } = await db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
      .all<{ name: string }>();
    for (const table of results.filter((row) => !row.name.startsWith('sqlite'))) {
      const { results: rows } = await db.prepare(`SELECT * FROM "${table.name}"`).all();
      found[`${name} ${table.name}`] = `${rows.length} ${sha256Hex(JSON.stringify(rows))}`;
    }
  }
  const { objects } = await CALIBRATION.list();
  return { ...found, bucket: JSON.stringify(objects.map(({ key, etag }) => [key, etag])) };
}

/** The export with one cell changed. */
const changed = (index: number, column: string, value: unknown): string =>
  sealed(
    lines.map((line, at) => (at === index ? { ...line, values: { ...line.values, [column]: value } } : line)),
  );

/** Values that no column accepts, and values that no column with this name accepts. */
function hostile(column: string): unknown[] {
  const any = ['a\u0000b', -1.5, Number.MAX_SAFE_INTEGER + 1, ''.padEnd(200_000, 'x')];
  if (/(^|_)uuid$/.test(column)) {
    const nil = '00000000-0000-0000-0000-000000000000';
    return [...any, nil, nil.replaceAll('0', 'f'), newUuid().toUpperCase(), crypto.randomUUID(), ''];
  }
  if (/_date$/.test(column)) return [...any, 8_640_000_000_000_001, -8_640_000_000_000_001, '2026-01-01'];
  if (/^(hash|sha256)$|_hash$/.test(column)) return [...any, 'zz', 'A'.repeat(64)];
  return any;
}

it('an export with one hostile cell is refused with its line and changes nothing', async () => {
  const cells = lines.flatMap((line, index) =>
    line.table
      ? Object.keys(line.values).flatMap((column) =>
          hostile(column).map((value) => ({ index, column, value })),
        )
      : [],
  );
  // At least one cell of each table and column, and some other random cells.
  const columns = Map.groupBy(cells, ({ index, column }) => `${lines[index].table}.${column}`);
  const before = await everything();
  const refused = async ({ index, column, value }: (typeof cells)[number]) => {
    const { status, body } = await sendImport(changed(index, column, value));
    const name = `${lines[index].table}.${column} ${String(value).slice(0, 40)}`;
    expect([name, status, body.code]).toEqual([name, 400, 'exportInvalid']);
    expect(body.detail).toContain(`Line ${index + 1}`);
  };
  const some = [...columns.values()].map((all) => fc.sample(fc.constantFrom(...all), 1)[0]!);
  for (const cell of some) await refused(cell);
  await fc.assert(fc.asyncProperty(fc.constantFrom(...cells), refused), { numRuns: 150 });
  expect(columns.size).toBeGreaterThan(250);
  expect(await everything()).toEqual(before);
}, 120_000);

it.each([
  ['gate', 'external_identifier', ''],
  ['manifest', 'external_identifier', '..'],
  ['asset_loading', 'wms_id', ''],
  ['track', 'wms_id', 'x'.repeat(256)],
  ['custom_field', 'field_key', ''],
  ['signature', 'signer_name', ''],
  ['user', 'email', ''],
  ['webhook', 'url', 'https://localhost/'],
  ['webhook', 'url', 'mailto:a@b.example'],
  ['webhook', 'link_origin', 'x'],
  ['webhook', 'link_origin', '../../x'],
  ['webhook', 'link_origin', 'https://a.example/x'],
  ['webhook', 'link_origin', 'http://a.example'],
])('an export whose %s.%s is %j is refused and changes nothing', async (table, column, value) => {
  const index = lines.findIndex((line) => line.table === table);
  const before = await everything();
  const { status, body } = await sendImport(changed(index, column, value));
  expect([status, body.code, body.errors[0].field]).toEqual([400, 'exportInvalid', `${table}.${column}`]);
  expect(body.detail).toContain(`Line ${index + 1}:`);
  expect(await everything()).toEqual(before);
});

it.each([
  ['name', ''],
  ['name', 'x'.repeat(256)],
  ['dispatch_strategy', 'NONE'],
  ['client_feature_enabled', 2],
  ['sandbox', 'yes'],
  ['marker_code_start', -5],
  ['marker_allocation_maximum', 10_001],
  ['requests_per_minute', 0],
  ['device_offline_after_seconds', 1],
  ['retention_days', 1],
  ['time_zone', 'Nowhere/None'],
  ['gate_worker_identification', 'FACE'],
  ['label_size', 'A7'],
  ['quiet_from', '24:00'],
  ['quiet_to', '06:00'],
  ['shipment_custom_fields', '[{"fieldKey":"a","fieldType":"COLOUR"}]'],
  ['shipment_custom_fields', '{'],
  ['create_date', 8_640_000_000_000_001],
  ['suspended_date', 'never'],
])('an organization whose %s is %j is not imported', async (column, value) => {
  const { status, body } = await sendImport(changed(1, column, value));
  expect([status, body.code, body.errors[0].field]).toEqual([400, 'exportInvalid', `organization.${column}`]);
  expect(body.detail).toContain('Line 2:');
});

it.each(['operator', 'app', 'www', '', 'UPPER', 'a.b', '../x', 'x'.repeat(200), 'a\nb'])(
  'an organization whose slug is %j is not imported',
  async (slug) => {
    const forged = structuredClone(lines);
    forged[0].organization.slug = slug;
    forged[1].values.slug = slug;
    const { status, body } = await sendImport(sealed(forged));
    expect([status, body.code, body.errors[0]?.field]).toEqual([400, 'exportInvalid', 'organization.slug']);
  },
);

it.each([
  ['nil', () => '00000000-0000-0000-0000-000000000000'],
  ['largest', () => 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['upper-case', () => own.tenant.uuid.toUpperCase()],
  ['random', () => crypto.randomUUID()],
])('an organization with a %s uuid is not imported', async (_, uuid) => {
  const forged = JSON.parse(JSON.stringify(lines).replaceAll(own.tenant.uuid, uuid()));
  const { status, body } = await sendImport(sealed(forged));
  expect([status, body.code]).toEqual([400, 'exportInvalid']);
});

it('an export whose log does not end with the number in its first line is refused', async () => {
  const { status, body } = await sendImport(
    sealed([{ ...lines[0], sequenceNumber: 999 }, ...lines.slice(1)]),
  );
  expect([status, body.code]).toEqual([400, 'exportInvalid']);
});

it('an export whose log lacks a record, or has two records exchanged, is refused', async () => {
  const at = lines.findIndex(({ table }) => table === 'command_log') + 1;
  for (const forged of [lines.toSpliced(at, 1), lines.toSpliced(at, 2, lines[at + 1], lines[at])]) {
    const { status, body } = await sendImport(sealed(forged));
    expect([status, body.code, body.detail]).toEqual([
      400,
      'exportInvalid',
      expect.stringContaining(`Line ${at + 1}: command_log.`),
    ]);
  }
});

describe('an export that names an object of another organization', () => {
  const objectOf = (object: string, text: string) => [
    { object, sizeBytes: text.length, httpMetadata: {}, customMetadata: {} },
    { object, data: Buffer.from(text).toString('base64') },
  ];
  const rowAt = () => lines.findIndex(({ table }) => table === 'calibration');
  /** The lines with a calibration row that names the victim's key, followed by these lines. */
  const naming = (...objects: object[]) => {
    const index = rowAt();
    const values = { ...lines[index].values, object_key: victimKey };
    const rest = lines.filter((line) => !('object' in line && line.object.startsWith('calibration/')));
    return rest.toSpliced(index, 1, { table: 'calibration', values }, ...objects);
  };
  const pathOf = ({ hardware_id, calibration_type }: Record<string, string>) =>
    `/camera/${hardware_id}/calibration/${calibration_type}`;
  const read = async (world: World) => {
    const row = await DB.prepare('SELECT * FROM calibration WHERE organization_uuid = ?')
      .bind(world.tenant.uuid)
      .first<Record<string, string>>();
    const object = await CALIBRATION.get(row!['object_key']!);
    return { key: row!['object_key']!, path: pathOf(row!), text: (await object?.text()) ?? null };
  };
  const erase = async ({ tenant: { uuid, slug } }: World) => {
    await operator('POST', `/organization/${uuid}/suspend`);
    const { body } = await operator('DELETE', `/organization/${uuid}?slug=${slug}`);
    expect((await ended(body.operationId)).status).toBe('SUCCEEDED');
  };

  it("a forged export gets its own object under a new key, and its erasure keeps the other organization's", async () => {
    const before = await read(victim);
    const text = sealed(naming(...objectOf(victimKey, '{"pwned":1}')));
    expect((await importOf(text)).status).toBe('SUCCEEDED');
    const imported = await read(own);
    expect(imported.text).toBe('{"pwned":1}');
    expect(imported.key).not.toBe(victimKey);
    expect(await read(victim)).toEqual(before);
    await erase(own);
    expect(await read(victim)).toEqual(before);
    expect(await CALIBRATION.head(imported.key)).toBeNull();
  });

  it('a forged export without bytes reads nothing of another organization', async () => {
    const before = await read(victim);
    expect((await importOf(sealed(naming()))).status).toBe('SUCCEEDED');
    expect((await read(own)).text).toBeNull();
    expect(await read(victim)).toEqual(before);
    await erase(own);
    expect(await read(victim)).toEqual(before);
  });

  it('a forged export abandons no object of another organization', async () => {
    const values = {
      organization_uuid: own.tenant.uuid,
      object_key: victimKey,
      create_date: 1_000,
      claimed_date: null,
    };
    const index = rowAt();
    const forged = lines.toSpliced(index, 0, { table: 'calibration_orphan', values });
    expect((await importOf(sealed(forged))).status).toBe('SUCCEEDED');
    const { calibration_orphan: orphans = [] } = await dump(DB, own.tenant.uuid);
    expect(orphans).toEqual([]);
    await erase(own);
    expect((await read(victim)).text).not.toBeNull();
  });

  it.each([
    ['an object of another archive', () => `organization/${victim.tenant.uuid}/archive/x/y`],
    ['a parent folder', () => `organization/${own.tenant.uuid}/../${victim.tenant.uuid}/x`],
    ['a proof', () => `proof/${victim.tenant.uuid}/x.pdf`],
    ['an import', () => 'import/x'],
    ['a calibration file', () => victimKey],
    ['nothing', () => ''],
    ['a key that is too long', () => `organization/${own.tenant.uuid}/${'x'.repeat(1_024)}`],
  ])('an export is refused if its archive names %s', async (_, key) => {
    const values = {
      organization_uuid: own.tenant.uuid,
      unit_uuid: newUuid(),
      kind: 'DOCUMENT',
      place: 0,
      object_key: key(),
      size_bytes: 1,
      sha256: '0'.repeat(64),
    };
    const { status, body } = await sendImport(sealed([...lines, { table: 'archive_object', values }]));
    expect([status, body.code, body.errors[0].field]).toEqual([
      400,
      'exportInvalid',
      'archive_object.object_key',
    ]);
  });
});

it('an export whose first line does not fit in a value of the database is refused', async () => {
  const listTotals = Array.from({ length: 20_000 }, () => ['x'.repeat(70), '', 1]);
  const { status, body } = await sendImport(sealed([{ ...lines[0], listTotals }, ...lines.slice(1)]));
  expect([status, body.code, body.detail]).toEqual([400, 'exportInvalid', 'The first line is too long.']);
});

it('a line with a million members is refused before it is parsed', async () => {
  const members = Array.from({ length: 1_100_000 }, (_, index) => `"k${index}":1`).join(',');
  const started = Date.now();
  const { status, body } = await sendImport(
    `${JSON.stringify(lines[0])}\n{"table":"gate","values":{${members}}}\n`,
  );
  expect([status, body.code]).toEqual([400, 'exportInvalid']);
  expect(Date.now() - started).toBeLessThan(1_500);
});

it('an import that is refused at its first line reads the rest, so that its sender gets the answer', async () => {
  const { default: service } = worker as unknown as { default: { fetch: typeof globalThis.fetch } };
  const sent = { bytes: 0, cancelled: false };
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(sent.bytes === 0 ? 'x\n' : `${'y'.repeat(999_999)}\n`));
      sent.bytes += 1_000_000;
      if (sent.bytes >= 30_000_000) controller.close();
    },
    cancel() {
      sent.cancelled = true;
    },
  });
  const answer = await service.fetch(
    new Request(`${ORIGIN}${OPERATOR_API}/organization/import`, {
      method: 'POST',
      headers: { 'X-OPERATOR-KEY': OPERATOR_KEY, 'Content-Type': 'application/x-ndjson' },
      body,
    }),
  );
  expect([answer.status, sent]).toEqual([400, { bytes: 30_000_000, cancelled: false }]);
});
