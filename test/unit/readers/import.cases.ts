import { LineError, linesOf } from '../../../src/core/lib/lines.ts';
import { OverBudget } from '../../../src/core/lib/reader.ts';
import { isoDate } from '../../../src/core/lib/time.ts';
import { FIRST_PREVIOUS_HASH, recordHash } from '../../../src/core/writer/chain.ts';
import { RECORDS_MAXIMUM } from '../../../src/core/writer/log.ts';
import { HEADER_BYTES_MAXIMUM, headerSchema, lineSchema } from '../../../src/storage/transfer/format.ts';
import type { Values } from '../../../src/storage/transfer/kinds.ts';
import { lineReader, parseLine } from '../../../src/storage/transfer/line.ts';
import { LogWalk } from '../../../src/storage/transfer/log-walk.ts';
import { rowFault } from '../../../src/storage/transfer/rows.ts';
import { settingsFault } from '../../../src/storage/transfer/settings-row.ts';
import { casesOf } from './case.ts';

const UUID = '01936c9d-2c80-7000-8000-000000000017';
const HASH = FIRST_PREVIOUS_HASH;
/** The largest JSON in a column, in bytes. */
const CELL = 2_000_000;
const filled = (start: string, part: string, end: string, bytes = CELL): string =>
  start + part.repeat(Math.floor((bytes - start.length - end.length) / part.length)) + end;
const nested = (open: string, close: string): string => {
  const levels = Math.floor(CELL / (open.length + close.length));
  return open.repeat(levels) + close.repeat(levels);
};

const line = (content: unknown): Buffer[] => [Buffer.from(`${JSON.stringify(content)}\n`)];
const row = (table: string, values: Values): Buffer[] => line({ table, values });
const stored = (body: string) =>
  row('idempotency', {
    organization_uuid: UUID,
    key: 'a',
    fingerprint: HASH,
    command_id: UUID,
    body,
    create_date: 1,
    expires_date: 1,
  });
const logged = (records: string, { hashes = HASH, entries = null as string | null } = {}) =>
  row('command_log', {
    organization_uuid: UUID,
    sequence_number: 1,
    event_date: 1,
    actor_type: 'USER',
    actor_uuid: UUID,
    actor_display_name: 'a',
    request_id: 'a',
    hashes,
    records,
    entries,
  });
const record = (changes = '[]'): string => `["GATE_UPDATED","GATE","a",null,${changes}]`;
const changed = (changes: string) => logged(`[${record(changes)}]`);
/** Records with the hashes that they have. */
const chained = (count: number) => {
  let previousHash = HASH;
  const hashes = Array.from({ length: count }, (_, at) => {
    previousHash = recordHash({
      sequenceNumber: at + 1,
      previousHash,
      eventDate: isoDate(1),
      action: 'GATE_UPDATED',
      actor: { actorType: 'USER', uuid: UUID, displayName: 'a' },
      entityType: 'GATE',
      entityUuid: 'a',
      entityExternalId: null,
      changes: [],
      requestId: 'a',
      ipAddress: null,
      identity: null,
    });
    return previousHash;
  });
  return logged(`[${Array(count).fill(record())}]`, { hashes: hashes.join('') });
};
const timeline = (entries: string) => logged(`[${record()}]`, { entries });
/** Entries of one pallet each, with their places. */
const placed = (count: number): string =>
  `[${Array.from({ length: count }, (_, at) => `["COUPLED",null,null,null,null,null,0,["${UUID}"],${at}]`)}]`;
const signed = (strokes: string) =>
  row('signature', {
    uuid: UUID,
    organization_uuid: UUID,
    load_uuid: UUID,
    number: 1,
    role: 'DRIVER',
    signer_name: 'a',
    strokes,
  });
const webhook = (given: Values) =>
  row('webhook', { uuid: UUID, organization_uuid: UUID, name: 'a', url: 'https://a.example', ...given });
const header = (listTotals: string): Buffer[] => [
  Buffer.from(
    `{"format":"warehouse-dispatch-organization","version":1,"organization":{"uuid":"${UUID}","slug":"a","name":"a"},` +
      `"sequenceNumber":1,"exportDate":"2026-01-01T00:00:00Z","sealingKey":"","listTotals":${listTotals}}\n`,
  ),
];

/** A line of an import: its bytes, its JSON, the JSON in its columns, and its place in the log. */
export default casesOf<Iterable<Uint8Array>>({
  reader: 'line of an export',
  needed: { bytes: 'a long line', members: 'many members', values: 'a column of objects' },
  async read(parts) {
    const kept: unknown[] = [];
    try {
      for await (const bytes of linesOf(parts as never, lineReader.limits.bytes)) {
        const budget = lineReader.budget();
        const isFirst = bytes.includes('sequenceNumber');
        const content = parseLine(bytes, budget, isFirst ? 'values' : 'members');
        const parsed = (isFirst ? headerSchema : lineSchema).safeParse(content);
        kept.push(bytes, content, parsed);
        if (!parsed.data || !('table' in parsed.data)) continue;
        const { table, values } = parsed.data;
        const reading = { allowLoopback: false, origins: [], budget };
        if (table === 'organization') kept.push(settingsFault(values, budget));
        else {
          const fault = rowFault(table, values, reading);
          kept.push(fault, !fault && table === 'command_log' && new LogWalk().take(values));
        }
      }
    } catch (error) {
      if (!(error instanceof OverBudget || error instanceof LineError)) throw error;
      kept.push(error);
    }
    return kept;
  },
  inputs: {
    'a long line': () => [
      ...Array<Uint8Array>(60).fill(new Uint8Array(1_000_000).fill(0x20)),
      Buffer.from('\n'),
    ],
    'a line of blanks': () => [new Uint8Array(5_000_000).fill(0x20), Buffer.from('\n')],
    'a line of quotation marks': () => [new Uint8Array(5_000_000).fill(0x22), Buffer.from('\n')],
    'a line of backslashes': () => line({ table: 'gate', values: { name: '\\'.repeat(2_500_000) } }),
    'many members': () => [
      Buffer.from(`{"table":"gate","values":{${Array.from({ length: 350_000 }, (_, n) => `"k${n}":1`)}}}\n`),
    ],
    'deep JSON': () => [Buffer.from(`${nested('[', ']')}\n`)],
    'a long name': () =>
      row('gate', { uuid: UUID, organization_uuid: UUID, external_identifier: 'é'.repeat(2_400_000) }),
    'a long piece of an object': () => line({ object: 'a', data: 'AAAA'.repeat(1_240_000) }),
    'custom fields of an organization': () =>
      row('organization', {
        uuid: UUID,
        create_date: 1,
        update_date: 1,
        name: 'a',
        slug: 'a',
        shipment_custom_fields: JSON.stringify(
          Array.from({ length: 19_000 }, (_, n) => ({ fieldKey: `k${n}`, fieldType: 'TEXT' })),
        ),
      }),
    'totals of lists': () => header(filled('[', '["a","",1],', '["a","",1]]', HEADER_BYTES_MAXIMUM - 300)),
    'totals that are objects': () => header(filled('[', '{},', '{}]', HEADER_BYTES_MAXIMUM - 300)),
    'a column of arrays': () => stored(filled('[', '[],', '[]]')),
    'a column of objects': () => stored(filled('[', '{},', '{}]')),
    'a column of numbers': () => stored(filled('[', '1e9,', '1]')),
    'a column of members': () => stored(`{${Array.from({ length: 180_000 }, (_, n) => `"${n}":1`)}}`),
    'a deep column': () => stored(nested('[', ']')),
    'a deep column of objects': () => stored(`${nested('{"":', '}').replace('{"":}', '{}')}`),
    'a column of quotation marks': () => stored(filled('"', '\\"', '"')),
    'a column of control characters': () => stored(filled('"', '\\u0001', '"')),
    changes: () => changed(filled('[', '["a",1,1],', '["a",1,1]]', 199_000)),
    'changes of lists': () => changed(filled('[["a",[', '1,', '1],1]]', 199_000)),
    'changes of objects': () => changed(filled('[["a",[', '{"":1},', '1],1]]', 199_000)),
    'wrong changes': () => changed(filled('[', '1,', '1]', 199_000)),
    'records with their hashes': () => chained(RECORDS_MAXIMUM),
    'records that are numbers': () => logged(filled('[', '1,', '1]', 199_000)),
    'hashes without records': () => logged(`[${record()}]`, { hashes: HASH.repeat(60_000) }),
    'timeline entries': () => timeline(placed(8_000)),
    'a timeline entry of many pallets': () =>
      timeline(`[["COUPLED",null,null,null,null,null,0,["${Array(40_000).fill(UUID).join('","')}"],0]]`),
    'details of a timeline entry': () =>
      timeline(
        `[["COUPLED",null,null,null,[${Array(30_000).fill('{"markerCode":1}')}],null,0,["${UUID}"],0]]`,
      ),
    'wrong timeline entries': () => timeline(filled('[', '1,', '1]', 199_000)),
    'wrong strokes': () => signed(filled('[[', '[],', '[]]]', 32_768)),
    'long strokes': () => signed(filled('[[', '[],', '[]]]')),
    'event types': () => webhook({ event_types: filled('[', '"A",', '"A"]', 390_000) }),
    'headers of a webhook': () =>
      webhook({
        event_types: '[]',
        format: 'EVENT',
        active: 1,
        custom_headers: filled('[', '{"name":1},', '{}]', 360_000),
      }),
  },
});
