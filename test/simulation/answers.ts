import { refusalStatus } from '../../src/core/lib/problem.ts';
import type { Outcome } from '../../src/core/writer/command.ts';
import type { Wish } from './callers.ts';
import type { Row } from './store.ts';
import type { Stores } from './stores.ts';

/** The statuses of refusals that are stored as the answer of an idempotency key. */
const KEPT = [404, 409];

/** Whether an answer is final: an effect, or a refusal that repeats get, too. */
export const isFinal = (outcome: Outcome): boolean =>
  outcome.kind === 'done' || (outcome.kind === 'refused' && KEPT.includes(refusalStatus(outcome.refusal)));

/** The text of an answer, for comparison. */
export const textOf = (outcome: Outcome): string =>
  outcome.kind === 'done'
    ? outcome.body
    : outcome.kind === 'refused'
      ? JSON.stringify(outcome.refusal)
      : outcome.kind;

/** The idempotency record of a wish. */
export async function recordOf(stores: Stores, { organization, key }: Wish): Promise<Row | undefined> {
  const [row] = await stores.read(
    organization,
    'SELECT body, refusal, command_id AS "commandId" FROM idempotency WHERE organization_uuid = ? AND key = ?',
    organization,
    key,
  );
  return row;
}

/** Whether a record holds this answer. */
export const isAnswered = (record: Row | undefined, outcome: Outcome): boolean =>
  record !== undefined && (record['body'] ?? record['refusal']) === textOf(outcome);

/** The first and the last code that an answer issues. */
export function codesOf(name: string, outcome: Outcome): [number, number] | undefined {
  if (outcome.kind !== 'done') return undefined;
  if (name === 'allocateMarkers' || name === 'createPrintingBatch') {
    const { firstMarkerCode, lastMarkerCode } = JSON.parse(outcome.body);
    return [firstMarkerCode, lastMarkerCode];
  }
  if (name === 'allocateAndCouple' || name === 'acceptAllocateAndCouple') {
    const { markerCode } = JSON.parse(outcome.body);
    return [markerCode, markerCode];
  }
  if (name === 'coupleAssets') {
    const { block } = JSON.parse(outcome.body);
    return block ? [block.firstMarkerCode, block.lastMarkerCode] : undefined;
  }
  return undefined;
}
