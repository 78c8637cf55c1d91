import { sql } from 'drizzle-orm';
import { dotsRefusal, isDots } from '../../core/lib/dots.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missingIn, named, quoted } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { inList } from '../../core/lib/sql.ts';
import { fold } from '../../core/lib/text.ts';
import { listChanges } from '../../core/writer/chain.ts';
import { type Context, command, isRefusal } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import {
  CUSTOM_FIELDS_MAXIMUM,
  type CustomFieldInput,
  diffFields,
  filledFields,
  isBlank,
  keysOf,
} from '../custom-field/rules.ts';
import { auditFields, fieldsQuery, insertFields } from '../custom-field/store.ts';
import { gateQuery } from '../gate/store.ts';
import { recordActivity } from '../track/activity-store.ts';
import { dueRetirementsQuery } from '../track/store.ts';
import { insertAssets } from './asset-store.ts';
import { auditedManifest } from './changes.ts';
import { edited } from './edit.ts';
import { askDue, askManifest, openManifest } from './find.ts';
import { ASSETS_MAXIMUM, diffAssets } from './rules.ts';
import {
  assetIdsQuery,
  assetQuery,
  manifestAnswer,
  manifestEntity,
  manifestUuidOf,
  takenQuery,
} from './store.ts';
import { manifest } from './table.ts';

/** Create a manifest with its assets and fields. */
export const createManifest = command('createManifest', {
  ask: ({ scope }, { externalIdentifier, gateExternalId }: NewManifest) => ({
    taken: takenQuery(scope, externalIdentifier),
    gates: gateExternalId ? gateQuery(scope, gateExternalId) : undefined,
  }),
  decide(context, input, { taken, gates: [gate] }) {
    const { scope, now } = context;
    const { externalIdentifier, manifestStatus, assets } = input;
    const dots = dotsRefusal([
      ['externalIdentifier', externalIdentifier],
      ...dottedAssets(assets),
      ...keysOf(input.customFields),
    ]);
    if (dots) return dots;
    if (input.gateExternalId && !gate)
      return missingIn('gateExternalId', 'gateNotFound', input.gateExternalId);
    if (taken.length > 0) return inUse(externalIdentifier);
    const uuid = newUuid();
    const fields = filledFields(input.customFields);
    return {
      writes: [
        // Before the manifest. Each asset that is inserted later would update its count.
        ...insertAssets(scope, uuid, assets, now),
        ...scope.insert(manifest, [
          {
            uuid,
            externalIdentifier,
            manifestStatus,
            gateUuid: gate?.uuid ?? null,
            assetsCount: assets.length,
            foldedIdentifier: fold(externalIdentifier),
            createDate: now,
            updateDate: now,
          },
        ]),
        ...insertFields(scope, uuid, fields),
        ...recordActivity(context, 'ATTACHED', assets, { manifestExternalId: externalIdentifier }),
      ],
      audit: [
        auditedManifest('MANIFEST_CREATED', { uuid, externalIdentifier }, [
          { field: 'manifestStatus', oldValue: null, newValue: manifestStatus },
          { field: 'gate', oldValue: null, newValue: gate?.externalIdentifier ?? null },
          ...listChanges('assets', [], assets),
          ...auditFields([], diffFields([], fields)),
        ]),
      ],
      events: emit(context, 'MANIFEST_STATUS_CHANGED', manifestEntity, [{ uuid, externalIdentifier }]),
      answer: { value: { uuid, externalIdentifier } },
    };
  },
});

interface NewManifest {
  externalIdentifier: string;
  manifestStatus: 'PLANNED' | 'TO_DO';
  gateExternalId: string | null;
  customFields: CustomFieldInput[];
  assets: string[];
}

/** The places of assets in a body that cannot be part of a path: of all assets, or of `among`. */
const dottedAssets = (assets: readonly string[], among = assets): (readonly [string, string])[] =>
  assets.flatMap((wmsId, index) =>
    isDots(wmsId) && among.includes(wmsId) ? [[`assets[${index}]`, wmsId] as const] : [],
  );

/** Replace the assets and fields of a manifest. A list that is null stays unchanged. */
export const replaceManifest = command('replaceManifest', {
  ask: ({ scope }, { identifier, ifMatch, assets }: Replacement) => ({
    ...askManifest(scope, identifier, ifMatch),
    held: assetIdsQuery(scope, manifestUuidOf(scope, identifier)),
    current: fieldsQuery(scope, manifestUuidOf(scope, identifier)),
    due: assets === null ? undefined : askDue(scope, identifier),
  }),
  decide(context, input, { held, current, due, ...rows }) {
    const found = openManifest(rows, input);
    if (isRefusal(found)) return found;
    const before = held.map(({ wmsId }) => wmsId);
    const assets = diffAssets(before, input.assets ?? before);
    const fields = diffFields(
      current,
      input.customFields === null ? current : filledFields(input.customFields),
    );
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
    return edited(context, found, { assets, due: leaving, fields, current }, { value: counts });
  },
});

interface Replacement {
  identifier: string;
  ifMatch: string | null;
  assets: string[] | null;
  customFields: CustomFieldInput[] | null;
}

/** Add one asset to a manifest. An asset that is already there changes nothing. */
export const attachTrack = command('attachTrack', {
  ask: askAsset,
  decide(context, { identifier, trackIdentifier }, { held, ...rows }) {
    const found = openManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    if (held.length === 0 && found.assetsCount >= ASSETS_MAXIMUM) {
      return refusal(
        'assetLimitReached',
        `${named('Manifest', found.externalIdentifier)} has ${ASSETS_MAXIMUM} assets already, which is the maximum.`,
      );
    }
    const assets = { added: held.length > 0 ? [] : [trackIdentifier], removed: [] };
    const dots = dotsRefusal(assets.added.map((wmsId) => ['trackIdentifier', wmsId] as const));
    if (dots) return dots;
    return edited(context, found, { assets }, manifestAnswer(context.scope, found.uuid));
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
  }),
  decide(context, { identifier, trackIdentifier }, { held, due, ...rows }) {
    const found = openManifest(rows, { identifier });
    if (isRefusal(found)) return found;
    if (held.length === 0) {
      const detail = `${named('Track', trackIdentifier)} is not on ${named('manifest', identifier)}.`;
      return refusal('trackRecordNotFound', detail);
    }
    const assets = { added: [], removed: [trackIdentifier] };
    return edited(context, found, { assets, due }, manifestAnswer(context.scope, found.uuid));
  },
});

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
      return refusal('customFieldNotFound', detail);
    }
    const fields = diffFields(current, wanted);
    return edited(context, found, { fields, current }, manifestAnswer(context.scope, found.uuid));
  },
});

const askFields = ({ scope }: Context, { identifier }: { identifier: string }) => ({
  ...askManifest(scope, identifier),
  current: fieldsQuery(scope, manifestUuidOf(scope, identifier)),
});

function inUse(externalIdentifier: string): Refusal {
  const detail = `${named('Manifest', externalIdentifier)} exists already.`;
  const code = 'externalIdentifierInUse' as const;
  return refusal(code, detail, {
    errors: [{ field: 'externalIdentifier', code, message: detail, rejectedValue: externalIdentifier }],
  });
}
