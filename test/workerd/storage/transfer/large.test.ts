import { beforeAll, describe, expect, it } from 'vitest';
import { EXPORTED_ROWS } from '../../../../src/access/database/tenant.ts';
import { Databases } from '../../../../src/core/lib/databases.ts';
import { sha256Hex } from '../../../../src/core/lib/hash.ts';
import { exportOrganization } from '../../../../src/storage/transfer/export.ts';
import { bindings } from '../../access/database/places.ts';
import { newTenant, type Tenant } from '../../client.ts';
import { countedD1 } from '../../counted.ts';
import { dump } from '../move/moves.ts';
import { beginExport, exportOf, importOf, linesOf, sealed, sendImport, wipe } from './exports.ts';

const { DB, CALIBRATION } = bindings;
const QUERIES_MAXIMUM = 1_000;
const CONNECTIONS_MAXIMUM = 6;

/** Store so many rows of an organization, spread over several tables. */
async function fill(organization: string, rows: number): Promise<void> {
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) `;
  const third = rows / 3;
  await DB.batch([
    DB.prepare(
      `INSERT INTO event_log (organization_uuid, sequence_number, uuid, event_type, event_date, entity_type, data)
        ${numbers(third)} SELECT ?1, 1000000 + i, 'event-' || i, 'TRACK_COUPLED', i, 'TRACK',
          '{"uuid":"01920000-0000-7000-8000-000000000000","wmsId":"PALLET-' || i || '"}' FROM n`,
    ).bind(organization),
    DB.prepare(
      `INSERT INTO scan (organization_uuid, scan_id, gate_uuid, marker_code, direction, damaged, scan_date, outcome, create_date)
        ${numbers(third)} SELECT ?1, 'scan-' || i, '01920000-0000-7000-8000-000000000000', i, 'LOAD', 0, i, 'LOADED', i FROM n`,
    ).bind(organization),
    DB.prepare(
      `INSERT INTO idempotency (organization_uuid, key, fingerprint, command_id, body, create_date, expires_date)
        ${numbers(third)} SELECT ?1, 'key-' || i, 'f', 'command-' || i, '{"uuid":"01920000-0000-7000-8000-000000000000"}', i, 1e15 FROM n`,
    ).bind(organization),
  ]);
}

/** Export with a counter of the statements. @returns its cost and its lines. */
async function counted(tenant: Tenant, statementsMaximum?: number) {
  const { db, spent } = countedD1(DB, QUERIES_MAXIMUM);
  const databases = new Databases({ DB: db });
  const exporting = {
    databases,
    bucket: CALIBRATION,
    sealingKeys: ['local-sealing-key'] as const,
    links: 'https://x.example',
    ...(statementsMaximum === undefined ? {} : { statementsMaximum }),
  };
  const { body } = (await exportOrganization(exporting, tenant.uuid))!;
  let lines = 0;
  let last = '';
  let largest = 0;
  const decoder = new TextDecoder();
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    const text = decoder.decode(bytes);
    lines += text.split('\n').length - 1;
    last = text;
    largest = Math.max(largest, bytes.length);
  }
  return { spent, lines, last: JSON.parse(last) as { count: number; next?: string }, largest };
}

describe('The export of a large organization', () => {
  let [alone, large, neighbour]: Tenant[] = [];

  beforeAll(async () => {
    alone = await newTenant();
    await alone.call('POST', '/track/get-and-couple', { wmsId: 'P' });
    neighbour = await newTenant();
    await neighbour.call('POST', '/track/get-and-couple', { wmsId: 'P' });
    large = await newTenant();
  }, 120_000);

  it('A million rows are exported with fewer statements than the platform allows in one request', async () => {
    const before = await counted(alone!);
    await fill(large!.uuid, 300_000);
    const { spent, lines, last, largest } = await counted(large!);
    expect(lines).toBeGreaterThan(300_000);
    expect(last).toEqual({ count: lines - 1, sha256: expect.any(String) });
    expect(spent.statements).toBeLessThan(420);
    expect(spent.openMaximum).toBeLessThanOrEqual(CONNECTIONS_MAXIMUM);
    // One page is in memory at a time.
    expect(largest).toBeLessThan(8_000_000);
    // Each million of rows needs so many statements more.
    const perRow = (spent.statements - before.spent.statements) / lines;
    expect(before.spent.statements + perRow * 1_000_000).toBeLessThan(0.6 * QUERIES_MAXIMUM);
  }, 120_000);

  it('The cost of an export does not depend on a large organization in the same database', async () => {
    const beside = await counted(neighbour!);
    const { rowsRead, statements } = beside.spent;
    await DB.batch(
      ['event_log', 'scan', 'idempotency'].map((table) =>
        DB.prepare(`DELETE FROM ${table} WHERE organization_uuid = ?`).bind(large!.uuid),
      ),
    );
    const again = await counted(neighbour!);
    expect(statements).toBe(again.spent.statements);
    expect(Math.abs(rowsRead - again.spent.rowsRead)).toBeLessThan(1_000);
  }, 120_000);
});

describe('An export in parts', () => {
  /** The next part of an export. */
  async function partOf({ uuid }: Tenant, next: string): Promise<{ status: number; text: string }> {
    const answer = await beginExport(uuid, `?after=${next}`);
    return { status: answer.status, text: new TextDecoder().decode(await answer.arrayBuffer()) };
  }

  /** The text of an export whose first part ends after so many statements; the service continues it. */
  async function begin(tenant: Tenant, statementsMaximum: number): Promise<{ text: string; next: string }> {
    const databases = new Databases({ DB });
    const { body } = (await exportOrganization(
      {
        databases,
        bucket: CALIBRATION,
        sealingKeys: ['local-sealing-key'],
        links: 'https://x.example',
        statementsMaximum,
      },
      tenant.uuid,
    ))!;
    const text = await new Response(body).text();
    const { next } = linesOf(text).at(-1);
    return { text, next };
  }

  async function worldly(): Promise<Tenant> {
    const tenant = await newTenant();
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P0', 'P1'] });
    for (let index = 0; index < 3; index += 1)
      await tenant.call('POST', '/track/get-and-couple', { wmsId: `P${index}` });
    return tenant;
  }

  it('The parts of an export are the same file as the whole, although rows change between them', async () => {
    const tenant = await worldly();
    const whole = linesOf(await exportOf(tenant.uuid));
    for (const statementsMaximum of [1, 20, 40]) {
      const first = await begin(tenant, statementsMaximum);
      await tenant.call('DELETE', '/track/P2');
      await tenant.call('POST', '/track/get-and-couple', { wmsId: `late${statementsMaximum}` });
      const second = await partOf(tenant, first.next);
      expect(second.status).toBe(200);
      const parts = [first.text, second.text];
      const last = linesOf(second.text).at(-1);
      expect(last.next).toBeUndefined();
      for (const part of parts) {
        const lines = part.trimEnd().split('\n');
        const before = lines
          .slice(0, -1)
          .map((line) => `${line}\n`)
          .join('');
        expect(JSON.parse(lines.at(-1)!)).toMatchObject({
          count: lines.length - 1,
          sha256: sha256Hex(before),
        });
      }
      const lines = parts.flatMap((part) => linesOf(part).slice(0, -1));
      if (statementsMaximum === 1) {
        expect(lines.slice(1)).toEqual(whole.slice(1, -1));
        expect({ ...lines[0], exportDate: '' }).toEqual({
          ...whole[0],
          exportDate: '',
          organization: lines[0].organization,
        });
      }
      const { uuid } = tenant;
      const left = await DB.prepare('SELECT count(*) AS count FROM export WHERE organization_uuid = ?')
        .bind(uuid)
        .first('count');
      expect(left).toBe(0);
      await wipe(uuid);
      expect((await importOf(sealed(lines))).status).toBe('SUCCEEDED');
    }
  });

  it('An export with another order of rows is imported', async () => {
    const tenant = await worldly();
    const { list_total: _, ...before } = await dump(DB, tenant.uuid);
    const lines = linesOf(await exportOf(tenant.uuid)).slice(0, -1);
    const isMovable = ({ table }: { table?: string }) => table === 'track' || table === 'asset_loading';
    const moved = [...lines.filter((line) => !isMovable(line)), ...lines.filter(isMovable).reverse()];
    await wipe(tenant.uuid);
    expect((await importOf(sealed(moved))).status).toBe('SUCCEEDED');
    const { list_total: __, ...after } = await dump(DB, tenant.uuid);
    expect(after).toEqual(before);
  });

  it('An export continues between two objects, and after the last table', async () => {
    const tenant = await worldly();
    const keys = ['a', 'b', 'c'].map((name) => `organization/${tenant.uuid}/archive/${name}`);
    for (const key of keys) await CALIBRATION.put(key, `object ${key}`);
    const whole = linesOf(await exportOf(tenant.uuid)).slice(1, -1);
    const ends: (string | undefined)[] = [];
    for (let statementsMaximum = 45; ; statementsMaximum += 1) {
      const { text, next } = await begin(tenant, statementsMaximum);
      if (next === undefined) break;
      const place = JSON.parse(Buffer.from(next, 'base64url').toString());
      if (place.table === EXPORTED_ROWS.length) ends.push(place.object);
      const parts = [text, (await partOf(tenant, next)).text];
      expect(parts.flatMap((part) => linesOf(part).slice(0, -1)).slice(1)).toEqual(whole);
    }
    expect(ends).toEqual([undefined, keys[0]]);
  });

  it('A part alone is refused as an import, and names the program that gets all parts', async () => {
    const tenant = await worldly();
    const { text } = await begin(tenant, 1);
    const { status, body } = await sendImport(text);
    expect([status, body.code]).toEqual([400, 'exportInvalid']);
    expect(body.detail).toBe(
      'This is only one part of an export. Make a complete export with npm run export.',
    );
  });

  it('An export continues only at a place of its own snapshot, and only while that exists', async () => {
    const [tenant, other] = [await worldly(), await worldly()];
    const { next } = await begin(tenant, 1);
    const place = JSON.parse(Buffer.from(next, 'base64url').toString());
    const forged = (changes: object) =>
      Buffer.from(JSON.stringify({ ...place, ...changes })).toString('base64url');
    const sent = (text: string, of = tenant) =>
      partOf(of, text).then((answer) => [
        answer.status,
        answer.status === 400 && JSON.parse(answer.text).errors[0].message,
      ]);
    const unknown = [400, 'The last line of the previous part has a member "next". Send its value.'];
    const ended = [400, 'This export has ended. To start a new one, send no parameter "after".'];
    expect(await sent(next, other)).toEqual(ended);
    expect(await sent('none')).toEqual(unknown);
    expect(await sent(forged({ databaseName: 'DB_99' }))).toEqual(unknown);
    expect(await sent(forged({ snapshot: `${place.snapshot}'--` }))).toEqual(unknown);
    expect(await sent(forged({ table: 0, place: { part: 1, after: [] } }))).toEqual(unknown);
    expect(await sent(forged({ table: 0, place: { part: 0, after: [1, 2, 3] } }))).toEqual(unknown);
    await DB.prepare('UPDATE export SET renewed_date = 0 WHERE uuid = ?').bind(place.snapshot).run();
    expect(await sent(next)).toEqual(ended);
    await DB.prepare('UPDATE export SET renewed_date = 1 WHERE uuid = ?').bind(place.snapshot).run();
    expect((await sent(next))[0]).toBe(200);
    expect(await sent(next)).toEqual(ended);
  });
});
