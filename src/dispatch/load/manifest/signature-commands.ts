import { command, isRefusal } from '../../../core/writer/command.ts';
import type { NewSignature } from '../shared/signature-changes.ts';
import { askSigned } from '../shared/signature-store.ts';
import { askManifest, belongsToShipment, foundManifest } from './find.ts';
import { signedManifest } from './signature-changes.ts';
import { manifestUuidOf } from './store.ts';

/** Add a signature to a manifest that is in no shipment. */
export const signManifest = command('signManifest', {
  ask: ({ scope }, { identifier }: { identifier: string; signature: NewSignature }) => ({
    ...askManifest(scope, identifier),
    ...askSigned(scope, 'MANIFEST', manifestUuidOf(scope, identifier)),
  }),
  decide(context, { identifier, signature }, { signed, facts, ...rows }) {
    const found = foundManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    if (found.shipmentUuid !== null) return belongsToShipment(found, 'Sign the shipment instead.');
    return signedManifest(context, found, signature, { signed, facts });
  },
});
