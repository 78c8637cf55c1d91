import { newUuid } from '../../../core/lib/id.ts';
import { fold } from '../../../core/lib/text.ts';
import type { Change, Context } from '../../../core/writer/command.ts';
import type { StoredField } from '../../custom-field/rules.ts';
import { insertFieldsOf } from '../../custom-field/store.ts';
import { manifestEntries } from '../../track/activity-store.ts';
import { insertAssets } from '../shared/asset-store.ts';
import type { ManifestFacts } from './fact-rules.ts';
import { manifest } from './table.ts';

/** A manifest to insert. */
export interface InsertedManifest extends ManifestFacts {
  uuid: string;
  externalIdentifier: string;
  manifestStatus: 'PLANNED' | 'TO_DO';
  gateUuid: string | null;
  /** The manifest that it is the back order of. */
  backOrderOfUuid: string | null;
  fields: readonly StoredField[];
  /** The WMS ids of its assets. */
  assets: readonly string[];
}

/** Insert manifests with their assets and custom fields, and add entries to the timelines of their pallets. */
export const insertManifests = (
  context: Context,
  manifests: readonly InsertedManifest[],
): Pick<Change, 'writes' | 'entries'> => ({
  writes: [
    // Assets come first. For an asset that is inserted after its manifest, a trigger would raise the manifest's
    // `assets_count`, which already includes it.
    ...insertAssets(
      context.scope,
      manifests.flatMap(({ uuid: manifestUuid, assets }) =>
        assets.map((wmsId) => ({ uuid: newUuid(), manifestUuid, wmsId })),
      ),
      context.now,
    ),
    ...context.scope.insert(
      manifest,
      manifests.map(({ fields: _, assets, ...row }) => ({
        ...row,
        assetsCount: assets.length,
        foldedIdentifier: fold(row.externalIdentifier),
        createDate: context.now,
        updateDate: context.now,
      })),
    ),
    ...insertFieldsOf(
      context.scope,
      manifests.flatMap(({ uuid: ownerUuid, fields }) => fields.map((field) => ({ ownerUuid, ...field }))),
    ),
  ],
  entries: manifestEntries(
    context.scope,
    'ATTACHED',
    manifests.flatMap(({ externalIdentifier, assets }) =>
      assets.map((wmsId) => ({ wmsId, manifestExternalId: externalIdentifier })),
    ),
  ),
});
