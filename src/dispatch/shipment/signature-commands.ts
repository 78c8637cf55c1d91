import { named } from '../../core/lib/missing.ts';
import { command, isRefusal } from '../../core/writer/command.ts';
import { addedSignature, type NewSignature } from '../signature/changes.ts';
import { signedQuery } from '../signature/store.ts';
import { touched } from './changes.ts';
import { askShipment, closed, foundShipment } from './find.ts';
import { shipmentEntity, shipmentUuidOf } from './store.ts';

/** Add a signature to a shipment. A completed shipment takes signatures, too, because a consignee signs later. */
export const signShipment = command('signShipment', {
  ask: ({ scope }, { identifier }: { identifier: string; signature: NewSignature }) => ({
    ...askShipment(scope, identifier),
    signed: signedQuery(scope, shipmentUuidOf(scope, identifier)),
  }),
  decide(context, { identifier, signature }, { signed, ...rows }) {
    const found = foundShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    const { state } = found;
    const isCompleted = state.status === 'COMPLETED';
    const refused = isCompleted ? undefined : closed(state);
    if (refused) return refused;
    const load = {
      uuid: state.uuid,
      externalIdentifier: state.externalIdentifier,
      title: named('Shipment', state.externalIdentifier),
      isCompleted,
      entity: shipmentEntity,
      touched: (changes: Parameters<typeof touched>[4]) =>
        touched(context, 'SIGNATURE_ADDED', state, {}, changes),
    };
    return addedSignature(context, load, signature, signed);
  },
});
