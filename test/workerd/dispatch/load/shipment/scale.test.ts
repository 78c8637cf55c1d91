import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../client.ts';
import { recorded, type Statement } from '../../../statements.ts';
import { couplePallets, named, numbered, planManifests } from './bulk.ts';
import { type Dock, newDock } from './dock.ts';

/** Limits of D1: parameters per statement, bytes per statement, bytes per parameter. */
const PARAMETERS_MAXIMUM = 100;
const TEXT_MAXIMUM = 100_000;
const VALUE_MAXIMUM = 2_000_000;
const NAMING = /^INSERT INTO (organization_number|audit_actor)\b/;

/** The D1 usage of a request: round trips, and statements in its commit (none for a read). */
interface Asked {
  roundTrips: number;
  inCommit: number;
}

/** Sends a request, expects success, and returns its D1 usage. Each statement must be within the limits of D1. */
async function asked(send: () => Promise<Answer>): Promise<Asked & { answer: Answer }> {
  let answer: Answer | undefined;
  const trips = await recorded(async () => {
    answer = await send();
  });
  const { status, body, headers } = answer!;
  if (status >= 300) throw new Error(JSON.stringify(body));
  for (const { statements } of trips) statements.forEach(expectTaken);
  const commit = trips.find(({ statements }) =>
    /^INSERT INTO (idempotency|recent_answer)/.test(statements.at(-1)!.text),
  );
  // Statements that give new names a number in the log run only once, so they are not counted.
  const others = commit?.statements.filter(({ text }) => !NAMING.test(text)) ?? [];
  return {
    roundTrips: Number(/d1;desc="(\d+) round trips/.exec(headers.get('Server-Timing')!)![1]),
    inCommit: others.length,
    answer: answer!,
  };
}

function expectTaken({ text, params }: Statement): void {
  expect(params.length).toBeLessThanOrEqual(PARAMETERS_MAXIMUM);
  expect(text.length).toBeLessThanOrEqual(TEXT_MAXIMUM);
  for (const param of params) expect(String(param).length).toBeLessThanOrEqual(VALUE_MAXIMUM);
}

const scanAll = (wmsIds: readonly string[], dock: Dock) => ({
  scans: wmsIds.map((wmsId) => ({ scanId: wmsId, markerCode: dock.codes[wmsId], direction: 'LOAD' })),
});

/**
 * Plays shipments with this many manifests and pallets per manifest: one is completed, one cancelled, one deleted.
 */
async function lives(count: number, pallets: number): Promise<{ asked: Record<string, Asked>; dock: Dock }> {
  const dock = await newDock();
  const manifests = numbered('M', count);
  const others = numbered('N', count);
  const assets = (name: string) => numbered(`${name}-P`, pallets);
  const all = manifests.flatMap(assets);
  await couplePallets(dock, all);
  await planManifests(
    dock,
    [...manifests, ...others, 'FIRST'].map((name) => ({
      externalIdentifier: name,
      assets: name === 'FIRST' ? [] : assets(name.replace('N', 'M')),
    })),
  );
  const steps: Record<string, Asked> = {};
  const step = async (name: string, ...call: Parameters<Dock['call']>) => {
    const { answer, ...cost } = await asked(() => dock.call(...call));
    steps[name] = cost;
    return answer;
  };
  await dock.must('POST', '/marker-code/allocate?imageDelivery=URL');
  await step('create', 'POST', '/shipment', { identifier: 'D', gateIdentifier: 'G', ...named(others) });
  await step('delete', 'DELETE', '/shipment/D');
  await dock.shipment('C', others, { gateIdentifier: 'G' });
  await step('replace', 'PUT', '/shipment/C', { gateIdentifier: 'H', ...named(others) });
  await step('gate', 'POST', '/shipment/C/gate/G');
  await dock.must('POST', '/shipment/C/status/IN_PROGRESS');
  await step('cancel', 'POST', '/shipment/C/status/CANCELLED');

  await dock.shipment('S', ['FIRST'], { gateIdentifier: 'G' });
  await step('attach', 'POST', '/shipment/S/manifest', named(manifests));
  await step('detach', 'DELETE', '/shipment/S/manifest', named(manifests));
  await dock.must('POST', '/shipment/S/manifest', named(manifests));
  await step('start', 'POST', '/shipment/S/status/IN_PROGRESS');
  for (const name of manifests) {
    const { answer, ...cost } = await asked(() =>
      dock.device('POST', '/gate/G/scans', scanAll(assets(name), dock)),
    );
    const outcomes = answer.body.results.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(assets(name).map(() => 'LOADED'));
    expect(cost).toEqual(steps['scans'] ?? cost);
    steps['scans'] = cost;
  }
  await step('get', 'GET', '/shipment/S');
  await step('validate', 'GET', '/shipment/S/validate');
  await step('assets', 'GET', '/shipment/S/asset');
  await step('records', 'GET', '/shipment/S/asset-loading');
  await step('complete', 'POST', '/shipment/S/status/COMPLETED');
  return { asked: steps, dock };
}

describe('a shipment of 50 manifests with 100 pallets each', () => {
  it('a shipment of 50 manifests with 100 pallets each costs as many statements as one of a single pallet', async () => {
    const one = await lives(1, 1);
    const { asked: steps, dock } = await lives(50, 100);
    // A list that is answered as one array is read in portions of 1 MB, up to 10 MB.
    const lists = ['assets', 'records'];
    const others = (all: Record<string, Asked>) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !lists.includes(name)));
    expect(others(steps)).toEqual(others(one.asked));
    // Closing a shipment also needs the tracks that this retires, because the log names each.
    const most = (name: string) => {
      if (lists.includes(name)) return 10;
      return ['cancel', 'complete'].includes(name) ? 3 : 2;
    };
    for (const [name, { roundTrips }] of Object.entries(steps)) {
      expect([name, roundTrips <= most(name) || roundTrips]).toEqual([name, true]);
    }
    expect(Math.max(...Object.values(steps).map(({ inCommit }) => inCommit))).toBeLessThan(15);

    const shipment = (await dock.must('GET', '/shipment/S')).body;
    expect(shipment).toMatchObject({
      status: 'COMPLETED',
      tracksCount: 5_000,
      totalAssetsCount: 5_000,
      loadedAssetsCount: 5_000,
    });
    expect(shipment.manifests).toHaveLength(51);
    // A cancelled manifest's assets do not count, but its tracks do.
    expect((await dock.must('GET', '/shipment/C')).body).toMatchObject({
      status: 'CANCELLED',
      tracksCount: 5_000,
      totalAssetsCount: 0,
      loadedAssetsCount: 0,
    });
    const records = (await dock.must('GET', '/shipment/S/asset-loading')).body;
    expect(records).toHaveLength(5_000);
    for (const { loadingStatus, track, trackIdentifier } of records) {
      expect([loadingStatus, track.wmsId]).toEqual(['LOADED', trackIdentifier]);
    }
    for (const [name, manifestStatus] of [
      ['M0', 'COMPLETED'],
      ['M49', 'COMPLETED'],
      ['N49', 'CANCELLED'],
    ]) {
      const manifest = (await dock.must('GET', `/manifest/${name}`)).body;
      expect(manifest).toMatchObject({ manifestStatus, totalAssetsCount: 100 });
    }
  });
});

describe('a shipment of 1,000 manifests', () => {
  const thousand = numbered('M', 1_000);
  const withManifests = async (): Promise<Dock> => {
    const dock = await newDock();
    await planManifests(
      dock,
      [...thousand, 'X', 'Y'].map((externalIdentifier) => ({ externalIdentifier, assets: [] })),
    );
    return dock;
  };
  const identifiers = async (dock: Dock): Promise<string[]> =>
    (await dock.must('GET', '/shipment/S')).body.manifests.map(
      (reference: { manifestExternalId: string }) => reference.manifestExternalId,
    );

  it('a shipment of 1,000 manifests costs as many round trips as any, and 1,001 are refused', async () => {
    const dock = await withManifests();
    const create = { identifier: 'S', gateIdentifier: 'G', ...named(thousand) };
    expect((await asked(() => dock.call('POST', '/shipment', create))).roundTrips).toBeLessThanOrEqual(3);
    expect(await identifiers(dock)).toEqual(thousand);
    const more = () => dock.call('POST', '/shipment/S/manifest', named(['X']));
    const refused = await more();
    expect([refused.status, refused.body.code]).toEqual([409, 'manifestLimitReached']);
    expect((await dock.must('GET', '/manifest/X')).body.manifestStatus).toBe('PLANNED');
    await dock.must('DELETE', '/shipment/S/manifest', named(['M0']));
    expect((await more()).status).toBe(200);
    expect((await dock.call('POST', '/shipment/S/manifest', named(['Y']))).body.code).toBe(
      'manifestLimitReached',
    );
    expect(await identifiers(dock)).toEqual([...thousand.slice(1), 'X']);
    for (const [method, path] of [
      ['POST', '/shipment/S/status/IN_PROGRESS'],
      ['DELETE', '/shipment/S'],
    ] as const) {
      const { roundTrips, inCommit } = await asked(() => dock.call(method, path));
      expect([method, path, roundTrips]).toEqual([method, path, 2]);
      // The audit entries need several statements, because the size of a parameter is limited.
      expect(inCommit).toBeLessThan(15);
    }
    expect((await dock.must('GET', '/manifest/X')).body.manifestStatus).toBe('PLANNED');
  });

  it('a request may name 1,000 manifests at most', async () => {
    const dock = await withManifests();
    const many = named([...thousand, 'X']);
    await dock.shipment('S', ['Y']);
    for (const [method, path, body] of [
      ['POST', '/shipment', { identifier: 'T', ...many }],
      ['PUT', '/shipment/S', many],
      ['POST', '/shipment/S/manifest', many],
      ['DELETE', '/shipment/S/manifest', many],
    ] as const) {
      const { status, body: problem } = await dock.call(method, path, body);
      expect([method, path, status, problem.code]).toEqual([method, path, 400, 'validationFailed']);
    }
    expect(await identifiers(dock)).toEqual(['Y']);
    expect((await dock.call('PUT', '/shipment/S', named(thousand))).status).toBe(200);
    expect(await identifiers(dock)).toEqual(thousand);
  });
});
