import type { FC } from 'hono/jsx';
import { usePageState } from '../../ui/parts/view.ts';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';

/**
 * The pallets of the loads in progress, the pallets of the loads that are ready, and the badges of the workers, for the
 * scripts. Without a connection they compare scans with these lists. The list is whole if it has all pallets. Then a
 * pallet that is not on it does not belong on the truck.
 */
export const HeldList: FC<{ page: GatePage }> = ({
  page: { gate, open, aboard, ready, markers, badges },
}) => {
  const { session } = usePageState();
  const shown = open.slice(0, GATE_LIMITS.open);
  const isWhole =
    gate.active.length > 0 && open.length <= GATE_LIMITS.open && aboard.length <= GATE_LIMITS.aboard;
  return (
    <div
      id="held"
      hidden
      data-organization={session?.organization.uuid}
      data-open={JSON.stringify(
        shown.map(({ recordUuid, wmsId, track }) => [wmsId, track?.markerCode ?? null, recordUuid]),
      )}
      data-aboard={JSON.stringify(aboard.map(({ wmsId, markerCode }) => [wmsId, markerCode]))}
      data-ready={JSON.stringify(
        ready.map(({ wmsId, markerCode, recordUuid, load }) => [wmsId, markerCode, recordUuid, load]),
      )}
      data-whole={isWhole ? '' : undefined}
      data-badges={badges && JSON.stringify(badges)}
      data-markers={JSON.stringify([markers.first, markers.last])}
    />
  );
};
