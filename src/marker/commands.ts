import { newUuid } from '../lib/id.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import type { Change, Command, Context } from '../writer/command.ts';
import { type Block, blockFrom } from './rules.ts';
import { lastMarkerCode } from './store.ts';
import { markerAllocation } from './table.ts';

const NEXT = 'nextMarkerCode';

/** Allocate a block of codes: consecutive, the next ones of the organization, all or none. */
export const allocateMarkers: Command<{ quantity: number }> = async (context, { quantity }) => {
  const reserved = await reserveMarkers(context, quantity);
  if ('code' in reserved) return reserved;
  return { ...reserved.change, answer: { value: reserved.block } };
};

/** The next block, with what a command has to commit to take it; a `quantity` over the organization's maximum is refused. */
export async function reserveMarkers(
  { database, organization, now, memo }: Context,
  quantity: number,
): Promise<
  Refusal | { block: Block; change: Pick<Change, 'writes' | 'audit'> & { memo: Record<string, unknown> } }
> {
  const maximum = organization!.markerAllocationMaximum;
  if (quantity > maximum) {
    const message = `One allocation takes at most ${maximum} codes.`;
    return refusal('validationFailed', message, {
      errors: [{ field: 'quantity', code: 'validationFailed', message, rejectedValue: quantity }],
    });
  }
  const next = await memo(NEXT, async () => {
    const last = await lastMarkerCode(database);
    return last === undefined ? organization!.markerCodeStart : last + 1;
  });
  const block = blockFrom(next, quantity);
  if (!block) return refusal('markerCodesExhausted', 'The organization has used up its marker codes.');
  return {
    block,
    change: {
      writes: database.insert(markerAllocation, [{ ...block, allocatedDate: now }]),
      audit: [
        {
          action: 'MARKERS_ALLOCATED',
          entityType: 'MARKER_ALLOCATION',
          entityUuid: newUuid(),
          entityExternalId: String(block.firstMarkerCode),
          changes: [
            { field: 'firstMarkerCode', oldValue: null, newValue: block.firstMarkerCode },
            { field: 'lastMarkerCode', oldValue: null, newValue: block.lastMarkerCode },
          ],
        },
      ],
      memo: { [NEXT]: block.lastMarkerCode + 1 },
    },
  };
}
