import { refusalStatus } from '../../src/core/lib/problem.ts';
import type { Outcome } from '../../src/core/writer/command.ts';
import type { Wish } from './callers.ts';
import type { Row } from './store.ts';
import type { Stores } from './stores.ts';

/** The statuses of refusals that are kept as an answer. */
const KEPT = [404, 409];

/** Whether an answer lasts: an effect, or a refusal that its repeats get too. */
export const lasts = (outcome: Outcome): boolean =>
  outcome.kind === 'done' || (outcome.kind === 'refused' && KEPT.includes(refusalStatus(outcome.refusal)));

/** What an answer says, to be compared. */
export const said = (outcome: Outcome): string =>
  outcome.kind === 'done'
    ? outcome.body
    : outcome.kind === 'refused'
      ? JSON.stringify(outcome.refusal)
      : outcome.kind;

/** The record of a wish by its key. */
export async function recordOf(stores: Stores, { organization, key }: Wish): Promise<Row | undefined> {
  const [row] = await stores.read(
    organization,
    'SELECT body, refusal, command_id AS "commandId" FROM idempotency WHERE organization_uuid = ? AND key = ?',
    organization,
    `key:${key}`,
  );
  return row;
}

/** Whether a record is that of an answer. */
export const isAnswered = (record: Row | undefined, outcome: Outcome): boolean =>
  record !== undefined && (record['body'] ?? record['refusal']) === said(outcome);

/** The codes that an answer hands out: first and last. */
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
  return undefined;
}
