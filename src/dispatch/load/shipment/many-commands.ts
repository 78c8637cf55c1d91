import { missing } from '../../../core/lib/missing.ts';
import { command, decideItems, mergeChanges } from '../../../core/writer/command.ts';
import { gateQuery } from '../../gate/store.ts';
import { assignedGate } from './changes.ts';
import { closed } from './find.ts';
import { membersOfQuery, shipmentStatesQuery } from './store.ts';

/**
 * Assign a gate to many shipments in one commit. A closed shipment is reported. The others still
 * get the gate.
 */
export const assignShipmentsGate = command('assignShipmentsGate', {
  exclusive: true,
  ask: ({ scope }, { uuids, gateIdentifier }: { uuids: string[]; gateIdentifier: string }) => ({
    states: shipmentStatesQuery(scope, uuids),
    members: membersOfQuery(scope, uuids),
    gates: gateQuery(scope, gateIdentifier),
  }),
  decide(context, { uuids, gateIdentifier }, { states, members, gates: [gate] }) {
    if (!gate) return missing('gateNotFound', gateIdentifier);
    const { taken, became } = decideItems(uuids, (uuid) => {
      const state = states.find((one) => one.uuid === uuid);
      if (!state) return { name: uuid, of: missing('shipmentNotFound', uuid) };
      const own = members.filter(({ shipmentUuid }) => shipmentUuid === uuid);
      return { name: state.externalIdentifier, of: closed(state) ?? { state, members: own } };
    });
    return mergeChanges({ value: { became } }, assignedGate(context, taken, gate));
  },
});
