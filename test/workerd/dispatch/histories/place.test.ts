import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mark, scan } from './commands-loading.ts';
import * as manifests from './commands-manifest.ts';
import * as shipments from './commands-shipment.ts';
import { allocate, couple, putGate } from './commands-track.ts';
import { lookAtEverything } from './look.ts';
import { Model } from './model/state.ts';
import { newMemory, Real } from './real.ts';
import { PATIENCE_MS, runs, SEED } from './start.ts';
import type { Look, Step } from './step.ts';

/** All names are few, so that most commands are about a pallet that was read on another truck. */
const manifest = fc.constantFrom('M', 'N', 'O', 'L', 'K');
/** Mostly a manifest in no shipment, because the others refuse most commands. */
const loneManifest = fc.oneof({ arbitrary: fc.constant('K'), weight: 3 }, manifest);
const truck = fc.constantFrom('S', 'T', 'U');
const gate = fc.constantFrom('G', 'H');
const pallet = fc.constantFrom('P', 'Q', 'X');
const pallets = fc.uniqueArray(pallet, { maxLength: 3 });
const members = fc.oneof(
  { arbitrary: manifest.map((name) => [name]), weight: 2 },
  { arbitrary: fc.uniqueArray(manifest, { minLength: 2, maxLength: 2 }), weight: 1 },
);

/**
 * The pallets P, Q and X, and two trucks that are being loaded at their gates. A third truck and the manifest K wait for their
 * start. A person has marked P on K already. The manifest O has no truck.
 */
const START = [
  putGate('G'),
  putGate('H'),
  allocate(3),
  couple(1, 'P'),
  couple(2, 'Q'),
  couple(3, 'X'),
  manifests.create('M', ['P', 'Q']),
  manifests.create('N', ['Q', 'X']),
  manifests.create('O', ['P', 'X']),
  manifests.create('L', ['X']),
  manifests.create('K', ['P'], 'TO_DO', 'H'),
  shipments.create('S', { manifests: ['M'], gateIdentifier: 'G' }),
  shipments.create('T', { manifests: ['N'], gateIdentifier: 'H' }),
  shipments.create('U', { manifests: ['L'], gateIdentifier: 'G' }),
  mark('manifest K', { by: 'track', wmsId: 'P' }, { status: 'LOADED', gateExternalId: 'H' }, false),
  shipments.status('S', 'IN_PROGRESS'),
  shipments.status('T', 'IN_PROGRESS'),
];

/** Readings, and the commands that change the paper of pallets that are aboard. Each has its weight. */
const STEPS: [number, fc.Arbitrary<Step | Look>][] = [
  [
    12,
    fc
      .tuple(gate, fc.nat(), fc.constantFrom(1, 2, 3), fc.constantFrom('LOAD', 'LOAD', 'LOAD', 'UNLOAD'))
      .map(([at, number, markerCode, direction]) =>
        scan(at, { scanId: `s${number}`, markerCode, direction: direction as 'LOAD' }),
      ),
  ],
  [
    6,
    fc
      .tuple(fc.oneof(truck, fc.constantFrom('manifest O', 'manifest K', 'manifest K')), pallet, gate)
      .map(([name, wmsId, at]) =>
        mark(name, { by: 'track', wmsId }, { status: 'LOADED', gateExternalId: at }, false),
      ),
  ],
  [4, fc.tuple(manifest, pallet).map(([name, wmsId]) => manifests.record('POST', name, wmsId))],
  [2, fc.tuple(manifest, pallet).map(([name, wmsId]) => manifests.record('DELETE', name, wmsId))],
  [3, fc.tuple(manifest, pallets).map(([name, list]) => manifests.put(name, list, null))],
  [
    9,
    fc
      .tuple(loneManifest, fc.constantFrom('TO_DO', 'IN_PROGRESS', 'IN_PROGRESS', 'CANCELLED'))
      .map(([name, to]) => manifests.status(name, to)),
  ],
  [2, fc.tuple(manifest, gate).map(([name, at]) => manifests.gate(name, at))],
  [3, loneManifest.map(manifests.remove)],
  [2, fc.tuple(manifest, pallets).map(([name, list]) => manifests.create(name, list))],
  [4, fc.tuple(truck, members).map(([name, names]) => shipments.membership('POST', name, names))],
  [2, fc.tuple(truck, members).map(([name, names]) => shipments.membership('DELETE', name, names))],
  [
    3,
    fc
      .tuple(truck, members, gate)
      .map(([name, names, gateIdentifier]) => shipments.put(name, { manifests: names, gateIdentifier })),
  ],
  [4, truck.map((name) => shipments.status(name, 'IN_PROGRESS'))],
  [
    2,
    fc
      .tuple(truck, fc.constantFrom('RELEASE' as const, 'CANCEL' as const))
      .map(([name, of]) => shipments.status(name, 'CANCELLED', { manifests: of })),
  ],
  [1, truck.map(shipments.remove)],
  [
    3,
    fc
      .tuple(truck, members, gate)
      .map(([name, names, gateIdentifier]) => shipments.create(name, { manifests: names, gateIdentifier })),
  ],
];
const steps = STEPS.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

it('each pallet is on at most one truck while two trucks are loaded and their papers change', async () => {
  const met = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: 'max' }), async (commands) => {
      const [model, real] = [new Model(), await Real.create(met)];
      await real.withHistory(async () => {
        for (const step of START) await step.run(model, real);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await lookAtEverything(model, real.asked(newMemory()));
      });
    }),
    { seed: SEED, numRuns: runs(60), interruptAfterTimeLimit: PATIENCE_MS },
  );
  expect([...met.keys()]).toEqual(
    expect.arrayContaining([
      'scan 200 LOADED',
      'scan 200 WRONGLY_LOADED',
      'manifestStatus 200',
      'attach 200',
    ]),
  );
}, 600_000);
