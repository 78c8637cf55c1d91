import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { parseJson } from '../../core/lib/json.ts';
import { missing } from '../../core/lib/missing.ts';
import { refusal } from '../../core/lib/problem.ts';
import { command, isRefusal, mergeChanges, unchanged } from '../../core/writer/command.ts';
import {
  acceptedOperationChange,
  openOperation,
  operationProgressChange,
} from '../../log/operation/changes.ts';
import { partsOf } from '../../log/operation/rules.ts';
import { type ItemRow, itemsQuery, nextIndex, operationStateQuery } from '../../log/operation/store.ts';
import { gateQuery } from '../gate/store.ts';
import { applyScans, askScans, type ReadAtGate } from '../loading/scan-commands.ts';
import { MARKER_CODE_MAXIMUM } from '../marker/rules.ts';
import { SIMULATED_SCANS_MAXIMUM, type simulationSchema } from './schema.ts';
import { expectedQuery, othersQuery, type Readable } from './store.ts';

/** The maximum number of scans of one commit without a pace. */
const BATCH = 50;
/** Unknown markers are chosen from this many of the highest codes. */
const UNKNOWN_CODES = 1_000_000_000;

type Simulation = z.output<typeof simulationSchema> & { gateIdentifier: string; requestId: string };

/** The input of an item. */
interface Scanned {
  markerCode: number;
}

/** The parameters of a simulation, without its items. */
interface Played {
  gateUuid: string;
  paceMilliseconds: number;
}

/** Accept a simulation of cameras at a gate. It decides now which markers the cameras will read. */
export const acceptSimulation = command('acceptSimulation', {
  ask({ scope }, { gateIdentifier, loadPallets, wrongPallets }: Simulation) {
    const gateUuid = sql`(SELECT uuid FROM (${gateQuery(scope, gateIdentifier)}))`;
    const expected = loadPallets === 'ALL' ? SIMULATED_SCANS_MAXIMUM : loadPallets;
    return {
      gates: gateQuery(scope, gateIdentifier),
      expected: expected === 0 ? undefined : expectedQuery(scope, gateUuid, expected),
      others: wrongPallets === 0 ? undefined : othersQuery(scope, gateUuid, wrongPallets),
    };
  },
  decide(context, input, { gates: [gate], expected, others }) {
    if (!context.organization?.sandbox) {
      return refusal('sandboxRequired', 'Simulations are possible only in a sandbox organization.');
    }
    if (!gate) return missing('gateNotFound', input.gateIdentifier);
    const unknown = Array.from({ length: input.unknownMarkers }, (_, index): Readable => {
      const markerCode = MARKER_CODE_MAXIMUM - ((context.now + index) % UNKNOWN_CODES);
      return { markerCode, wmsId: String(markerCode) };
    });
    const played: Played = { gateUuid: gate.uuid, paceMilliseconds: input.paceMilliseconds };
    const { operationUuid, ...change } = acceptedOperationChange(context, {
      operationType: 'SIMULATION',
      input: played,
      items: partsOf(
        [...expected, ...others, ...unknown].map(({ markerCode, wmsId }) => ({
          identifier: wmsId,
          input: { markerCode },
        })),
      ),
      requestId: input.requestId,
    });
    return { ...mergeChanges({ value: { operationUuid } }, [change]), jobs: true };
  },
});

/**
 * The result of playing scans: whether the simulation is finished, and the pause before its next
 * scans.
 */
interface PlayedOn {
  finished: boolean;
  waitMilliseconds?: number;
}

/**
 * Play the next scans of a simulation, and record their results, in one commit. They are decided
 * like scans of real cameras.
 */
export const carryOutSimulation = command('carryOutSimulation', {
  ask: ({ scope }, { operationUuid }: { operationUuid: string }) => ({
    operations: operationStateQuery<Played>(scope, operationUuid),
    items: itemsQuery<Scanned>(scope, operationUuid, nextIndex(scope, operationUuid), BATCH),
  }),
  askMore: (context, { operationUuid }, { operations, items }) =>
    askScans(context, scansOf(operationUuid, operations, items)),
  decide(context, { operationUuid }, { operations, items, ...rows }) {
    const state = openOperation(operations);
    if (!state) return unchanged<PlayedOn>({ value: { finished: true } });
    const { paceMilliseconds } = parseJson(state.input);
    const played = scansOf(operationUuid, operations, items);
    const done = played.scans.map((_, at) => items[at]!.index);
    const change = applyScans(context, played, rows);
    const error = isRefusal(change) ? { code: change.code, message: change.detail } : null;
    const left = state.totalCount - state.succeededCount - state.failedCount - done.length;
    const answer: PlayedOn = { finished: left === 0, waitMilliseconds: paceMilliseconds };
    return mergeChanges({ value: answer }, [
      ...(isRefusal(change) ? [] : [change]),
      operationProgressChange(
        context,
        state,
        done.map((index) => ({ index, error })),
        paceMilliseconds,
      ),
    ]);
  },
});

/** The next scans. With a pace, one at a time. */
function scansOf(operationUuid: string, [state]: { input: string }[], items: ItemRow<Scanned>[]): ReadAtGate {
  if (!state) return { gateIdentifier: '', scans: [] };
  const { gateUuid, paceMilliseconds }: Played = JSON.parse(state.input);
  return {
    gateIdentifier: gateUuid,
    scans: items.slice(0, paceMilliseconds > 0 ? 1 : BATCH).map(({ index, input }) => ({
      scanId: `simulation-${operationUuid}-${index}`,
      markerCode: parseJson(input!).markerCode,
      identifier: null,
      wmsId: null,
      direction: 'LOAD',
      damaged: false,
      scanDate: null,
      cameraHardwareId: 'simulation',
    })),
  };
}
