import { newUuid } from '../../core/lib/id.ts';
import { named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { type ChangePart, type Context, command, isRefusal } from '../../core/writer/command.ts';
import { type Block, blockFrom } from './rules.ts';
import { markerAllocation } from './store.ts';

/** Allocate a block of the organization's next marker codes: all or none. */
export const allocateMarkers = command('allocateMarkers', {
  decide(context, { quantity }: { quantity: number }) {
    const reserved = reserveMarkers(context, quantity);
    return isRefusal(reserved)
      ? reserved
      : { ...reserved.change, answer: { value: reserved.block }, recalled: { forgets: [] } };
  },
  conflictKeys: () => [],
});

/**
 * The next block, the uuid of its allocation, and the change that allocates it. A `quantity` above the organization's maximum
 * is refused.
 */
export function reserveMarkers(
  { scope, organization, nextMarkerCode, now }: Context,
  quantity: number,
): Refusal | { block: Block; uuid: string; change: ChangePart } {
  const maximum = organization!.markerAllocationMaximum;
  if (quantity > maximum) {
    const message = `One allocation takes at most ${maximum} codes.`;
    return refusal('validationFailed', message, {
      errors: [{ field: 'quantity', code: 'validationFailed', message, rejectedValue: quantity }],
    });
  }
  const block = blockFrom(nextMarkerCode!, quantity);
  if (!block)
    return refusal(
      'markerCodesExhausted',
      `${named('Organization', organization!.slug)} does not have ${quantity} marker codes left.`,
      { facts: { name: organization!.slug } },
    );
  const uuid = newUuid();
  return {
    block,
    uuid,
    change: {
      writes: scope.insert(markerAllocation, [{ ...block, uuid, allocatedDate: now }]),
      audit: [
        {
          action: 'MARKERS_ALLOCATED',
          entityType: 'MARKER_ALLOCATION',
          entityUuid: uuid,
          entityExternalId: String(block.firstMarkerCode),
          changes: [
            { field: 'firstMarkerCode', oldValue: null, newValue: block.firstMarkerCode },
            { field: 'lastMarkerCode', oldValue: null, newValue: block.lastMarkerCode },
          ],
        },
      ],
      state: { lastMarkerCode: block.lastMarkerCode },
    },
  };
}
