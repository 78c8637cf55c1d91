import { expect, it } from 'vitest';
import { type Dock, loadingDock } from '../load/shipment/dock.ts';

const START = Date.now() - 3_600_000;

/** A date of this minute of the last hour. */
const at = (minute: number) => ({ scanDate: new Date(START + minute * 60_000).toISOString() });
const camera = (cameraHardwareId: string) => ({ cameraHardwareId });
const statusOf = async (dock: Dock, wmsId: string) =>
  (await dock.must('GET', '/shipment/S/asset-loading')).body.find(
    ({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier === wmsId,
  )?.loadingStatus;

it('a buffered LOAD that arrives after a newer UNLOAD of the same camera changes nothing', async () => {
  const dock = await loadingDock();
  await dock.scan('A', 'LOAD', { ...at(1), ...camera('C1') });
  await dock.scan('A', 'UNLOAD', { ...at(9), ...camera('C1') });
  const before = (await dock.must('GET', '/track/A')).body;
  const late = await dock.scan('A', 'LOAD', { ...at(5), ...camera('C1'), damaged: true });
  expect(late.body).toEqual({
    scanId: expect.any(String),
    outcome: 'SUPERSEDED',
    recordUuid: null,
    manifestExternalId: null,
    trackIdentifier: 'A',
  });
  expect(await statusOf(dock, 'A')).toBe('UNLOADED');
  expect((await dock.must('GET', '/track/A')).body).toEqual(before);
  const entries = (await dock.must('GET', '/track/A/activity')).body.content;
  expect(entries).toContainEqual(
    expect.objectContaining({
      activityType: 'SEEN',
      details: 'SUPERSEDED',
      activityDate: at(5).scanDate,
      gate: expect.objectContaining({ externalIdentifier: 'G' }),
    }),
  );
  expect((await dock.must('GET', '/alert-event')).body.content).toEqual([]);
});

it('a late scan is superseded at every gate, also for a wrong pallet and where nothing is in progress', async () => {
  const dock = await loadingDock();
  await dock.scan('X', 'LOAD', { ...at(3), ...camera('C1') });
  const atH = { scanId: 'h', markerCode: dock.codes['X'], direction: 'LOAD', ...at(1), ...camera('C1') };
  expect((await dock.device('POST', '/gate/H/scan', atH)).body.outcome).toBe('SUPERSEDED');
  expect((await dock.scan('X', 'UNLOAD', { ...at(2), ...camera('C1') })).body.outcome).toBe('SUPERSEDED');
  expect(await statusOf(dock, 'X')).toBe('WRONGLY_LOADED');
  expect((await dock.must('GET', '/alert-event')).body.content).toHaveLength(1);
});

it.each<[string, object, object, string]>([
  ['of another camera counts', camera('C1'), camera('C2'), 'LOADED'],
  ['of the token counts after a scan of a camera', camera('C1'), {}, 'LOADED'],
  ['of a camera counts after a scan of the token', {}, camera('C1'), 'LOADED'],
  ['of the same token is superseded', {}, {}, 'SUPERSEDED'],
  ['of the same camera is superseded', camera('C1'), camera('C1'), 'SUPERSEDED'],
])('an older scan %s', async (_, first, second, outcome) => {
  const dock = await loadingDock();
  await dock.scan('A', 'UNLOAD', { ...at(9), ...first });
  expect((await dock.scan('A', 'LOAD', { ...at(5), ...second })).body.outcome).toBe(outcome);
  expect(await statusOf(dock, 'A')).toBe(outcome === 'LOADED' ? 'LOADED' : 'UNLOADED');
});

it('a scan with the date of the last one counts, and a scan that changed nothing supersedes none', async () => {
  const dock = await loadingDock();
  const outcomes = [];
  for (const [direction, minute] of [
    ['LOAD', 5],
    ['UNLOAD', 5],
    ['UNLOAD', 9],
    ['LOAD', 7],
    ['UNLOAD', 6],
  ] as const) {
    outcomes.push((await dock.scan('A', direction, at(minute))).body.outcome);
  }
  expect(outcomes).toEqual(['LOADED', 'UNLOADED', 'UNLOADED', 'LOADED', 'SUPERSEDED']);
});

it('scans of one batch that are out of order end like the newest scan', async () => {
  const dock = await loadingDock();
  const scans = [
    ['LOAD', 1],
    ['UNLOAD', 9],
    ['LOAD', 5],
  ].map(([direction, minute]) => ({
    scanId: `${minute}`,
    markerCode: dock.codes['A'],
    direction,
    ...at(Number(minute)),
  }));
  const { body } = await dock.device('POST', '/gate/G/scans', { scans });
  expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'LOADED',
    'UNLOADED',
    'SUPERSEDED',
  ]);
  expect(await statusOf(dock, 'A')).toBe('UNLOADED');
});
