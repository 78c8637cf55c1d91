import type { BarPart } from '../../../pallet/load-bar.ts';
import type { GatePage } from './gate-store.ts';
import { progressOf } from './rules.ts';

/** The manifests of the load in progress, in order. Several loads have a part each. */
export const boardParts = ({ gate, members }: Pick<GatePage, 'gate' | 'members'>): BarPart[] =>
  gate.active.flatMap((thing) => {
    const own = members.filter(
      ({ shipmentUuid, status }) => shipmentUuid === thing.uuid && status !== 'CANCELLED',
    );
    return (own.length > 0 && gate.active.length === 1 ? own : [thing]).map(
      ({ externalIdentifier, counts }) => {
        const { loaded, total } = progressOf(counts);
        return { name: externalIdentifier, loaded, total };
      },
    );
  });
