import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../../core/lib/changes.ts';
import type { Write } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { listChanges } from '../../core/writer/chain.ts';
import { type Change, type ChangePart, type Context, mergeChanges } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { diffFields, type StoredField } from '../custom-field/rules.ts';
import { auditFields, writeFields } from '../custom-field/store.ts';
import { recordActivity } from '../track/activity-store.ts';
import { retireDue } from '../track/changes.ts';
import type { DueRetirement } from '../track/store.ts';
import { IS_ASSET, insertAssets } from './asset-store.ts';
import { assetLoading } from './asset-table.ts';
import { auditedManifest, touchShipment } from './changes.ts';
import type { diffAssets } from './rules.ts';
import { type ManifestState, manifestEntity } from './store.ts';
import { manifest } from './table.ts';

interface Edit {
  assets?: Pick<ReturnType<typeof diffAssets>, 'added' | 'removed'>;
  /** The tracks to retire now, because their assets are removed. */
  due?: readonly DueRetirement[];
  fields?: ReturnType<typeof diffFields>;
  current?: StoredField[];
}

/** Up to this many assets are found one by one. For more, SQLite reads fewer rows if it reads the manifest. */
const FEW_ASSETS = 20;
/** Both values of `closed` are named, so that the index by WMS id finds each asset. */
const oneByOne = ({ length }: readonly string[]): SQL =>
  length <= FEW_ASSETS ? sql`closed IN (0, 1)` : sql`TRUE`;

/** The change for an edit of assets and fields. It is empty if nothing differs. */
export function edited<A>(
  context: Context,
  found: ManifestState,
  edit: Edit,
  answer: Change<A>['answer'],
): Change<A> {
  const { scope, now } = context;
  const { assets = { added: [], removed: [] }, fields = diffFields([], []) } = edit;
  const at = { manifestExternalId: found.externalIdentifier };
  const writes: Write[] = [
    ...(assets.removed.length > 0
      ? [
          scope.remove(
            assetLoading,
            sql`manifest_uuid = ${found.uuid} AND wms_id ${inList(assets.removed)} AND ${oneByOne(assets.removed)}
          AND ${IS_ASSET}`,
          ),
        ]
      : []),
    ...recordActivity(context, 'DETACHED', assets.removed, at),
    ...insertAssets(scope, found.uuid, assets.added, now),
    ...recordActivity(context, 'ATTACHED', assets.added, at),
    ...writeFields(scope, found.uuid, fields),
  ];
  if (writes.length === 0) return { writes, audit: [], answer };
  const changes: FieldChange[] = [
    ...listChanges('assets', assets.removed, assets.added),
    ...auditFields(edit.current ?? [], fields),
  ];
  const changed: ChangePart = {
    writes: [...writes, scope.update(manifest, { updateDate: now }, sql`uuid = ${found.uuid}`)],
    audit: [auditedManifest('MANIFEST_UPDATED', found, changes)],
    events: emit(context, 'MANIFEST_UPDATED', manifestEntity, [found]),
  };
  return mergeChanges(answer, [changed, retireDue(context, edit.due ?? []), touchShipment(context, found)]);
}
