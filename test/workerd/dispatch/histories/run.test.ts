import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lookAtEverything } from './look.ts';
import { Model } from './model/state.ts';
import { newMemory, Real } from './real.ts';
import { recount } from './recount.ts';
import { recountReport } from './recount-report.ts';
import { IS_USUAL, PATIENCE_MS, runs, SEED, STARTS, start } from './start.ts';
import { STEPS } from './steps.ts';

const STEPS_MAXIMUM = 60;

const steps = STEPS.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

/**
 * Answers that must occur at least once, or the test has proved too little: operation, status, and code or outcome.
 */
const REQUIRED_ANSWERS =
  `attach 200|attach 400 manifestsEmpty|attach 409 manifestsNotAttachable|attach 409 shipmentClosed
photo 201|photo 400 trackNotFound|photoAtGate 201|photoAtGate 404 gateNotFound|photoAtGate 409 notAtGate|deletePhoto 200|deletePhoto 404 photoNotFound
signShipment 201|signShipment 409 shipmentClosed|signManifest 201|signManifest 409 manifestBelongsToShipment|signManifest 409 manifestClosed
backorder 201|backorder 409 manifestNotClosed|backorder 409 nothingLeft|backorder 409 backorderExists
release 204|shipmentStatus 400 validationFailed|attachTrack 200|attachTrack 409 manifestClosed|couple 200|couple 409 markerAlreadyCoupled|couple 409 wmsIdAlreadyCoupled
createManifest 201|createShipment 201|createShipment 409 externalIdentifierInUse
createShipment 409 manifestsNotAttachable|deleteGate 204|deleteGate 409 gateInUse|deleteManifest 200
deleteManifest 409 manifestBelongsToShipment|deleteShipment 204|deleteShipment 409 shipmentClosed|deleteTrack 200
deleteTrack 409 trackOnOpenManifest|detach 200|detach 409 manifestsNotAttached|detach 409 shipmentClosed
manifestGate 409 manifestBelongsToShipment|manifestStatus 200|manifestStatus 409 manifestBelongsToShipment|mark 200
markManifest 200|markManifest 409 manifestBelongsToShipment
removeInvalidManifest 200|removeInvalidManifest 409 manifestBelongsToShipment
mark 400 gateRequired|mark 404 assetLoadingNotFound|mark 409 invalidLoadingRecord|mark 409 shipmentClosed
putManifest 200|putShipment 200|putShipment 400 gateRequired|putShipment 400 identifierImmutable
putShipment 409 manifestsNotAttachable|putShipment 409 shipmentClosed|putShipmentField 200|removeInvalid 200
removeInvalid 409 recordNotInvalidLoading|retire 200|revertRetirement 200|scan 200 LOADED|scan 200 UNLOADED
scan 200 OFFLOADED|scan 200 WRONGLY_LOADED|scan 200 UNKNOWN_LOADING|scan 200 NO_ACTIVE_MANIFEST
scan 200 NOT_LOADED|scan 200 SUPERSEDED|scans 200 LOADED
arrive 200|arrive 400 validationFailed|arrive 409 shipmentClosed|shipmentGate 200|shipmentGate 409 shipmentClosed|shipmentStatus 204|shipmentStatus 400 gateRequired
shipmentStatus 400 transitionNotAllowed|shipmentStatus 400 unknownStatus`.split(/[|\n]/);

it('any requests in any order answer and end as the model says', async () => {
  const met = new Map<string, number>();
  const numRuns = runs(80);
  let played = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...STARTS),
      fc.commands(steps, { maxCommands: STEPS_MAXIMUM, size: 'max' }),
      async (kind, commands) => {
        played += 1;
        const [model, real] = [new Model(), await Real.create(met)];
        await real.withHistory(async () => {
          for (const step of start(kind)) await step.run(model, real);
          await fc.asyncModelRun(() => ({ model, real }), commands);
          const settled = real.asked(newMemory());
          await lookAtEverything(model, settled);
          await recount(settled);
          await recountReport(model, settled);
        });
      },
    ),
    { seed: SEED, numRuns, interruptAfterTimeLimit: PATIENCE_MS },
  );
  const answers = [...met.values()].reduce((sum, count) => sum + count, 0);
  console.log(`seed ${SEED}: ${played} histories, ${answers} answers of ${met.size} kinds`);
  if (IS_USUAL && played === numRuns) expect(REQUIRED_ANSWERS.filter((kind) => !met.has(kind))).toEqual([]);
}, 600_000);
