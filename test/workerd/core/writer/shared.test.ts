import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { missing } from '../../../../src/core/lib/missing.ts';
import { command, type Outcome, type Registry } from '../../../../src/core/writer/command.ts';
import type { Commands } from '../../../../src/features.ts';
import { recorded, type Trip } from '../../statements.ts';
import {
  type Block,
  bodyOf,
  countedD1,
  db,
  faultyD1,
  logOf,
  newTenant,
  request,
  type Tenant,
  writerOf,
} from './requests.ts';

const allocate = (quantity = 1) => request('allocateMarkers' satisfies keyof Commands, { quantity });

/** Commands that read the number of audit records, and a command that fails while a test requires it. */
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
    touch: command('touch', {
      ask: ({ scope }) => ({ log: countQuery(scope.organization) }),
      decide(_, { name, poisoned }: Touching, { log }) {
        seen.push(log[0]!.total);
        if (name === 'refused') return missing('gateNotFound', name);
        return {
          writes: poisoned ? [brokenStatement(tenant.uuid)] : [],
          audit: [entry(name)],
          answer: { value: name },
        };
      },
      conflictKeys: ({ name }) => [name],
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

interface Touching {
  name: string;
  poisoned?: boolean;
}

const touch = (input: Touching) => request('touch', input);

const countQuery = (organization: string) =>
  sql<{ total: number }>`SELECT count(*) AS total FROM audit_log WHERE organization_uuid = ${organization}`;
/** A statement that always fails, because the column takes no null. It collides with no other writer. */
const brokenStatement = (organization: string) =>
  sql`INSERT INTO track (organization_uuid, uuid) VALUES (${organization}, NULL)`;

describe('commands that wait', () => {
  it('waiting commands without reads share a commit in order', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const counted = countedD1();
    const writer = writerOf(tenant, counted.db);
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => writer.execute(allocate(2))));
    expect(outcomes.map((outcome) => bodyOf<Block>(outcome).firstMarkerCode)).toEqual(
      Array.from({ length: 30 }, (_, index) => 1 + index * 2),
    );
    // One batch to read the end of the log, and one commit for all.
    expect(counted.batches()).toBe(2);
    const log = await logOf(tenant);
    expect(log.map((row) => row['sequence_number'])).toEqual(log.map((_, index) => index + 1));
  });

  it('waiting commands read at the end of the commit before them and see it', async () => {
    const tenant = await newTenant();
    const { registry, seen } = counting(tenant);
    const counted = countedD1();
    const writer = writerOf(tenant, counted.db, registry);
    const start = (await logOf(tenant)).length;
    await Promise.all(Array.from({ length: 10 }, () => writer.execute(request('read', { writes: true }))));
    expect(seen).toEqual(Array.from({ length: 10 }, (_, index) => start + index));
    // One batch for the end of the log and the first reads, and one commit for each.
    expect(counted.batches()).toBe(11);
  });

  it('waiting commands use the prefetched reads as long as no other writer committed', async () => {
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
    // The second read saw both writes before it, the third one saw one more.
    expect(seen).toEqual([start, start + 2, start + 3]);
  });

  it('waiting commands that write alike use as many statements as one, each with its own answer and cost', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const writer = writerOf(tenant);
    const couple = (wmsId: string) =>
      request('allocateAndCouple' satisfies keyof Commands, { wmsId, customFields: [], clientId: null });
    const run = async (wmsIds: string[]) => {
      let outcomes: Outcome[] = [];
      const trips = await recorded(async () => {
        outcomes = await Promise.all(wmsIds.map((wmsId) => writer.execute(couple(wmsId))));
      });
      return { outcomes, trips };
    };
    await run(['first']);
    const alone = await run(['A']);
    const many = Array.from({ length: 20 }, (_, index) => `P${index}`);
    const { outcomes, trips } = await run(many);

    const bodies = outcomes.map(bodyOf<{ markerCode: number; track: { wmsId: string } }>);
    expect(bodies.map(({ markerCode, track }) => [markerCode, track.wmsId])).toEqual(
      many.map((wmsId, index) => [3 + index, wmsId]),
    );
    const texts = (all: Trip[]) => all.map(({ statements }) => statements.map(({ text }) => text));
    expect(texts(trips)).toEqual(texts(alone.trips));
    const colliding = await run(['Q', 'P3', 'Q', 'R']);
    expect(colliding.outcomes.map(({ kind }) => kind)).toEqual(['done', 'refused', 'refused', 'done']);
    const { results } = await db
      .prepare(`SELECT wms_id AS "wmsId", marker_code AS "markerCode",
          (SELECT group_concat(activity_type || ' marker ' || (details ->> '$[0].markerCode')) FROM pallet_activity WHERE pallet = track.uuid) AS timeline
        FROM track WHERE organization_uuid = ?1 ORDER BY marker_code`)
      .bind(tenant.uuid)
      .all();
    expect(results).toEqual(
      ['first', 'A', ...many, 'Q', 'R'].map((wmsId, index) => ({
        wmsId,
        markerCode: index + 1,
        timeline: `COUPLED marker ${index + 1}`,
      })),
    );
  });

  it('waiting commands share the cost of their statements', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const writer = writerOf(tenant);
    await writer.execute(allocate());
    let outcomes: Outcome[] = [];
    const [trip, ...others] = await recorded(async () => {
      outcomes = await Promise.all([1, 2, 3].map((quantity) => writer.execute(allocate(quantity))));
    });
    expect(others).toEqual([]);
    expect(outcomes.map(bodyOf)).toEqual([
      { firstMarkerCode: 2, lastMarkerCode: 2 },
      { firstMarkerCode: 3, lastMarkerCode: 4 },
      { firstMarkerCode: 5, lastMarkerCode: 7 },
    ]);
    expect(outcomes.reduce((total, { rowsRead }) => total + rowsRead, 0)).toBe(trip!.rowsRead);
    // The first command counts the log records of all.
    const written = outcomes.map(({ rowsWritten }) => rowsWritten);
    expect(written[0]).toBeGreaterThan(written[1]!);
    expect(written[1]).toBe(written[2]);
  });

  it('waiting commands without conflict are read together and share a commit', async () => {
    const tenant = await newTenant();
    const { registry, seen } = counting(tenant);
    const counted = countedD1();
    const writer = writerOf(tenant, counted.db, registry);
    const start = (await logOf(tenant)).length;
    const names = ['a', 'b', 'c', 'b', 'a', 'd'];
    const outcomes = await Promise.all(names.map((name) => writer.execute(touch({ name }))));
    expect(outcomes.map(bodyOf)).toEqual(names);
    expect((await logOf(tenant)).map((row) => row['entity_external_id']).slice(start)).toEqual(names);
    // The reads of the second and third command are at the end of the first commit. The last three follow them.
    expect(seen).toEqual([start, start + 1, start + 1, start + 3, start + 3, start + 3]);
    // One batch for the end of the log and the reads of the first command, and three commits.
    expect(counted.batches()).toBe(4);
    // Each counts the commit that it shared. The first one also counts the batch before it.
    expect(outcomes.map(({ roundTrips }) => roundTrips)).toEqual([2, 1, 1, 1, 1, 1]);
  });

  it.each([{ name: 'refused' }, { name: 'c', poisoned: true }])(
    'waiting commands without conflict take effect once and in order beside a failing one ($name)',
    async (fault) => {
      const tenant = await newTenant();
      const { registry } = counting(tenant);
      const writer = writerOf(tenant, undefined, registry);
      const start = (await logOf(tenant)).length;
      const inputs: Touching[] = [{ name: 'a' }, { name: 'b' }, fault, { name: 'd' }, { name: 'e' }];
      const outcomes = await Promise.all(inputs.map((input) => writer.execute(touch(input))));
      expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'refused', 'done', 'done']);
      expect((await logOf(tenant)).map((row) => row['entity_external_id']).slice(start)).toEqual([
        'a',
        'b',
        'd',
        'e',
      ]);
    },
  );

  it('a waiting command of another kind reads after the one before it', async () => {
    const tenant = await newTenant();
    const { registry, seen } = counting(tenant);
    const writer = writerOf(tenant, undefined, registry);
    const start = (await logOf(tenant)).length;
    const read = () => request('read', { writes: true });
    const all = [touch({ name: 'a' }), read(), touch({ name: 'b' }), touch({ name: 'c' }), read()];
    await Promise.all(all.map((one) => writer.execute(one)));
    expect(seen).toEqual([start, start + 1, start + 2, start + 2, start + 4]);
  });

  it('waiting commands with many conflict keys run alone', async () => {
    const tenant = await newTenant();
    const { registry } = counting(tenant);
    const many: Registry = {
      touch: {
        ...registry['touch']!,
        conflictKeys: ({ name }) => Array.from({ length: 30 }, (_, n) => `${name}${n}`),
      },
    };
    const counted = countedD1();
    const writer = writerOf(tenant, counted.db, many);
    await Promise.all(['a', 'b', 'c'].map((name) => writer.execute(touch({ name }))));
    // One batch for the end of the log and the first reads, and a commit for each. The reads of the next command
    // are at the end of a commit.
    expect(counted.batches()).toBe(4);
  });

  it('a failing command of a shared commit fails alone, and the others take effect once in order', async () => {
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

  it('waiting commands under one key have one effect beside others of a shared commit', async () => {
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
    'an ambiguous failure of a shared commit (%s it took effect) gives each command one effect',
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
