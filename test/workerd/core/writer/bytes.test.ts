import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { command, type Outcome, type Registry } from '../../../../src/core/writer/command.ts';
import { SHARED_BYTES_MAXIMUM } from '../../../../src/core/writer/waiting.ts';
import { WAITING_BYTES_MAXIMUM } from '../../../../src/core/writer/writer.ts';
import { countedD1, faultyD1, newTenant, request, type Tenant, writerOf } from './requests.ts';

/** Commands that change nothing but the log. `note` reads nothing, and `look` reads something. */
function registry(tenant: Tenant): Registry {
  const decide = (_: unknown, { name }: { name: string }) => ({
    writes: [],
    audit: [
      {
        action: 'ORGANIZATION_UPDATED' as const,
        entityType: 'ORGANIZATION' as const,
        entityUuid: tenant.uuid,
        entityExternalId: name,
        changes: [],
      },
    ],
    answer: { value: name },
  });
  return {
    note: command('note', { decide }),
    look: command('look', {
      ask: ({ scope }) => ({
        gates: sql<{ uuid: string }>`SELECT uuid FROM gate WHERE organization_uuid = ${scope.organization}`,
      }),
      decide,
      conflictKeys: ({ name }) => [name],
    }),
  };
}

const note = (name: string, bytes: number) => request('note', { name, padding: 'x'.repeat(bytes) });
const becameOf = (outcome: Outcome): string =>
  outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;

/** A writer whose first call to D1 waits for `release`. */
async function heldWriter() {
  const tenant = await newTenant();
  const { promise: released, resolve: release } = Promise.withResolvers<null>();
  const writer = writerOf(
    tenant,
    faultyD1((count) => (count === 1 ? released : null)),
    registry(tenant),
  );
  return { writer, release: () => release(null) };
}

it('a queue refuses a command with 503 whose input would exceed its bytes, and takes smaller ones', async () => {
  const { writer, release } = await heldWriter();
  const third = Math.floor(WAITING_BYTES_MAXIMUM / 3);
  const answers = [
    // An empty queue takes any command.
    writer.execute(note('huge', WAITING_BYTES_MAXIMUM * 1.5)),
    writer.execute(note('refused, because the first one fills the queue', 1)),
  ];
  await answers[1];
  release();
  expect((await Promise.all(answers)).map(becameOf)).toEqual(['done', 'temporarilyUnavailable']);
  const names = ['a', 'b', 'c', 'd'];
  const sizes = [third - 1_000, third - 1_000, third - 1_000, third - 1_000];
  const all = names.map((name, index) => writer.execute(note(name, sizes[index]!)));
  const small = writer.execute(note('small', 100));
  expect((await Promise.all([...all, small])).map(becameOf)).toEqual([
    'done',
    'done',
    'done',
    'temporarilyUnavailable',
    'done',
  ]);
  // Commands that are done leave the queue, and so do their bytes.
  expect(becameOf(await writer.execute(note('later', WAITING_BYTES_MAXIMUM)))).toBe('done');
});

it('a list of values counts with all of its members', async () => {
  const { writer, release } = await heldWriter();
  const first = writer.execute(note('first', 1));
  const items = Array.from({ length: 100_000 }, (_, index) => ({ deep: [{ index, text: 'x'.repeat(200) }] }));
  const large = await writer.execute(request('note', { name: 'large', items }));
  release();
  expect([becameOf(await first), becameOf(large)]).toEqual(['done', 'temporarilyUnavailable']);
});

it.each(['note', 'look'])('commands %s with large inputs do not share a read or a commit', async (name) => {
  const tenant = await newTenant();
  const counted = countedD1();
  const writer = writerOf(tenant, counted.db, registry(tenant));
  const send = async (count: number, bytes: number): Promise<number> => {
    const before = counted.batches();
    const notes = Array.from({ length: count }, (_, index) => note(`${bytes} ${index}`, bytes));
    await Promise.all(notes.map((each) => writer.execute({ ...each, name })));
    return counted.batches() - before;
  };
  await send(1, 1);
  // With reads: the first one reads alone, and its commit has the reads of the next ones.
  expect(await send(9, 100)).toBe(name === 'look' ? 3 : 1);
  expect(await send(4, SHARED_BYTES_MAXIMUM / 2)).toBe(name === 'look' ? 5 : 4);
});
