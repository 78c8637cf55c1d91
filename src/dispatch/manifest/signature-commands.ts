import { sql } from 'drizzle-orm';
import { named } from '../../core/lib/missing.ts';
import { command, isRefusal } from '../../core/writer/command.ts';
import { addedSignature, type NewSignature } from '../signature/changes.ts';
import { signedFactsQuery, signedQuery } from '../signature/store.ts';
import { auditedManifest } from './changes.ts';
import { askManifest, belongsToShipment, foundManifest, manifestClosed } from './find.ts';
import { manifestEntity, manifestUuidOf } from './store.ts';
import { manifest } from './table.ts';

/** Add a signature to a manifest that is in no shipment. */
export const signManifest = command('signManifest', {
  ask: ({ scope }, { identifier }: { identifier: string; signature: NewSignature }) => ({
    ...askManifest(scope, identifier),
    signed: signedQuery(scope, manifestUuidOf(scope, identifier)),
    facts: signedFactsQuery(scope, 'MANIFEST', manifestUuidOf(scope, identifier)),
  }),
  decide(context, { identifier, signature }, { signed, facts: [facts], ...rows }) {
    const found = foundManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    if (found.shipmentUuid !== null) return belongsToShipment(found, 'Sign the shipment instead.');
    const { uuid, externalIdentifier, manifestStatus: status } = found;
    if (status === 'CANCELLED') return manifestClosed(found);
    const load = {
      uuid,
      externalIdentifier,
      title: named('Manifest', externalIdentifier),
      status,
      facts: facts!,
      entity: manifestEntity,
      touched: (changes: Parameters<typeof auditedManifest>[2]) => ({
        writes: [context.scope.update(manifest, { updateDate: context.now }, sql`uuid = ${uuid}`)],
        audit: [auditedManifest('SIGNATURE_ADDED', found, changes)],
      }),
    };
    return addedSignature(context, load, signature, signed);
  },
});
