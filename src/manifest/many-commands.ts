import { refusal } from '../lib/problem.ts';
import { tellingGates } from '../site/changes.ts';
import { assignedTo } from '../site/rules.ts';
import { gateQuery } from '../site/store.ts';
import { command, mergeChanges } from '../writer/command.ts';
import { decideEach } from '../writer/each.ts';
import { assignGate } from './changes.ts';
import { gateRefused } from './find.ts';
import { manifestStatesQuery } from './store.ts';

/**
 * Assign a gate to many manifests in one commit. One that is closed or in a shipment is reported, and does not hold up
 * the others.
 */
export const assignManifestsGate = command('assignManifestsGate', {
  goesAlone: true,
  ask: ({ scope }, { uuids, gateIdentifier }: { uuids: string[]; gateIdentifier: string }) => ({
    states: manifestStatesQuery(scope, uuids),
    gates: gateQuery(scope, gateIdentifier),
  }),
  decide(context, { uuids }, { states, gates: [gate] }) {
    if (!gate) return refusal('gateNotFound', 'There is no such gate.');
    const { taken, became } = decideEach(uuids, (uuid) => {
      const state = states.find((one) => one.uuid === uuid);
      if (!state) return { name: uuid, of: refusal('manifestNotFound', 'There is no such manifest.') };
      return { name: state.externalIdentifier, of: gateRefused(state) ?? state };
    });
    return mergeChanges(
      { value: { became } },
      tellingGates(context, [assignGate(context, taken, assignedTo(gate))]),
    );
  },
});
