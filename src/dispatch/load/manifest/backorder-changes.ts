import { sql } from 'drizzle-orm';
import { parseJson } from '../../../core/lib/json.ts';
import type { ChangePart, Context } from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import { auditedManifest } from './changes.ts';
import { type BackorderRow, type LinkedManifest, type ManifestState, manifestEntity } from './store.ts';
import { manifest } from './table.ts';

/** The back order of a manifest, or null. */
export const linkOf = ([row]: readonly BackorderRow[]) => (row?.backorder ? parseJson(row.backorder) : null);

/** The change of a manifest that gets a back order. */
export function linkedBackorder(
  context: Context,
  source: ManifestState,
  { uuid, externalIdentifier }: { uuid: string; externalIdentifier: string },
): ChangePart {
  const { scope, now } = context;
  return {
    writes: [scope.update(manifest, { backOrderUuid: uuid, updateDate: now }, sql`uuid = ${source.uuid}`)],
    audit: [
      auditedManifest('MANIFEST_UPDATED', source, [
        { field: 'backorder', oldValue: null, newValue: externalIdentifier },
      ]),
    ],
    events: emit(context, 'MANIFEST_UPDATED', manifestEntity, [source]),
  };
}

/**
 * The changes of the manifests that name a deleted manifest as their back order, or as the manifest
 * that they are the back order of. A manifest whose back order is deleted can have another one.
 */
export const unlinkedBackorder = (
  context: Context,
  deleted: ManifestState,
  linked: readonly LinkedManifest[],
): ChangePart[] =>
  linked.map((other) => {
    const { scope, now } = context;
    const link = other.isSource === 1 ? { backOrderUuid: null } : { backOrderOfUuid: null };
    const field = other.isSource === 1 ? 'backorder' : 'backorderOf';
    return {
      writes: [scope.update(manifest, { ...link, updateDate: now }, sql`uuid = ${other.uuid}`)],
      audit: [
        auditedManifest('MANIFEST_UPDATED', other, [
          { field, oldValue: deleted.externalIdentifier, newValue: null },
        ]),
      ],
      events: emit(context, 'MANIFEST_UPDATED', manifestEntity, [other]),
    };
  });
