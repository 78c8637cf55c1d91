import { newUuid } from '../../../core/lib/id.ts';
import { type ChangePart, type Context, mergeChanges } from '../../../core/writer/command.ts';
import { raiseAlerts } from '../../alert/changes.ts';
import { NAMED_MAXIMUM } from '../../alert/message-rules.ts';
import { coverPallets, type PalletOrMarker } from '../../alert/pallet-changes.ts';
import { type AssignedGate, assignedGateOf } from '../../gate/rules.ts';

/** A load that is no longer in progress, and the gate where it was: a shipment, or a manifest that is in no shipment. */
export interface LeftLoad extends AssignedGate {
  kind: 'Shipment' | 'Manifest';
  uuid: string;
  externalIdentifier: string;
}

/**
 * Raise one alert about the pallets that are still aboard a load. It is resolved when each of them was read again
 * (`readAgain`). A pallet that is given several times counts once. Without pallets nothing is raised.
 */
export function raisePalletsAboard(
  context: Context,
  load: LeftLoad,
  pallets: readonly PalletOrMarker[],
): ChangePart {
  const aboard = [...new Map(pallets.map((one) => [one.wmsId ?? one.markerCode, one])).values()];
  if (aboard.length === 0) return { writes: [], audit: [] };
  const { kind, externalIdentifier } = load;
  const uuid = newUuid();
  const wmsIds = aboard.flatMap(({ wmsId }) => wmsId ?? []).slice(0, NAMED_MAXIMUM);
  const raised = raiseAlerts(context, [
    {
      uuid,
      alertType: 'PALLETS_ABOARD',
      params: { count: aboard.length, wmsIds },
      gate: assignedGateOf(load),
      manifestExternalId: kind === 'Manifest' ? externalIdentifier : null,
      shipmentExternalId: kind === 'Shipment' ? externalIdentifier : null,
      recordUuid: load.uuid,
    },
  ]);
  const pieces = aboard.map((one) => ({ ...one, alertUuid: uuid }));
  return mergeChanges({ value: null }, [raised, coverPallets(context, pieces)]);
}
