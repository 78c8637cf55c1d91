import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../../../core/lib/changes.ts';
import { dotsRefusal } from '../../../core/lib/dots.ts';
import { missing, named, quoted } from '../../../core/lib/missing.ts';
import { refusal } from '../../../core/lib/problem.ts';
import type { Scope, Write } from '../../../core/lib/scope.ts';
import { inList } from '../../../core/lib/sql.ts';
import { listChanges } from '../../../core/writer/chain.ts';
import {
  type Change,
  type ChangePart,
  type Context,
  command,
  decideItems,
  isRefusal,
  mergeChanges,
} from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import {
  CUSTOM_FIELDS_MAXIMUM,
  type CustomFieldInput,
  diffFields,
  filledFields,
  isBlank,
  keysOf,
  type StoredField,
} from '../../custom-field/rules.ts';
import { auditFields, fieldsQuery, writeFields } from '../../custom-field/store.ts';
import { gateEventChanges } from '../../gate/commands.ts';
import { assignedTo } from '../../gate/rules.ts';
import { gateQuery } from '../../gate/store.ts';
import { dueRetirementChange } from '../../track/changes.ts';
import { type DueRetirement, dueRetirementsQuery } from '../../track/store.ts';
import { loadOf, type PlacedRow, placedOf, placedQuery, whereQuery } from '../shared/asset-store.ts';
import { addedAssetsChange, takenAssetsChange } from '../shared/place-changes.ts';
import { assetsCame, assetsTaken } from '../shared/place-rules.ts';
import { askDue, askManifest, assignGate, auditedManifest, openManifest, refuseGate } from './changes.ts';
import {
  ASSETS_MAXIMUM,
  diffAssets,
  dottedAssets,
  factChanges,
  factsOf,
  type ManifestFacts,
} from './rules.ts';
import type { ManifestReplacement } from './schema.ts';
import {
  assetIdsQuery,
  assetQuery,
  type ManifestState,
  manifestAnswer,
  manifestEntity,
  manifestStatesQuery,
  manifestUuidOf,
} from './store.ts';
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
function edited<A>(
  context: Context,
  found: ManifestState,
  edit: Edit,
  answer: Change<A>['answer'],
): Change<A> {
  const { scope, now } = context;
  const { assets = { added: [], removed: [] }, fields = diffFields([], []) } = edit;
  const isInProgress = found.manifestStatus === 'IN_PROGRESS';
  const taken = takenAssetsChange(
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
  const added = addedAssetsChange(context, found, assets.added, came);
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
  return mergeChanges(answer, [changed, dueRetirementChange(context, edit.due ?? [])]);
}

/** Replace the assets and fields of a manifest. A list that is null stays unchanged. */
export const replaceManifest = command('replaceManifest', {
  ask: (
    { scope },
    { identifier, ifMatch, assets }: ManifestReplacement & { identifier: string; ifMatch: string | null },
  ) => ({
    ...askManifest(scope, identifier, ifMatch),
    held: assetIdsQuery(scope, manifestUuidOf(scope, identifier)),
    current: fieldsQuery(scope, manifestUuidOf(scope, identifier)),
    ...(!assets
      ? { due: undefined, placed: undefined, where: undefined }
      : {
          due: askDue(scope, identifier),
          placed: placedQuery(scope, loadOf(scope, manifestUuidOf(scope, identifier)), IN_PROGRESS),
          where: whereQuery(scope, comingTo(scope, identifier, assets)),
        }),
  }),
  decide(context, input, { held, current, due, placed, where, ...rows }) {
    const found = openManifest(rows, input);
    if (isRefusal(found)) return found;
    const before = held.map(({ wmsId }) => wmsId);
    const assets = diffAssets(before, input.assets ?? before);
    const fields = diffFields(current, input.customFields ? filledFields(input.customFields) : current);
    const dots = dotsRefusal([
      ...dottedAssets(input.assets ?? [], assets.added),
      ...keysOf(input.customFields ?? [], fields.added),
    ]);
    if (dots) return dots;
    const counts = {
      assets: { added: assets.added.length, removed: assets.removed.length, unchanged: assets.unchanged },
      customFields: {
        added: fields.added.length,
        updated: fields.updated.length,
        removed: fields.removed.length,
        unchanged: fields.unchanged.length,
      },
    };
    const removed = new Set(assets.removed);
    const leaving = due.filter(({ wmsId }) => removed.has(wmsId));
    return edited(
      context,
      found,
      { assets, due: leaving, placed, where, fields, current, facts: factsOf(input, found) },
      { value: counts },
    );
  },
});

/** Only records of a load in progress matter: nothing is aboard another one. */
const IN_PROGRESS = sql`m.manifest_status = 'IN_PROGRESS'`;

/** `IN (…)` over these WMS ids if the manifest is in progress. Otherwise over none, so that nothing is read. */
const comingTo = (scope: Scope, identifier: string, wmsIds: readonly string[]): SQL =>
  sql`IN (SELECT given.value FROM manifest CROSS JOIN json_each(${JSON.stringify(wmsIds)}) given
    WHERE manifest.uuid = ${manifestUuidOf(scope, identifier)} AND manifest.manifest_status = 'IN_PROGRESS')`;

/** Add one asset to a manifest. An asset that is already there changes nothing. */
export const attachTrack = command('attachTrack', {
  ask: (context, input: AssetOf) => ({
    ...askAsset(context, input),
    where: whereQuery(context.scope, comingTo(context.scope, input.identifier, [input.trackIdentifier])),
  }),
  decide(context, { identifier, trackIdentifier }, { held, where, ...rows }) {
    const found = openManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    if (held.length === 0 && found.assetsCount >= ASSETS_MAXIMUM) {
      return refusal(
        'assetLimitReached',
        `${named('Manifest', found.externalIdentifier)} has ${ASSETS_MAXIMUM} assets already, which is the maximum.`,
        { facts: { name: found.externalIdentifier, maximum: ASSETS_MAXIMUM } },
      );
    }
    const assets = { added: held.length > 0 ? [] : [trackIdentifier], removed: [] };
    const dots = dotsRefusal(assets.added.map((wmsId) => ['trackIdentifier', wmsId] as const));
    if (dots) return dots;
    return edited(context, found, { assets, where }, manifestAnswer(context.scope, found.uuid));
  },
});

/** Add assets to a manifest. Those that are already there change nothing. */
export const attachTracks = command('attachTracks', {
  ask: ({ scope }, { identifier, trackIdentifiers }: AssetsOf) => ({
    ...askManifest(scope, identifier),
    held: assetIdsQuery(scope, manifestUuidOf(scope, identifier)),
    where: whereQuery(scope, comingTo(scope, identifier, trackIdentifiers)),
  }),
  decide(context, { identifier, trackIdentifiers }, { held, where, ...rows }) {
    const found = openManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    const known = new Set(held.map(({ wmsId }) => wmsId));
    const added = [...new Set(trackIdentifiers)].filter((wmsId) => !known.has(wmsId));
    if (known.size + added.length > ASSETS_MAXIMUM) {
      return refusal(
        'assetLimitReached',
        `${named('Manifest', found.externalIdentifier)} would have more than ${ASSETS_MAXIMUM} assets, which is the maximum.`,
        { facts: { name: found.externalIdentifier, maximum: ASSETS_MAXIMUM } },
      );
    }
    const dots = dotsRefusal(dottedAssets(trackIdentifiers, added));
    if (dots) return dots;
    return edited(
      context,
      found,
      { assets: { added, removed: [] }, where },
      { value: { added: added.length } },
    );
  },
});

/** Remove one asset from a manifest. Its track stays. */
export const detachTrack = command('detachTrack', {
  ask: (context, input: AssetOf) => ({
    ...askAsset(context, input),
    due: dueRetirementsQuery(
      context.scope,
      inList([input.trackIdentifier]),
      sql`m.uuid = ${manifestUuidOf(context.scope, input.identifier)}`,
    ),
    placed: placedQuery(
      context.scope,
      loadOf(context.scope, manifestUuidOf(context.scope, input.identifier)),
      sql`${IN_PROGRESS} AND a.wms_id = ${input.trackIdentifier}`,
    ),
  }),
  decide(context, { identifier, trackIdentifier }, { held, due, placed, ...rows }) {
    const found = openManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    if (held.length === 0) {
      const detail = `${named('Track', trackIdentifier)} is not on ${named('manifest', identifier)}.`;
      return refusal('trackRecordNotFound', detail, {
        facts: { name: trackIdentifier, other: found.externalIdentifier },
      });
    }
    const assets = { added: [], removed: [trackIdentifier] };
    return edited(context, found, { assets, due, placed }, manifestAnswer(context.scope, found.uuid));
  },
});

interface AssetsOf {
  identifier: string;
  trackIdentifiers: readonly string[];
}

interface AssetOf {
  identifier: string;
  trackIdentifier: string;
}

function askAsset({ scope }: Context, { identifier, trackIdentifier }: AssetOf) {
  return {
    ...askManifest(scope, identifier),
    held: assetQuery(scope, manifestUuidOf(scope, identifier), trackIdentifier),
  };
}

/** Add or change one custom field. A blank value removes it. */
export const putManifestField = command('putManifestField', {
  ask: (context, input: { identifier: string; field: CustomFieldInput }) => askFields(context, input),
  decide(context, { identifier, field: { fieldKey, fieldValue } }, { current, ...rows }) {
    const found = openManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    const others = current.filter((field) => field.fieldKey !== fieldKey);
    const wanted = isBlank(fieldValue) ? others : [...others, { fieldKey, fieldValue: fieldValue! }];
    if (wanted.length > CUSTOM_FIELDS_MAXIMUM) {
      return refusal(
        'customFieldLimitReached',
        `${named('Manifest', found.externalIdentifier)} has ${CUSTOM_FIELDS_MAXIMUM} custom fields already, which is the maximum.`,
        { facts: { name: found.externalIdentifier, maximum: CUSTOM_FIELDS_MAXIMUM } },
      );
    }
    const fields = diffFields(current, wanted);
    const dots = dotsRefusal(fields.added.map((field) => ['fieldKey', field.fieldKey] as const));
    if (dots) return dots;
    return edited(context, found, { fields, current }, manifestAnswer(context.scope, found.uuid));
  },
});

export const removeManifestField = command('removeManifestField', {
  ask: (context, input: { identifier: string; fieldKey: string }) => askFields(context, input),
  decide(context, { identifier, fieldKey }, { current, ...rows }) {
    const found = openManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    const wanted = current.filter((field) => field.fieldKey !== fieldKey);
    if (wanted.length === current.length) {
      const detail = `${named('Manifest', identifier)} has no custom field ${quoted(fieldKey)}.`;
      return refusal('customFieldNotFound', detail, {
        facts: { name: fieldKey, other: found.externalIdentifier },
      });
    }
    const fields = diffFields(current, wanted);
    return edited(context, found, { fields, current }, manifestAnswer(context.scope, found.uuid));
  },
});

const askFields = ({ scope }: Context, { identifier }: { identifier: string }) => ({
  ...askManifest(scope, identifier),
  current: fieldsQuery(scope, manifestUuidOf(scope, identifier)),
});

/**
 * Assign a gate to many manifests in one commit. A manifest that is closed or in a shipment is
 * reported. The others still get the gate.
 */
export const assignManifestsGate = command('assignManifestsGate', {
  exclusive: true,
  ask: ({ scope }, { uuids, gateIdentifier }: { uuids: string[]; gateIdentifier: string }) => ({
    states: manifestStatesQuery(scope, uuids),
    gates: gateQuery(scope, gateIdentifier),
  }),
  decide(context, { uuids, gateIdentifier }, { states, gates: [gate] }) {
    if (!gate) return missing('gateNotFound', gateIdentifier);
    const { taken, became } = decideItems(uuids, (uuid) => {
      const state = states.find((one) => one.uuid === uuid);
      if (!state) return { name: uuid, of: missing('manifestNotFound', uuid) };
      return { name: state.externalIdentifier, of: refuseGate(state) ?? state };
    });
    return mergeChanges(
      { value: { became } },
      gateEventChanges(context, [assignGate(context, taken, assignedTo(gate))]),
    );
  },
});
