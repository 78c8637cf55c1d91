import { missing } from '../../../core/lib/missing.ts';
import { command, decideItems, mergeChanges } from '../../../core/writer/command.ts';
import { tellingGates } from '../../gate/changes.ts';
import { assignedTo } from '../../gate/rules.ts';
import { gateQuery } from '../../gate/store.ts';
import { assignGate } from './changes.ts';
import { gateRefused } from './find.ts';
import { manifestStatesQuery } from './store.ts';

/**
 * Assign a gate to many manifests in one commit. A manifest that is closed or in a shipment is
 * reported. The others still get the gate.
 */
export const assignManifestsGate = command('assignManifestsGate', {
  exclusive: true,
  ask: ({ scope }, { uuids, gateIdentifier }: { uuids: string[]; gateIdentifier: string }) => ({
    states: manifestStatesQuery(scope, uuids),
    gates: gateQuery(scope, gateIdentifier),
  }),
  decide(context, { uuids, gateIdentifier }, { states, gates: [gate] }) {
    if (!gate) return missing('gateNotFound', gateIdentifier);
    const { taken, became } = decideItems(uuids, (uuid) => {
      const state = states.find((one) => one.uuid === uuid);
      if (!state) return { name: uuid, of: missing('manifestNotFound', uuid) };
      return { name: state.externalIdentifier, of: gateRefused(state) ?? state };
    });
    return mergeChanges(
      { value: { became } },
      tellingGates(context, [assignGate(context, taken, assignedTo(gate))]),
    );
  },
});
