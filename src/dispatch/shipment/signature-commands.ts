import { named } from '../../core/lib/missing.ts';
import { command, isRefusal } from '../../core/writer/command.ts';
import { addedSignature, type NewSignature } from '../signature/changes.ts';
import { signedFactsQuery, signedQuery } from '../signature/store.ts';
import { touched } from './changes.ts';
import { askShipment, closed, foundShipment } from './find.ts';
import { shipmentEntity, shipmentUuidOf } from './store.ts';

/** Add a signature to a shipment. A completed shipment takes signatures, too, because a consignee signs later. */
export const signShipment = command('signShipment', {
  ask: ({ scope }, { identifier }: { identifier: string; signature: NewSignature }) => ({
    ...askShipment(scope, identifier),
    signed: signedQuery(scope, shipmentUuidOf(scope, identifier)),
    facts: signedFactsQuery(scope, 'SHIPMENT', shipmentUuidOf(scope, identifier)),
  }),
  decide(context, { identifier, signature }, { signed, facts: [facts], ...rows }) {
    const found = foundShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    const { state } = found;
    const { status } = state;
    if (status === 'CANCELLED') return closed(state)!;
    const load = {
      uuid: state.uuid,
      externalIdentifier: state.externalIdentifier,
      title: named('Shipment', state.externalIdentifier),
      status,
      facts: facts!,
      entity: shipmentEntity,
      touched: (changes: Parameters<typeof touched>[4]) =>
        touched(context, 'SIGNATURE_ADDED', state, {}, changes),
    };
    return addedSignature(context, load, signature, signed);
  },
});
