import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256Hex } from '../../../../src/core/lib/hash.ts';
import { refusal } from '../../../../src/core/lib/problem.ts';
import { command } from '../../../../src/core/writer/command.ts';
import { type Block, bodyOf, faultyD1, logOf, newTenant, request, writerOf } from './requests.ts';

describe('two writers of one organization', () => {
  it('two writers cannot both commit on the same state: the loser decides again', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const writers = Array.from({ length: 4 }, () => writerOf(tenant));
    const allocate = () => request('allocateMarkers', { quantity: 3 });
    // Every writer reads the state before the first one writes.
    for (const writer of writers) bodyOf(await writer.execute(allocate()));
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) => writers[index % writers.length]!.execute(allocate())),
    );
    const blocks = outcomes
      .map((outcome) => bodyOf<Block>(outcome))
      .sort((a, b) => a.firstMarkerCode - b.firstMarkerCode);
    blocks.forEach(({ firstMarkerCode, lastMarkerCode }, index) => {
      expect([firstMarkerCode, lastMarkerCode]).toEqual([13 + index * 3, 15 + index * 3]);
    });
  });

  it('a writer in the test collides with the object itself', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const other = writerOf(tenant);
    const codes: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      codes.push(
        bodyOf<Block>(await other.execute(request('allocateMarkers', { quantity: 1 }))).firstMarkerCode,
      );
      const answer = await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL');
      codes.push(answer.body.entries[0].markerCode);
    }
    expect(codes).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each(['changes something', 'changes nothing', 'is refused'] as const)(
    'a writer decides a command that %s again when another writer came in between',
    async (what) => {
      const tenant = await newTenant();
      const attempts: boolean[] = [];
      const other = writerOf(tenant);
      const slow = command('slow', {
        decide(context) {
          attempts.push(context.isRetry);
          if (what === 'is refused') return refusal('trackNotFound', `attempt ${attempts.length}`);
          const entry = {
            action: 'ORGANIZATION_UPDATED' as const,
            entityType: 'ORGANIZATION' as const,
            entityUuid: tenant.uuid,
            entityExternalId: null,
            changes: [],
          };
          const answer = { value: `attempt ${attempts.length}` };
          return { writes: [], audit: what === 'changes something' ? [entry] : [], answer };
        },
      });
      // The first batch of a new writer reads, the second one commits.
      const between = async (batch: number) => {
        if (batch === 2) bodyOf(await other.execute(request('allocateMarkers', { quantity: 1 })));
        return null;
      };
      const writer = writerOf(tenant, faultyD1(between), { slow });
      const outcome = await writer.execute(request('slow', {}, { idempotencyKey: 'slow' }));
      expect(JSON.stringify(outcome)).toContain('attempt 2');
      expect(attempts).toEqual([false, true]);
    },
  );

  it('one of two exclusive transitions wins, and the other one is refused', async () => {
    const tenant = await newTenant();
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M', manifestStatus: 'TO_DO' });
    const writers = [writerOf(tenant), writerOf(tenant), writerOf(tenant)];
    const outcomes = await Promise.all(
      [...writers, ...writers].map((writer, index) =>
        writer.execute(
          request('changeManifestStatus', {
            identifier: 'M',
            manifestStatus: index % 2 === 0 ? 'CANCELLED' : 'PLANNED',
          }),
        ),
      ),
    );
    const log = (await logOf(tenant)).filter((row) => row.action === 'MANIFEST_STATUS_CHANGED');
    expect(outcomes.filter((outcome) => outcome.kind === 'done')).toHaveLength(log.length);
    // Each accepted change starts at the status in which the one before ended.
    let status = 'TO_DO';
    for (const row of log) {
      const [change] = JSON.parse(row.changes as string);
      expect(change.oldValue).toBe(status);
      status = change.newValue;
    }
    expect((await tenant.call('GET', '/manifest/M')).body.manifestStatus).toBe(status);
    expect(status).toBe('CANCELLED');
    for (const outcome of outcomes) {
      if (outcome.kind !== 'done')
        expect(outcome).toMatchObject({ refusal: { code: 'transitionNotAllowed' } });
    }
  });
});

describe('one writer', () => {
  it('a single writer decides each command once in one round trip', async () => {
    const tenant = await newTenant();
    const writer = writerOf(tenant);
    bodyOf(await writer.execute(request('allocateMarkers', { quantity: 1 })));
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => writer.execute(request('allocateMarkers', { quantity: 1 }))),
    );
    expect(outcomes.map((outcome) => outcome.roundTrips)).toEqual(Array(40).fill(1));
  });
});

describe('the log', () => {
  it('the log of several writers has no gaps and a valid chain', async () => {
    const tenant = await newTenant();
    const writers = [writerOf(tenant), writerOf(tenant)];
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        writers[index % 2]!.execute(request('allocateMarkers', { quantity: 1 })),
      ),
    );
    await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' });
    let previousHash = '0'.repeat(64);
    const log = await logOf(tenant);
    expect(log.length).toBeGreaterThan(12);
    log.forEach((row, index) => {
      expect(row.sequence_number).toBe(index + 1);
      expect(row.previous_hash).toBe(previousHash);
      const shown = {
        action: row.action,
        entityType: row.entity_type,
        entityUuid: row.entity_uuid,
        entityExternalId: row.entity_external_id,
        changes: JSON.parse(row.changes as string),
        sequenceNumber: row.sequence_number,
        eventDate: new Date(row.event_date as number).toISOString(),
        actor: { actorType: row.actor_type, uuid: row.actor_uuid, displayName: row.actor_display_name },
        requestId: row.request_id,
        ipAddress: row.ip_address,
        previousHash,
      };
      expect(sha256Hex(canonicalJson(shown))).toBe(row.hash);
      previousHash = row.hash as string;
    });
  });
});
