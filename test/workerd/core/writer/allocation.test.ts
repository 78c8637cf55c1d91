import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Answer, newTenant, type Tenant } from '../../client.ts';

interface Call {
  /** Calls with the same key are one request and its repeats. */
  key: string;
  path: string;
  json?: unknown;
  /** Values of a counter that every start and end increments. They give the real order of events. */
  started: number;
  ended: number;
  codes: number[];
}

const PARALLEL = 40;

/**
 * One caller's requests, one after the other. Each is an allocation or a get-and-couple, sent once or more.
 */
const caller = fc.array(
  fc.record({
    quantity: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60 })),
    couples: fc.boolean(),
    sends: fc.integer({ min: 1, max: 3 }),
    parallelRepeat: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);

it('allocations give every code once, in contiguous batches, later requests higher codes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(caller, { minLength: PARALLEL, maxLength: PARALLEL }), async (callers) => {
      const tenant = await newTenant({ markerCodeStart: 7 });
      check(await play(tenant, callers));
    }),
    { numRuns: 4 },
  );
});

type Callers = (typeof caller extends fc.Arbitrary<infer V> ? V : never)[];

async function play(tenant: Tenant, callers: Callers): Promise<Call[]> {
  let moment = 0;
  const calls: Call[] = [];
  const send = async (key: string, path: string, json: unknown): Promise<void> => {
    const started = moment++;
    const answer = await tenant.call('POST', path, json, { 'Idempotency-Key': key });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    calls.push({ key, path, json, started, ended: moment++, codes: codesOf(answer) });
  };
  await Promise.all(
    callers.map(async (requests, callerIndex) => {
      for (const [index, { quantity, couples, sends, parallelRepeat }] of requests.entries()) {
        const key = `caller-${callerIndex}-${index}`;
        const path = couples
          ? '/track/get-and-couple?imageDelivery=URL'
          : `/marker-code/allocate?quantity=${quantity}&imageDelivery=URL`;
        const again = () => send(key, path, couples ? { wmsId: key } : undefined);
        const repeats = Array.from({ length: sends });
        if (parallelRepeat) await Promise.all(repeats.map(again));
        else for (const _ of repeats) await again();
      }
    }),
  );
  return calls;
}

function codesOf({ body }: Answer): number[] {
  return body.entries
    ? body.entries.map((entry: { markerCode: number }) => entry.markerCode)
    : [body.markerCode];
}

function check(calls: Call[]): void {
  const first = new Map<string, Call>();
  for (const call of calls) {
    const known = first.get(call.key);
    if (known) expect(call.codes).toEqual(known.codes);
    // For each key, the earliest end is when its effect was known, and the earliest start is when it was
    // requested.
    first.set(call.key, {
      ...call,
      started: Math.min(call.started, known?.started ?? call.started),
      ended: Math.min(call.ended, known?.ended ?? call.ended),
    });
  }
  const requests = [...first.values()];
  for (const { codes } of requests) {
    codes.forEach((code, index) => {
      expect(code).toBe(codes[0]! + index);
    });
  }
  const all = requests.flatMap(({ codes }) => codes).sort((a, b) => a - b);
  expect(all).toEqual(all.map((_, index) => 7 + index));
  for (const earlier of requests) {
    for (const later of requests) {
      if (earlier.ended < later.started) expect(later.codes[0]!).toBeGreaterThan(earlier.codes.at(-1)!);
    }
  }
}

it('an allocation at the end of the codes takes all of a batch or nothing', async () => {
  const tenant = await newTenant({ markerCodeStart: Number.MAX_SAFE_INTEGER - 2 });
  const all = await tenant.call('POST', '/marker-code/allocate?quantity=4&imageDelivery=URL');
  expect([all.status, all.body.code]).toEqual([409, 'markerCodesExhausted']);
  const rest = await tenant.call('POST', '/marker-code/allocate?quantity=3&imageDelivery=URL');
  expect(codesOf(rest)).toEqual([2 ** 53 - 3, 2 ** 53 - 2, 2 ** 53 - 1]);
  const none = await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' });
  expect([none.status, none.body.code]).toEqual([409, 'markerCodesExhausted']);
});

it('a refused coupling uses no code', async () => {
  const tenant = await newTenant();
  await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' });
  const refused = await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' });
  expect([refused.status, refused.body.code]).toEqual([409, 'wmsIdAlreadyCoupled']);
  const next = await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'Q' });
  expect(next.body.markerCode).toBe(1_000_000_001);
});

it('concurrent couplings of a WMS id couple it once', async () => {
  const tenant = await newTenant();
  const answers = await Promise.all(
    Array.from({ length: 32 }, () =>
      tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'P' }),
    ),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(answers.filter((answer) => answer.body.code === 'wmsIdAlreadyCoupled')).toHaveLength(31);
  const next = await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL');
  expect(codesOf(next)).toEqual([1_000_000_001]);
});
