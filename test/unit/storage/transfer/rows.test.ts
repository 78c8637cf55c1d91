import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getTableColumns } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { EXPORTED_ROWS, TENANT_ROWS } from '../../../../src/access/database/tenant.ts';
import { settingsColumns } from '../../../../src/core/writer/settings-table.ts';
import { columnKind, objectKey, type Reading, type Values } from '../../../../src/storage/transfer/kinds.ts';
import { lineReader } from '../../../../src/storage/transfer/line.ts';
import { undeclaredColumns } from '../../../../src/storage/transfer/rows.ts';
import { EXPORTED_TABLES } from '../../../../src/storage/transfer/tables.ts';

const reading: Reading = { allowLoopback: false, origins: [], budget: lineReader.budget() };
const root = resolve(import.meta.dirname, '../../../..');
const database = new DatabaseSync(':memory:');
for (const file of readdirSync(`${root}/migrations`).sort())
  database.exec(readFileSync(`${root}/migrations/${file}`, 'utf8'));

interface Column {
  name: string;
  notnull: 0 | 1;
  dflt_value: string | null;
}
const columnsOf = (table: string): Column[] =>
  database.prepare(`PRAGMA table_xinfo("${table}")`).all() as unknown as Column[];

describe('the tables of an export', () => {
  it('an export has every table of an organization except abandoned objects', () => {
    expect([...EXPORTED_TABLES.keys()].sort()).toEqual(EXPORTED_ROWS.map(({ name }) => name).sort());
  });

  it.each(EXPORTED_ROWS.map((table) => [table.name, table] as const))(
    'every column of %s has a kind that an import checks',
    (name, { derived = [] }) => {
      const own = Object.values(getTableColumns(EXPORTED_TABLES.get(name)!));
      const stored = columnsOf(name).filter((column) => !derived.includes(column.name));
      expect(own.map((column) => column.name).sort()).toEqual(stored.map((column) => column.name).sort());
      expect(undeclaredColumns(name)).toEqual([]);
    },
  );

  it.each(EXPORTED_ROWS.filter(({ storedIn: keptIn }) => !keptIn).map(({ name }) => name))(
    'the columns of %s have the defaults of the database',
    (name) => {
      const own = Object.values(getTableColumns(EXPORTED_TABLES.get(name)!));
      const withDefault = own
        .filter((column) => column.notNull && column.hasDefault)
        .map((column) => column.name);
      const stored = columnsOf(name).filter((column) => column.notnull && column.dflt_value !== null);
      expect(withDefault.sort()).toEqual(stored.map((column) => column.name).sort());
    },
  );

  it('an import accepts only listed values that the database constraints allow', () => {
    const refused = EXPORTED_ROWS.flatMap(({ name }) => {
      const row = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(name)!;
      const lists = String(row['sql']).matchAll(/CHECK \((\w+)\s+IN\s*\(([^)]*)\)\)/g);
      const own = Object.values(getTableColumns(EXPORTED_TABLES.get(name)!));
      return [...lists].flatMap(([, column, list]) => {
        const allowed = list!.split(',').map((item) => item.trim().replaceAll("'", ''));
        const { enumValues } = own.find((one) => one.name === column)!;
        const kind = columnKind(name, column!);
        const values: readonly string[] = enumValues ?? ['0', '1', '2', '-1'];
        const taken = values.filter((value) =>
          kind ? kind.fault(enumValues ? value : Number(value), {}, reading) === undefined : true,
        );
        return taken.filter((value) => !allowed.includes(value)).map((value) => `${name}.${column} ${value}`);
      });
    });
    expect(refused).toEqual([]);
  });
});

it('every column that names an object of the bucket is declared with its table', () => {
  const declared = TENANT_ROWS.flatMap(({ name, objects }) => (objects ? [`${name}.${objects.column}`] : []));
  const named = EXPORTED_ROWS.flatMap(({ name }) =>
    columnsOf(name)
      .filter((column) => columnKind(name, column.name) === objectKey)
      .map((column) => `${name}.${column.name}`),
  );
  expect([...named, 'calibration_orphan.object_key'].sort()).toEqual(declared.sort());
  // The name alone does not make a column one of these. Nor does it make it a uuid, a date, a hash or a
  // marker code.
  for (const column of ['object_key', 'document_key', 'file', 'image_object'])
    expect(columnKind('any', column), column).toBeUndefined();
});

/** A row in which every column of the table has this value. */
const rowOf = (table: string, values: Values): Values => ({
  ...Object.fromEntries(
    Object.values(getTableColumns(EXPORTED_TABLES.get(table)!)).map(({ name }) => [name, null]),
  ),
  ...values,
});
const faultOf = (at: string, value: unknown, others: Values = {}): string | undefined => {
  const [table, column] = at.split('.') as [string, string];
  const budget = lineReader.budget();
  const row = rowOf(table, { ...others, [column]: value as string });
  return columnKind(table, column)!.fault(value, row, { ...reading, budget });
};

/** JSON of records of the log: one with these changes. */
const recordsWith = (changes: string): string =>
  `[["TRACK_FLAGGED","TRACK","01995d2f-6c1c-7000-8000-000000000001","é 📦",${changes}]]`;
const ENTRY = '[["SEEN",null,null,null,null,null,0,["01995d2f-6c1c-7000-8000-000000000001"],0]]';

/** All columns with text that is not one of a list. */
const texts = EXPORTED_ROWS.flatMap(({ name }) =>
  Object.values(getTableColumns(EXPORTED_TABLES.get(name)!))
    .filter(({ dataType, enumValues }) => dataType === 'string' && !enumValues)
    .map((column) => `${name}.${column.name}`),
);
/** The columns that the service may leave empty. The folded form of nothing is nothing, or NULL. */
const MAY_BE_EMPTY = [
  'idempotency.fingerprint',
  'user.phone_number',
  'session.user_agent',
  ...['track_comment', 'photo', 'signature'].map((table) => `${table}.author`),
  'alert_pallet.wms_id',
  'shipment.notes',
  'shipment.driver_name',
  ...texts.filter((at) => /\.folded_(?!value)/.test(at) && at !== 'webhook.folded_name'),
];

describe('the values that an import refuses', () => {
  it.each(texts)('an import refuses text in %s that is too long, or no text, or not well-formed', (at) => {
    for (const value of ['x'.repeat(2_000_001), '\u0000', 'a\ud800', 1])
      expect([value, faultOf(at, value)]).toEqual([value, expect.any(String)]);
  });

  it('an import refuses empty text except where the service writes it', () => {
    expect(texts.filter((at) => faultOf(at, '') === undefined)).toEqual(
      texts.filter((at) => MAY_BE_EMPTY.includes(at)),
    );
  });

  it('an import refuses a folded text that is not of its own column', () => {
    const folded = texts.filter((at) => at.includes('.folded_'));
    expect(folded.length).toBeGreaterThan(15);
    for (const at of folded) expect([at, faultOf(at, 'other')]).toEqual([at, expect.any(String)]);
    expect(faultOf('gate.folded_name', 'straße', { name: 'STRASSE' })).toEqual(expect.any(String));
    expect(faultOf('gate.folded_name', 'strasse', { name: 'Straße' })).toBeUndefined();
  });

  const long = 'é'.repeat(256);
  const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
  it.each<[at: string, refused: unknown[], accepted?: unknown[], others?: Values]>([
    ['gate.external_identifier', ['.', '..', long], ['...', 'é'.repeat(255), 'a\nb', ' ']],
    ['manifest.external_identifier', ['.', '..', long], ['ORDER/1 %é']],
    ['shipment.external_identifier', ['.', '..', long], ['SHIP-1']],
    ['archive_entry.external_identifier', ['.', '..', long]],
    ['printing_batch.external_identifier', ['.', '..', long]],
    ['track.wms_id', ['.', '..', long], ['340123450000000017']],
    ['asset_loading.wms_id', ['.', '..', long]],
    ['client.external_id', ['.', '..', long], ['ACME']],
    ['client.display_name', [' ', '\u0085', long], ['Acme Foods']],
    ['authority.authority_name', ['.', '..', 'x'.repeat(101)], ['SHIFT_LEAD']],
    ['custom_field.field_key', ['.', '..', 'x'.repeat(101)], ['carrier']],
    ['custom_field.field_value', [' ', '\n', 'x'.repeat(1_001)], ['x'.repeat(1_000)]],
    ['signature.signer_name', [' ', 'x'.repeat(201)], ['Ana']],
    ['user.first_name', ['x', ' ', 'x'.repeat(101)], ['Ana']],
    ['user.email', ['nobody', 'a@', 'a b@c.example'], ['jane.doe@example.com']],
    ['credential.name', [' ', long], ['WMS']],
    ['credential.prefix', ['x', 'wdk_test_<b>'], ['wdk_test_916696c3MW3n']],
    ['gate.gln', ['9521234000007', '1'], ['9521234000006']],
    ['device.software_version', ['x'.repeat(101)], ['1.2']],
    ['calibration.hardware_id', ['a b', 'x'.repeat(129)], ['cam-07:left']],
    ['calibration.size_bytes', [0, 26_214_401], [26_214_400]],
    ['photo.size_bytes', [0, 5_242_881], [1]],
    ['photo.owner_identifier', [long], ['PALLET']],
    ['shipment.notes', ['x'.repeat(1_001)], ['']],
    ['session.ip_address', ['x', '::0', '01.2.3.4'], ['::', '192.0.2.7']],
    ['session.user_agent', ['x'.repeat(301)], ['curl']],
    ['saved_view.list', ['https://a.example', '//a.example', '/app/../x', '/app'], ['/app/shipment']],
    ['passkey.host', ['A.example', '127.0.0.1', 'a/b', 'a:1'], ['acme.example.com']],
    ['passkey.public_key', ['a+b', 'a='], ['pQECAyYg']],
    [
      'identity_provider.issuer',
      ['http://a.example', 'https://localhost', 'https://a.example/?x', 'x'],
      ['https://a.example.com/x'],
    ],
    ['track.marker_code', [0, -1, 2 ** 53, '1'], [1, 2 ** 53 - 1]],
    ['scan.scan_id', ['x'.repeat(101), `${' '.repeat(101)}x`], ['1', `${' '.repeat(101)}LOAD 17 1`]],
    ['command_log.request_id', ['a b', 'x'.repeat(129)], ['wms-20261121-0815']],
    ['command_log.sequence_number', [0, -1, 2 ** 32, '1'], [1, 2 ** 32 - 1]],
    ['command_log.hashes', ['', 'a', 'A'.repeat(64), 'a'.repeat(65)], ['a'.repeat(64), 'a'.repeat(128)]],
    [
      'command_log.records',
      ['[]', '{}', recordsWith('{}'), ...['[1]', '[["a",1]]', '[[1,2,3]]', '[{"a":1}]'].map(recordsWith)],
      ['[]', '[["a",1,2]]', '[{"field":"a"}]'].map(recordsWith),
    ],
    [
      'command_log.entries',
      [
        '[]',
        '[1]',
        ENTRY.replace('0]]', '1]]'),
        ENTRY.replace('SEEN', 'GONE'),
        ENTRY.replace('null,null,0', '[{"code":"other"}],null,0'),
        ENTRY.replace(/"0\w+-.*"/, ''),
      ],
      [ENTRY, ENTRY.replace('null,null,0', '[{"note":"wet"},{"code":"takenBack"}],null,0')],
    ],
    ['event_log.traceparent', ['x', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-00`]],
    ['event_log.data', ['[]', 'null', '1', nested(65)], ['{}', nested(64)]],
    ['idempotency.key', ['', 'x'.repeat(501)], ['a', 'a b', 'x'.repeat(500)]],
    [
      'idempotency.body',
      ['{', '', nested(65), `"${'x'.repeat(1_999_999)}"`],
      ['null', '[]', nested(64), `"${'x'.repeat(1_999_998)}"`],
    ],
    [
      'track_comment.attachments',
      ['[{"link":"javascript:alert(1)"}]', '[{}]', `[${Array(21).fill('{"link":"https://a.example"}')}]`],
      ['[]', '[{"link":"https://a.example","fileName":null}]'],
    ],
    [
      'alert.params',
      ['{}', '{"plannedDate":"now"}', '{"plannedDate":1,"a":1}', '{"plannedDate":1e300}'],
      ['{"plannedDate":1}'],
      { alert_type: 'DEPARTURE_LATE' },
    ],
    ['alert.params', ['{}'], [], { alert_type: 'toString' }],
    [
      'webhook_delivery.attempts',
      ['[{"attemptDate":1,"durationMs":1,"error":"Late."}]', '[{"attemptDate":1,"durationMs":1}]'],
      ['[{"attemptDate":1,"durationMs":1,"error":"LATE"}]'],
    ],
    ['signature.strokes', ['[]', '[[[1,2,3]]]', '[[[1001,1]]]'], ['[[[1,1]]]']],
    ['authority.permissions', ['["ALL"]', '["APP_LOGIN","APP_LOGIN"]'], ['[]', '["APP_LOGIN"]']],
    ['mail_recipient.address', ['nobody', 'A@b.example', 'a@b.example?bcc=c@d.example'], ['a@b.example']],
    [
      'operation.actor',
      ['{}', '{"actorType":"NOBODY","uuid":null,"displayName":"a"}'],
      ['{"actorType":"USER","uuid":null,"displayName":"a"}'],
    ],
    ['dead_letter.queue', ['other'], ['operation', 'webhook']],
    [
      'dead_letter.body',
      ['{}', '{"organization":"b"}', '[]'],
      ['{"organization":"a"}'],
      { organization_uuid: 'a' },
    ],
    [
      'webhook.custom_headers',
      ['[{"name":"Host","value":"a"}]', '[{"name":"X-A"}]', '[{"name":"a b","value":"a"}]'],
      ['[{"name":"X-A","value":"sealed"}]'],
    ],
    [
      'webhook.secrets',
      ['[]', `[${Array(6).fill('{"sealed":"a","validUntilDate":null}')}]`],
      ['[{"sealed":"a","validUntilDate":null}]'],
    ],
    [
      'webhook.event_types',
      ['["ALL"]', '["ALERT_RAISED","ALERT_RAISED"]'],
      ['[]', '["PHOTO_ADDED"]'],
      { format: 'EVENT' },
    ],
    ['webhook.event_types', ['["PHOTO_ADDED"]'], ['["ALERT_RAISED"]'], { format: 'SLACK' }],
    [
      'webhook.url',
      [
        'http://a.example',
        'https://localhost',
        'https://10.0.0.1',
        'https://u:p@a.example',
        'https://a.example:8443',
        'http://127.0.0.1:1',
        'mailto:a@b.example',
        'x',
      ],
      ['https://a.example.com/hook?x=1'],
    ],
    [
      'webhook.url',
      [
        'https://a.example',
        'mailto:',
        'mailto:a@b.example?bcc=c@d.example',
        'mailto:a@b.example,c@d.example',
        'mailto:a@b.example\r\nBcc: c',
      ],
      ['mailto:a@b.example'],
      { format: 'EMAIL' },
    ],
    [
      'webhook.link_origin',
      [
        'x',
        '../../x',
        '//a.example',
        'https://a.example/',
        'https://a.example/x',
        'https://a.example?x',
        'https://u@a.example',
        'HTTPS://a.example',
        'http://a.example',
        'javascript:alert(1)',
        'http://localhost.a.example',
      ],
      ['https://a.example', 'https://a.example:8443', 'http://127.0.0.1:8787', 'http://acme.localhost:8787'],
    ],
  ])('%s', (at, refused, accepted = [], others = {}) => {
    for (const value of refused)
      expect([value, faultOf(at, value, others)]).toEqual([value, expect.any(String)]);
    for (const value of accepted) expect([value, faultOf(at, value, others)]).toEqual([value, undefined]);
  });

  it('an import accepts an empty e-mail address only of an erased user', () => {
    expect(faultOf('user.email', '', { deleted_date: 1 })).toBeUndefined();
    expect(faultOf('user.email', '', { deleted_date: null })).toEqual(expect.any(String));
  });

  it('an import accepts loopback webhooks and own origins where the deployment does', () => {
    const kindOf = (column: string) => columnKind('webhook', column)!;
    const own = { allowLoopback: true, origins: ['http://dispatch.test:1'], budget: lineReader.budget() };
    expect(kindOf('url').fault('http://127.0.0.1:1', {}, own)).toBeUndefined();
    expect(kindOf('link_origin').fault('http://dispatch.test:1', {}, own)).toBeUndefined();
  });
});

it('the row of an organization has no column that creating an organization does not know', async () => {
  const { organizationCreateSchema } = await import('../../../../src/access/organization/schema.ts');
  const { organization } = await import('../../../../src/core/writer/settings-table.ts');
  const fields = Object.entries(getTableColumns(organization))
    .filter(([, { name }]) => settingsColumns.includes(name))
    .map(([field]) => field)
    .filter((field) => !['uuid', 'createDate', 'updateDate', 'suspendedDate'].includes(field));
  const { databaseName: _, ...known } = organizationCreateSchema.shape;
  expect(Object.keys(known)).toEqual(expect.arrayContaining(fields));
});
