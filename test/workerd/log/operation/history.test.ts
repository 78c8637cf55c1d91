import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newTenant } from '../../client.ts';
import { Background, type Death } from './background.ts';
import { eventsOf } from './finished.ts';

/** Number of runs. Each is a separate history with its own tenant. */
const RUNS = Number(process.env['HISTORY_RUNS'] ?? 25);
const CODES = 4;

type Step =
  | { do: 'couple'; wmsId: string; markerCode: number }
  | { do: 'getAndCouple'; wmsId: string; markerCode: number }
  | { do: 'coupleNow'; wmsId: string; markerCode: number }
  | { do: 'job'; at: number }
  | { do: 'lose'; at: number }
  | { do: 'pass'; at: number }
  | { do: 'deliver'; at: number; count: number; twice: boolean; death: Death | undefined }
  | { do: 'retire'; wmsId: string };

const wmsId = fc.constantFrom('P', 'Q', 'R');
const markerCode = fc.integer({ min: 1, max: CODES });
const at = fc.nat(99);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('couple', 'getAndCouple'), wmsId, markerCode }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('coupleNow' as const), wmsId, markerCode }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retire' as const), wmsId }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('job', 'lose', 'pass'), at }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      at,
      count: fc.integer({ min: 1, max: 3 }),
      twice: fc.boolean(),
      death: fc.option(fc.constantFrom<Death>('before', 'after', 'refused', 'defect'), { nil: undefined }),
    }),
  },
) as fc.Arbitrary<Step>;

/** Play a history. @returns the accepted operations. */
async function play(background: Background, steps: readonly Step[]): Promise<string[]> {
  const accepted: string[] = [];
  const { queue } = background;
  let now = Date.now();
  const ask = async (name: Parameters<Background['run']>[0], input: object) => {
    // A refused operation leaves nothing.
    const answer = await background.run<{ operationUuid?: string }>(name, input).catch(() => null);
    if (answer?.operationUuid) accepted.push(answer.operationUuid);
  };
  for (const taken of steps) {
    const more = { customFields: [], clientId: null };
    if (taken.do === 'couple') await ask('acceptCoupling', { ...taken, ...more });
    else if (taken.do === 'getAndCouple') await ask('acceptAllocateAndCouple', { ...taken, ...more });
    else if (taken.do === 'coupleNow') await ask('coupleTrack', { ...taken, ...more });
    else if (taken.do === 'retire') await ask('retireTrack', { identifier: taken.wmsId, force: true });
    else if (taken.do === 'job') await background.job(now);
    else if (taken.do === 'pass') now += 3_000;
    else if (taken.do === 'lose') queue.splice(taken.at % Math.max(queue.length, 1), 1);
    else if (taken.do === 'deliver') {
      const chosen = queue.splice(taken.at % Math.max(queue.length, 1), taken.count);
      const messages = taken.twice ? [...chosen, ...chosen] : chosen;
      const settled = await background.deliver(messages, taken.death ? { death: taken.death } : {});
      settled.forEach((how, index) => {
        if (how === 'retry') queue.push(messages[index]!);
      });
    }
  }
  return accepted;
}

it('every accepted operation has one outcome, even if the queue loses, doubles or reorders its messages', async () => {
  let outcomes = 0;
  let failures = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const tenant = await newTenant({ markerCodeStart: 1 });
      const background = new Background(tenant);
      await background.run('allocateMarkers', { quantity: CODES });
      const accepted = await play(background, steps);
      await background.drain();
      const events = await eventsOf(tenant);
      expect(events.map(({ sequenceNumber }) => sequenceNumber)).toEqual(events.map((_, i) => i + 1));
      expect(new Set(events.map(({ operationId }) => operationId))).toEqual(new Set(accepted));
      const tracks = (await tenant.call('GET', '/track?pageSize=100')).body.content;
      for (const operation of accepted) {
        const of = events.filter(({ operationId }) => operationId === operation);
        expect(of).toHaveLength(2);
        const [coupling, completed] = of;
        const { body } = await tenant.call('GET', `/operation/${operation}`);
        expect(completed).toMatchObject({ eventType: 'OPERATION_COMPLETED', data: body });
        const [result] = body.results;
        if (coupling.eventType === 'COUPLING_SUCCEEDED') {
          expect([body.status, result.error]).toEqual(['SUCCEEDED', null]);
          expect(tracks.map(({ uuid }: { uuid: string }) => uuid)).toContain(coupling.entityUuid);
          expect(coupling.data.wmsId).toBe(result.identifier);
        } else {
          expect([coupling.eventType, body.status]).toEqual(['COUPLING_FAILED', 'FAILED']);
          expect(coupling.error).toEqual(result.error);
          failures += 1;
        }
        outcomes += 1;
      }
      const live = tracks.filter(({ trackStatus }: { trackStatus: string }) => trackStatus !== 'NOT_ACTIVE');
      expect(new Set(live.map(({ wmsId: id }: { wmsId: string }) => id)).size).toBe(live.length);
      expect(new Set(tracks.map(({ markerCode: code }: { markerCode: number }) => code)).size).toBe(
        tracks.length,
      );
    }),
    { numRuns: RUNS },
  );
  // Otherwise the histories would have tested nothing.
  expect(outcomes).toBeGreaterThan(RUNS);
  expect(failures).toBeGreaterThan(0);
});
