import { command, isRefusal } from '../../../core/writer/command.ts';
import type { NewSignature } from '../shared/signature-changes.ts';
import { askSigned } from '../shared/signature-store.ts';
import { askShipment, foundShipment } from './find.ts';
import { signedShipment } from './signature-changes.ts';
import { shipmentUuidOf } from './store.ts';

/** Add a signature to a shipment. A completed shipment takes signatures, too, because a consignee signs later. */
export const signShipment = command('signShipment', {
  ask: ({ scope }, { identifier }: { identifier: string; signature: NewSignature }) => ({
    ...askShipment(scope, identifier),
    ...askSigned(scope, 'SHIPMENT', shipmentUuidOf(scope, identifier)),
  }),
  decide(context, { identifier, signature }, { signed, facts, ...rows }) {
    const found = foundShipment(rows, { identifier });
    if (isRefusal(found)) return found;
    return signedShipment(context, found.state, signature, { signed, facts });
  },
});
