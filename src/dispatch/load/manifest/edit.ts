import { sql } from 'drizzle-orm';
import type { FieldChange } from '../../../core/lib/changes.ts';
import type { Write } from '../../../core/lib/scope.ts';
import { listChanges } from '../../../core/writer/chain.ts';
import { type Change, type ChangePart, type Context, mergeChanges } from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import { diffFields, type StoredField } from '../../custom-field/rules.ts';
import { auditFields, writeFields } from '../../custom-field/store.ts';
import { retireDue } from '../../track/changes.ts';
import type { DueRetirement } from '../../track/store.ts';
import { addedAssets, takenAssets } from '../shared/place-changes.ts';
import { assetsCame, assetsTaken } from '../shared/place-rules.ts';
import { type PlacedRow, placedOf } from '../shared/place-store.ts';
import { auditedManifest } from './changes.ts';
import { factChanges, type ManifestFacts } from './fact-rules.ts';
import type { diffAssets } from './rules.ts';
import { type ManifestState, manifestEntity } from './store.ts';
import { manifest } from './table.ts';

interface Edit {
  assets?: Pick<ReturnType<typeof diffAssets>, 'added' | 'removed'>;
  /** The tracks to retire now, because their assets are removed. */
  due?: readonly DueRetirement[];
  /** The records of the manifest's load that are not NOT_LOADED. */
  placed?: readonly PlacedRow[];
  /** The records that say where the added pallets are. */
  where?: readonly PlacedRow[];
  fields?: ReturnType<typeof diffFields>;
  current?: StoredField[];
  /** The facts after the edit. */
  facts?: ManifestFacts;
}

/** The change for an edit of assets, fields and facts. It is empty if nothing differs. */
export function edited<A>(
  context: Context,
  found: ManifestState,
  edit: Edit,
  answer: Change<A>['answer'],
): Change<A> {
  const { scope, now } = context;
  const { assets = { added: [], removed: [] }, fields = diffFields([], []) } = edit;
  const isInProgress = found.manifestStatus === 'IN_PROGRESS';
  const taken = takenAssets(
    context,
    found,
    assets.removed,
    assetsTaken(
      placedOf(edit.placed ?? []),
      { isInProgress },
      {
        manifestUuid: found.uuid,
        wmsIds: new Set(assets.removed),
      },
    ),
  );
  const loadUuid = found.shipmentUuid ?? found.uuid;
  const came = isInProgress ? assetsCame(assets.added, [], placedOf(edit.where ?? []), loadUuid) : undefined;
  const added = addedAssets(context, found, assets.added, came);
  const factual = edit.facts ? factChanges(found, edit.facts) : [];
  const writes: Write[] = [...taken.writes, ...added.writes, ...writeFields(scope, found.uuid, fields)];
  if (writes.length === 0 && factual.length === 0) return { writes, audit: [], answer };
  const changes: FieldChange[] = [
    ...listChanges('assets', assets.removed, assets.added),
    ...auditFields(edit.current ?? [], fields),
    ...factual,
  ];
  const changed: ChangePart = {
    writes: [
      ...writes,
      scope.update(
        manifest,
        { ...(factual.length > 0 && edit.facts), updateDate: now },
        sql`uuid = ${found.uuid}`,
      ),
    ],
    audit: [auditedManifest('MANIFEST_UPDATED', found, changes), ...taken.audit, ...added.audit],
    entries: [...(taken.entries ?? []), ...(added.entries ?? [])],
    events: [
      ...emit(context, 'MANIFEST_UPDATED', manifestEntity, [found]),
      ...(taken.events ?? []),
      ...(added.events ?? []),
    ],
  };
  return mergeChanges(answer, [changed, retireDue(context, edit.due ?? [])]);
}
