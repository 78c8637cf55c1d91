import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../client.ts';
import { bodyOf, request, writerOf } from '../../core/writer/requests.ts';
import { type Dock, loadingDock, newDock } from '../load/shipment/dock.ts';

/** How often a request called D1. */
const calls = ({ headers }: Answer): number =>
  Number(/(\d+) round trips/.exec(headers.get('Server-Timing')!)![1]);

const outcomes = async (answers: Promise<Answer>[]): Promise<unknown[]> =>
  (await Promise.all(answers)).map((answer) => [answer.body.outcome, calls(answer)]);

/** Everything about the loads of a dock that scans decide on, without uuids and dates. */
const stateOf = async (dock: Dock): Promise<unknown> => {
  const loads = await Promise.all(
    ['M', 'N', 'O'].map(async (id) => (await dock.call('GET', `/manifest/${id}/asset-loading`)).body),
  );
  const { body: log } = await dock.must('GET', '/audit-log?pageSize=100');
  const alerts = (await dock.must('GET', '/alert-event?pageSize=100')).body.content;
  return [
    log.content.map(({ action, entityExternalId }: Answer['body']) => `${action} ${entityExternalId}`),
    ...loads.map((load) =>
      (Array.isArray(load) ? load : [])
        .map(({ trackIdentifier, markerCode, loadingStatus, gate }: Answer['body']) =>
          [trackIdentifier, markerCode, loadingStatus, gate?.externalIdentifier].join(' '),
        )
        .toSorted(),
    ),
    alerts.map(({ alertType, trackIdentifier, status }: Answer['body']) =>
      [alertType, trackIdentifier, status].join(' '),
    ),
  ];
};

const timelineOf = async (dock: Dock, pallet: string): Promise<string[]> =>
  (await dock.must('GET', `/track/${pallet}/activity`)).body.content.map(
    ({ activityType }: Answer['body']) => activityType,
  );

describe('a gate in the memory of the writer', () => {
  it('a scan calls D1 once, if another scan at the gate came before', async () => {
    const dock = await loadingDock();
    expect(calls(await dock.scan('A'))).toBe(2);
    expect(await outcomes([dock.scan('B')])).toEqual([['LOADED', 1]]);
    expect(await outcomes([dock.scan('B', 'UNLOAD')])).toEqual([['UNLOADED', 1]]);
    expect(await outcomes([dock.scan('A'), dock.scan('B'), dock.scan('C')])).toEqual([
      ['LOADED', 1],
      ['LOADED', 1],
      ['LOADED', 1],
    ]);
  });

  it('a batch of scans calls D1 once, if another scan at the gate came before', async () => {
    const dock = await loadingDock();
    await dock.scan('A');
    const scans = ['A', 'B', 'C', 'B'].map((pallet, index) => ({
      scanId: `s${index}`,
      markerCode: dock.codes[pallet],
      direction: index === 3 ? 'UNLOAD' : 'LOAD',
    }));
    const answer = await dock.device('POST', '/gate/G/scans', { scans });
    expect(answer.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'LOADED',
      'LOADED',
      'LOADED',
      'UNLOADED',
    ]);
    expect(calls(answer)).toBe(1);
  });

  it('couplings and other scans leave the gate in memory', async () => {
    const dock = await loadingDock();
    await dock.scan('A');
    await dock.couple('Y');
    await dock.scan('X');
    await dock.scan(77);
    expect(await outcomes([dock.scan('B')])).toEqual([['LOADED', 1]]);
  });

  it('a pallet of a load with more than 1,000 pallets is read', async () => {
    const dock = await loadingDock();
    await dock.manifest('L', ...Array.from({ length: 1_000 }, (_, index) => `L${index}`));
    await dock.must('POST', '/shipment/S/manifest', { manifests: [{ manifestExternalId: 'L' }] });
    await dock.scan('A');
    expect(await outcomes([dock.scan('B')])).toEqual([['LOADED', 2]]);
  });

  it.each<[string, (dock: Dock) => Promise<unknown>, string]>([
    [
      'marked by hand',
      (dock) => dock.must('PATCH', '/shipment/S/asset-loading/track/A/status', byHand('NOT_LOADED')),
      'LOADED',
    ],
    [
      'taken from its manifest',
      (dock) => dock.must('DELETE', '/manifest/M/track-record/A'),
      'WRONGLY_LOADED',
    ],
    [
      'on a load that is complete',
      (dock) => dock.must('POST', '/shipment/S/status/COMPLETED'),
      'NO_ACTIVE_MANIFEST',
    ],
    [
      'on a cancelled manifest',
      (dock) => dock.must('POST', '/manifest/M/status/CANCELLED'),
      'WRONGLY_LOADED',
    ],
  ])('a pallet that was %s since the last scan is scanned as it is now', async (_, change, outcome) => {
    const dock = await loadingDock();
    await dock.scan('A');
    await change(dock);
    expect((await dock.scan('A')).body.outcome).toBe(outcome);
    const loaded = (await timelineOf(dock, 'A')).filter((type) => type === 'LOADED');
    expect(loaded).toHaveLength(outcome === 'LOADED' ? 2 : 1);
  });

  it('a commit of another object makes the writer read the gate again', async () => {
    const dock = await loadingDock();
    await dock.scan('A');
    const input = { gateIdentifier: 'G', scans: [scanInput(dock, 'C', 'LOAD', 'other')] };
    bodyOf(await writerOf(dock).execute(request('recordScans', input)));
    // The commit of this scan collides. The next one sees the effect of the other object.
    await dock.scan('A', 'UNLOAD');
    await dock.scan('C');
    expect(await timelineOf(dock, 'C')).toEqual(['SEEN', 'LOADED', 'ATTACHED', 'COUPLED']);
  });

  it('a repeat of a scan gets the first answer and keeps the gate in memory', async () => {
    const dock = await loadingDock();
    await dock.scan('A');
    const first = await dock.scan('B', 'LOAD', { scanId: 'one' });
    expect((await dock.scan('B', 'LOAD', { scanId: 'one' })).body).toEqual(first.body);
    expect((await dock.scan('C', 'LOAD', { scanId: 'one' })).body.outcome).toBe('LOADED');
    expect(await outcomes([dock.scan('B', 'UNLOAD')])).toEqual([['UNLOADED', 1]]);
  });
});

const byHand = (status: string) => ({ status, gateExternalId: 'G' });

const scanInput = (dock: Dock, pallet: string, direction: string, scanId: string) => ({
  scanId,
  markerCode: dock.codes[pallet]!,
  identifier: null,
  wmsId: null,
  direction,
  damaged: false,
  scanDate: null,
  cameraHardwareId: 'camera',
});

/** A dock with S in progress at G (A, B, C) and O in progress at H (C, D). X is on no load. */
async function twoGates(): Promise<Dock> {
  const dock = await newDock();
  await dock.couple('A', 'B', 'C', 'D', 'X');
  await dock.manifest('M', 'A', 'B');
  await dock.manifest('N', 'B', 'C');
  await dock.manifest('O', 'C', 'D');
  await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
  await dock.shipment('T', ['O'], { gateIdentifier: 'H' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  await dock.must('POST', '/shipment/T/status/IN_PROGRESS');
  return dock;
}

/** One action of a history: a scan, or a change of the paper that the writer does not remember. */
const actions = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      gate: fc.constantFrom('G', 'H'),
      pallet: fc.constantFrom('A', 'B', 'C', 'D', 'X'),
      direction: fc.constantFrom('LOAD', 'LOAD', 'UNLOAD', 'OFFLOAD'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      call: fc.constantFrom<[string, string, object?]>(
        ['PATCH', '/shipment/S/asset-loading/track/A/status', byHand('NOT_LOADED')],
        ['PATCH', '/shipment/T/asset-loading/track/D/status', byHand('LOADED')],
        ['DELETE', '/manifest/N/track-record/C'],
        ['PATCH', '/track/D/flag'],
        ['POST', '/shipment/T/status/COMPLETED'],
      ),
    }),
  },
);

describe('memory and store', () => {
  it('histories of scans end the same with and without memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { minLength: 8, maxLength: 24 }), async (history) => {
        const [remembering, forgetful] = [await twoGates(), await twoGates()];
        for (const [index, action] of history.entries()) {
          if (action.kind === 'call') {
            const [method, path, json] = action.call;
            const answers = [remembering, forgetful].map((dock) => dock.call(method, path, json));
            const [one, other] = await Promise.all(answers);
            expect(one!.status).toBe(other!.status);
            continue;
          }
          const { gate, pallet, direction } = action;
          const scanOf = (dock: Dock) => scanInput(dock, pallet, direction, `h${index}`);
          const { scanId, markerCode, cameraHardwareId } = scanOf(remembering);
          const { body } = await remembering.device('POST', `/gate/${gate}/scan`, {
            scanId,
            markerCode,
            direction,
            cameraHardwareId,
          });
          // A new writer remembers nothing.
          const input = { gateIdentifier: gate, scans: [scanOf(forgetful)] };
          const { results } = bodyOf<{ results: { outcome: string }[] }>(
            await writerOf(forgetful).execute(request('recordScans', input)),
          );
          expect(body.outcome).toBe(results[0]!.outcome);
        }
        expect(await stateOf(remembering)).toEqual(await stateOf(forgetful));
      }),
      { numRuns: 12 },
    );
  });
});
