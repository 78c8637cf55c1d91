import { sql } from 'drizzle-orm';
import { named } from '../../../core/lib/missing.ts';
import type { Refusal } from '../../../core/lib/problem.ts';
import type { Change, Context } from '../../../core/writer/command.ts';
import { addedSignature, type NewSignature } from '../shared/signature-changes.ts';
import type { Signed, StoredSignature } from '../shared/signature-store.ts';
import type { SignedFacts } from '../shared/signed-for-rules.ts';
import { auditedManifest } from './changes.ts';
import { manifestClosed } from './find.ts';
import { type ManifestState, manifestEntity } from './store.ts';
import { manifest } from './table.ts';

/** Add a signature to a manifest that is in no shipment. */
export function signedManifest(
  context: Context,
  found: ManifestState,
  signature: NewSignature,
  { signed, facts: [facts] }: { signed: readonly Signed[]; facts: readonly SignedFacts[] },
): Change<StoredSignature> | Refusal {
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
}
