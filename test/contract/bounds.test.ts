import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { ALONE, BOUNDS, EARLY, FLAT, type Growth } from './bounds.ts';
import { newCrowd } from './crowd.ts';
import { type Operation, operation, operations, unlike } from './document.ts';
import { send } from './request.ts';
import { renewable } from './restored-world.ts';
import type { World } from './world.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const FEW = 10;
const MANY = 1_000;

/** The cost of a request: bytes of its answer, rows that D1 read, and bytes that it stored. */
type Cost = Required<Growth>;

/** Bytes of the stored answers, events and audit records of an organization. */
async function storedBytes({ tenant }: World): Promise<number> {
  const of = (table: string, column: string) =>
    `(SELECT coalesce(sum(octet_length(${column})), 0) FROM ${table} WHERE organization_uuid = ?1)`;
  const row = await db
    .prepare(
      `SELECT ${of('idempotency', 'body')} + ${of('recent_answer', 'body')} + ${of('event_log', 'data')}
        + ${of('audit_log', 'changes')} AS bytes`,
    )
    .bind(tenant.uuid)
    .first<{ bytes: number }>();
  return row!.bytes;
}

async function costOf(operated: Operation, world: World): Promise<Cost> {
  const before = await storedBytes(world);
  const { status, body, headers } = await send(operated, world);
  if (status >= 300) throw new Error(`${operated.operationId}: ${JSON.stringify(body)}`);
  const rows = /(\d+) rows read/.exec(headers.get('Server-Timing') ?? '')?.[1];
  return {
    bytes: body instanceof Uint8Array ? body.length : JSON.stringify(body).length,
    rows: Number(rows ?? 0),
    stored: (await storedBytes(world)) - before,
  };
}

/** The cost of each operation in a world with `count` items. */
async function costs(count: number): Promise<Map<string, Cost>> {
  const found = new Map<string, Cost>();
  const crowdAnew = renewable(() => newCrowd(count));
  const shared = await crowdAnew();
  const together = operations.filter(({ operationId }) => !ALONE.includes(operationId));
  for (const operated of together.toSorted((one, two) => rank(one) - rank(two))) {
    // Each request creates resources under its own name.
    const names = { ...shared.names, unused: `${shared.names.unused}-${found.size}` };
    found.set(operated.operationId, await costOf(operated, { ...shared, names }));
  }
  for (const name of ALONE) found.set(name, await costOf(operation(name), await crowdAnew()));
  return found;
}

/** The order of operations: reads, then changes, then deletions. */
function rank({ operationId, method }: Operation): number {
  const early = EARLY.indexOf(operationId);
  if (early >= 0) return 1 + early / EARLY.length;
  return method === 'GET' ? 0 : method === 'DELETE' ? 3 : 2;
}

it('every operation declares by how much its answers, reads and records grow', () => {
  expect(unlike(BOUNDS), 'say so in test/contract/bounds.ts').toEqual([]);
});

it('no answer, read or record grows beyond its declared bound with 1,000 items instead of 10', async () => {
  const [few, many] = [await costs(FEW), await costs(MANY)];
  const beyond = [...few].flatMap(([name, cost]) => {
    const grown = Object.entries(cost).map(([what, value]) => {
      const growth = many.get(name)![what as keyof Cost] - value;
      const allowed = { ...FLAT, ...BOUNDS[name] }[what as keyof Cost];
      return growth > allowed
        ? `${what}: ${value} with ${FEW} things, ${growth} more with ${MANY}, ${allowed} allowed`
        : undefined;
    });
    const exceeded = grown.filter((line) => line !== undefined);
    return exceeded.length === 0 ? [] : [`${name}: ${exceeded.join('; ')}`];
  });
  expect(beyond, 'read less, or say why not in test/contract/bounds.ts').toEqual([]);
}, 600_000);
