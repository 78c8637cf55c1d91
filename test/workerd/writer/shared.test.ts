import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Commands } from '../../../src/commands.ts';
import { command, type Registry } from '../../../src/writer/command.ts';
import {
  type Block,
  bodyOf,
  countedD1,
  faultyD1,
  logOf,
  newTenant,
  request,
  type Tenant,
  writerOf,
} from './requests.ts';

const allocate = (quantity = 1) => request('allocateMarkers' satisfies keyof Commands, { quantity });

/** Commands that read the number of audit records, and one that fails while a test says so. */
function counting(tenant: Tenant) {
  const seen: number[] = [];
  const entry = (name: string | null = null) => ({
    action: 'ORGANIZATION_UPDATED' as const,
    entityType: 'ORGANIZATION' as const,
    entityUuid: tenant.uuid,
    entityExternalId: name,
    changes: [],
  });
  const registry: Registry = {
    read: command('read', {
      ask: ({ scope }) => ({
        log: countQuery(scope.organization),
      }),
      decide(_, { writes }: { writes: boolean }, { log }) {
        seen.push(log[0]!.total);
        return { writes: [], audit: writes ? [entry()] : [], answer: { value: log[0]!.total } };
      },
    }),
    write: command('write', {
      decide: (_, { name }: { name: string }) => ({
        writes: name === 'poison' ? [brokenStatement(tenant.uuid)] : [],
        audit: [entry(name)],
        answer: { value: name },
      }),
    }),
  };
  return { registry, seen };
}

const countQuery = (organization: string) =>
  sql<{ total: number }>`SELECT count(*) AS total FROM audit_log WHERE organization_uuid = ${organization}`;
/** A column that takes no null: whoever sends it collides with nobody, for ever. */
const brokenStatement = (organization: string) =>
  sql`INSERT INTO track (organization_uuid, uuid) VALUES (${organization}, NULL)`;

describe('commands that wait', () => {
  it('and need to know nothing share a commit, in their order', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const counted = countedD1();
    const writer = writerOf(tenant, counted.db);
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => writer.execute(allocate(2))));
    expect(outcomes.map((outcome) => bodyOf<Block>(outcome).firstMarkerCode)).toEqual(
      Array.from({ length: 30 }, (_, index) => 1 + index * 2),
    );
    // One to know where the log ends, and one commit for all.
    expect(counted.batches()).toBe(2);
    const log = await logOf(tenant);
    expect(log.map((row) => row['sequence_number'])).toEqual(log.map((_, index) => index + 1));
  });

  it('read at the end of the commit before them, and see it', async () => {
    const tenant = await newTenant();
    const { registry, seen } = counting(tenant);
    const counted = countedD1();
    const writer = writerOf(tenant, counted.db, registry);
    const start = (await logOf(tenant)).length;
    await Promise.all(Array.from({ length: 10 }, () => writer.execute(request('read', { writes: true }))));
    expect(seen).toEqual(Array.from({ length: 10 }, (_, index) => start + index));
    // One to know where the log ends, one for what the first reads, and one for each.
    expect(counted.batches()).toBe(12);
  });

  it('are decided on what rode along as long as nobody wrote in between', async () => {
    const tenant = await newTenant();
    const { registry, seen } = counting(tenant);
    const counted = countedD1();
    const writer = writerOf(tenant, counted.db, registry);
    const start = (await logOf(tenant)).length;
    const kinds = ['read', 'write', 'write', 'read', 'write', 'read'] as const;
    await Promise.all(
      kinds.map((kind) =>
        writer.execute(request(kind, kind === 'read' ? { writes: false } : { name: kind })),
      ),
    );
    // The second read saw both writes before it, the third one more.
    expect(seen).toEqual([start, start + 2, start + 3]);
  });

  it('fail alone where one of them is at fault, and the others take effect once and in order', async () => {
    const tenant = await newTenant();
    const { registry } = counting(tenant);
    const writer = writerOf(tenant, undefined, registry);
    bodyOf(await writer.execute(request('write', { name: 'first' })));
    const names = ['a', 'b', 'poison', 'c', 'd'];
    const outcomes = await Promise.all(names.map((name) => writer.execute(request('write', { name }))));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'refused', 'done', 'done']);
    const written = (await logOf(tenant)).map((row) => row['entity_external_id']).slice(-5);
    expect(written).toEqual(['first', 'a', 'b', 'c', 'd']);
  });

  it('under one key are one effect, beside others that share a commit', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const writer = writerOf(tenant);
    const keyed = () => ({ ...allocate(), idempotencyKey: 'k' });
    const outcomes = await Promise.all(
      [keyed(), allocate(), keyed(), allocate(), keyed()].map((one) => writer.execute(one)),
    );
    const codes = outcomes.map((outcome) => bodyOf<Block>(outcome).firstMarkerCode);
    expect(new Set([codes[0], codes[2], codes[4]]).size).toBe(1);
    expect(new Set(codes).size).toBe(3);
    expect(Math.max(...codes)).toBe(3);
  });

  it.each(['before', 'after'] as const)(
    'end in one effect each when their shared commit fails ambiguously (%s it took effect)',
    async (kind) => {
      const tenant = await newTenant({ markerCodeStart: 1 });
      const writer = writerOf(
        tenant,
        faultyD1((batch) => (batch === 2 ? kind : null)),
      );
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => writer.execute(allocate())));
      const codes = outcomes.map((outcome) => bodyOf<Block>(outcome).firstMarkerCode);
      expect(codes).toEqual(codes.map((_, index) => index + 1));
      expect((await logOf(tenant)).filter((row) => row['action'] === 'MARKERS_ALLOCATED')).toHaveLength(12);
    },
  );
});
