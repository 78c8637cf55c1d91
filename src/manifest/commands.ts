import { sql } from 'drizzle-orm';
import { resolveAlerts } from '../alert/changes.ts';
import { openAboutRecords } from '../alert/store.ts';
import {
  CUSTOM_FIELDS_MAXIMUM,
  diffFields,
  filledFields,
  isBlank,
  type StoredField,
} from '../custom-field/rules.ts';
import type { CustomFieldInput } from '../custom-field/schema.ts';
import { auditFields, fieldsQuery, insertFields, writeFields } from '../custom-field/store.ts';
import { tell, tellGates } from '../event/store.ts';
import type { FieldChange } from '../lib/changes.ts';
import { inList, type Write } from '../lib/database.ts';
import { entityTag, tagListed } from '../lib/hash.ts';
import { newUuid } from '../lib/id.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';
import { closeRecords, insertAssets, invalidRecordsOf } from '../loading/store.ts';
import { assetLoading } from '../loading/table.ts';
import { touchShipmentsOf } from '../shipment/store.ts';
import { assignedTo, unknownGate } from '../site/rules.ts';
import { type FoundGate, gateQuery } from '../site/store.ts';
import { retireLeft } from '../track/changes.ts';
import { recordActivity } from '../track/store.ts';
import { listChanges } from '../writer/chain.ts';
import { type Change, type Command, type Context, mergeChanges, type Part } from '../writer/command.ts';
import { assignGate, auditedManifest, moveManifests, retireWithManifests } from './changes.ts';
import { ASSETS_MAXIMUM, diffAssets, isOpen, type ManifestStatus, TRANSITIONS } from './rules.ts';
import {
  answerOf,
  assetIdsQuery,
  assetQuery,
  type ManifestState,
  manifestQuery,
  manifestStateQuery,
  takenQuery,
} from './store.ts';
import { manifest } from './table.ts';

/** Create a manifest with its assets and fields. */
export const createManifest: Command<{
  externalIdentifier: string;
  manifestStatus: 'PLANNED' | 'TO_DO';
  gateExternalId: string | null;
  customFields: CustomFieldInput[];
  assets: string[];
}> = async (context, input) => {
  const { database, now } = context;
  const { externalIdentifier, manifestStatus, assets } = input;
  const [taken, gates] = await database.batch([
    takenQuery(database, externalIdentifier),
    gateQuery(database, input.gateExternalId ?? ''),
  ]);
  const gate = gates![0] as FoundGate | undefined;
  if (input.gateExternalId && !gate) return unknownGate('gateExternalId', input.gateExternalId);
  if (taken!.length > 0) return inUse(externalIdentifier);
  const uuid = newUuid();
  const fields = filledFields(input.customFields);
  return {
    writes: [
      ...database.insert(manifest, [
        {
          uuid,
          externalIdentifier,
          manifestStatus,
          gateUuid: gate?.uuid ?? null,
          foldedIdentifier: fold(externalIdentifier),
          createDate: now,
          updateDate: now,
        },
      ]),
      ...insertFields(database, uuid, fields),
      ...insertAssets(database, uuid, assets, now),
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
    events: tell(context, 'MANIFEST_STATUS_CHANGED', 'MANIFEST', [{ uuid, externalIdentifier }]),
    answer: { value: { uuid, externalIdentifier } },
  };
};

/** Make assets and fields of a manifest what the request says; a list that is null stays as it is. */
export const replaceManifest: Command<{
  identifier: string;
  ifMatch: string | null;
  assets: string[] | null;
  customFields: CustomFieldInput[] | null;
}> = async (context, input) => {
  const { database } = context;
  const found = await findOpen(context, input.identifier, input.ifMatch);
  if ('code' in found) return found;
  const [held, current] = await database.batch<[{ wmsId: string }[], StoredField[]]>([
    assetIdsQuery(database, found.uuid),
    fieldsQuery(database, found.uuid),
  ]);
  const before = held.map(({ wmsId }) => wmsId);
  const assets = diffAssets(before, input.assets ?? before);
  const fields = diffFields(
    current,
    input.customFields === null ? current : filledFields(input.customFields),
  );
  const counts = {
    assets: { added: assets.added.length, removed: assets.removed.length, unchanged: assets.unchanged },
    customFields: {
      added: fields.added.length,
      updated: fields.updated.length,
      removed: fields.removed.length,
      unchanged: fields.unchanged.length,
    },
  };
  return edited(context, found, { assets, fields, current }, { value: counts });
};

/** Add one asset to a manifest; nothing changes if it is there already. */
export const attachTrack: Command<{ identifier: string; trackIdentifier: string }> = async (
  context,
  input,
) => {
  const found = await findOpen(context, input.identifier);
  if ('code' in found) return found;
  const held = await holds(context, found, input.trackIdentifier);
  if (!held && found.assetsCount >= ASSETS_MAXIMUM) {
    return refusal('assetLimitReached', `A manifest holds at most ${ASSETS_MAXIMUM} assets.`);
  }
  const assets = { added: held ? [] : [input.trackIdentifier], removed: [] };
  return edited(context, found, { assets }, answerOf(context.database, found.uuid));
};

/** Take one asset off a manifest; the track itself stays. */
export const detachTrack: Command<{ identifier: string; trackIdentifier: string }> = async (
  context,
  input,
) => {
  const found = await findOpen(context, input.identifier);
  if ('code' in found) return found;
  if (!(await holds(context, found, input.trackIdentifier))) {
    return refusal('trackRecordNotFound', 'The manifest does not hold this track.');
  }
  const assets = { added: [], removed: [input.trackIdentifier] };
  return edited(context, found, { assets }, answerOf(context.database, found.uuid));
};

/** Add, change or (blank value) remove one custom field. */
export const putManifestField: Command<{ identifier: string; field: CustomFieldInput }> = async (
  context,
  input,
) => {
  const { database } = context;
  const found = await findOpen(context, input.identifier);
  if ('code' in found) return found;
  const current = await database.all<StoredField>(fieldsQuery(database, found.uuid));
  const { fieldKey, fieldValue } = input.field;
  const others = current.filter((field) => field.fieldKey !== fieldKey);
  const wanted = isBlank(fieldValue) ? others : [...others, { fieldKey, fieldValue: fieldValue! }];
  if (wanted.length > CUSTOM_FIELDS_MAXIMUM) {
    return refusal(
      'customFieldLimitReached',
      `A manifest holds at most ${CUSTOM_FIELDS_MAXIMUM} custom fields.`,
    );
  }
  const fields = diffFields(current, wanted);
  return edited(context, found, { fields, current }, answerOf(context.database, found.uuid));
};

/** Remove one custom field. */
export const removeManifestField: Command<{ identifier: string; fieldKey: string }> = async (
  context,
  input,
) => {
  const { database } = context;
  const found = await findOpen(context, input.identifier);
  if ('code' in found) return found;
  const current = await database.all<StoredField>(fieldsQuery(database, found.uuid));
  const wanted = current.filter((field) => field.fieldKey !== input.fieldKey);
  if (wanted.length === current.length)
    return refusal('customFieldNotFound', 'The manifest has no such field.');
  return edited(
    context,
    found,
    { fields: diffFields(current, wanted), current },
    answerOf(context.database, found.uuid),
  );
};

/** Assign a gate. */
export const assignManifestGate: Command<{ identifier: string; gateIdentifier: string }> = async (
  context,
  input,
) => {
  const { database } = context;
  const [found, gates] = await Promise.all([
    find(context, input.identifier),
    database.all<FoundGate>(gateQuery(database, input.gateIdentifier)),
  ]);
  if ('code' in found) return found;
  const [gate] = gates;
  if (!gate) return refusal('gateNotFound', 'There is no such gate.');
  if (found.shipmentUuid !== null) return attached();
  if (!isOpen(found.manifestStatus)) return closed(found);
  return {
    ...assignGate(context, [found], assignedTo(gate)),
    answer: answerOf(context.database, found.uuid),
  };
};

/** Move a manifest to another status. */
export const changeManifestStatus: Command<{ identifier: string; manifestStatus: ManifestStatus }> = async (
  context,
  { identifier, manifestStatus },
) => {
  const found = await find(context, identifier);
  if ('code' in found) return found;
  if (found.shipmentUuid !== null && manifestStatus !== 'CANCELLED') return attached();
  const allowedValues = TRANSITIONS[found.manifestStatus];
  if (!allowedValues.includes(manifestStatus)) {
    const detail = `A manifest that is ${found.manifestStatus} cannot become ${manifestStatus}.`;
    return refusal('transitionNotAllowed', detail, { allowedValues });
  }
  if (manifestStatus === 'IN_PROGRESS' && found.gateUuid === null) {
    return refusal('gateRequired', 'Assign a gate before loading starts.', { allowedValues });
  }
  return mergeChanges(answerOf(context.database, found.uuid), [
    moveManifests(context, [found], manifestStatus),
    ...(isOpen(manifestStatus) ? [] : [await retireWithManifests(context, [found.uuid])]),
    ofMember(context, found),
  ]);
};

/** Delete a manifest; its external id is free again. */
export const deleteManifest: Command<{ identifier: string; ifMatch: string | null }> = async (
  context,
  input,
) => {
  const { database, now } = context;
  const found = await find(context, input.identifier, input.ifMatch);
  if ('code' in found) return found;
  if (found.shipmentUuid !== null) return attached();
  const detached = isOpen(found.manifestStatus) ? await assetIds(context, found) : [];
  const deleted: Part = {
    writes: [
      ...recordActivity(context, 'DETACHED', detached, { manifestExternalId: found.externalIdentifier }),
      database.update(manifest, { deletedDate: now, updateDate: now }, sql`uuid = ${found.uuid}`),
      closeRecords(database, [found.uuid]),
    ],
    audit: [
      auditedManifest('MANIFEST_DELETED', found, [{ field: 'deleted', oldValue: false, newValue: true }]),
    ],
    events: [
      ...tell(context, 'MANIFEST_UPDATED', 'MANIFEST', [found]),
      ...tellGates(context, [found.gateUuid]),
    ],
  };
  return mergeChanges({ value: {} }, [
    deleted,
    await resolveAlerts(context, openAboutRecords(invalidRecordsOf(database, found.uuid))),
    ...(detached.length === 0
      ? []
      : [await retireLeft(context, inList(detached), sql`m.uuid = ${found.uuid}`)]),
  ]);
};

interface Edit {
  assets?: Pick<ReturnType<typeof diffAssets>, 'added' | 'removed'>;
  fields?: ReturnType<typeof diffFields>;
  current?: StoredField[];
}

/** The change that an edit of assets and fields makes; none if it leaves everything as it is. */
async function edited(
  context: Context,
  found: ManifestState,
  edit: Edit,
  answer: Change['answer'],
): Promise<Change> {
  const { database, now } = context;
  const { assets = { added: [], removed: [] }, fields = diffFields([], []) } = edit;
  const at = { manifestExternalId: found.externalIdentifier };
  const writes: Write[] = [
    ...(assets.removed.length > 0
      ? [
          database.remove(
            assetLoading,
            sql`manifest_uuid = ${found.uuid} AND wms_id ${inList(assets.removed)}
          AND loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')`,
          ),
        ]
      : []),
    ...recordActivity(context, 'DETACHED', assets.removed, at),
    ...insertAssets(database, found.uuid, assets.added, now),
    ...recordActivity(context, 'ATTACHED', assets.added, at),
    ...writeFields(database, found.uuid, fields),
  ];
  if (writes.length === 0) return { writes, audit: [], answer };
  const changes: FieldChange[] = [
    ...listChanges('assets', assets.removed, assets.added),
    ...auditFields(edit.current ?? [], fields),
  ];
  const changed: Part = {
    writes: [...writes, database.update(manifest, { updateDate: now }, sql`uuid = ${found.uuid}`)],
    audit: [auditedManifest('MANIFEST_UPDATED', found, changes)],
    events: tell(context, 'MANIFEST_UPDATED', 'MANIFEST', [found]),
  };
  const leaving = sql`m.uuid = ${found.uuid} AND a.wms_id ${inList(assets.removed)}`;
  return mergeChanges(answer, [
    changed,
    ...(assets.removed.length === 0 ? [] : [await retireLeft(context, inList(assets.removed), leaving)]),
    ofMember(context, found),
  ]);
}

async function holds({ database }: Context, { uuid }: ManifestState, wmsId: string): Promise<boolean> {
  return (await database.all(assetQuery(database, uuid, wmsId))).length > 0;
}

async function assetIds({ database }: Context, { uuid }: ManifestState): Promise<string[]> {
  const rows = await database.all<{ wmsId: string }>(assetIdsQuery(database, uuid));
  return rows.map(({ wmsId }) => wmsId);
}

async function find(context: Context, identifier: string, ifMatch: string | null = null) {
  const { database } = context;
  const [states, views] = await database.batch([
    manifestStateQuery(database, identifier),
    ...(ifMatch === null ? [] : [manifestQuery(database, identifier)]),
  ]);
  const found = states![0] as ManifestState | undefined;
  if (!found) return refusal('manifestNotFound', 'There is no such manifest.');
  if (ifMatch !== null && !tagListed(ifMatch, entityTag(views![0]!['view'] as string))) {
    return refusal('preconditionFailed', 'The manifest has changed since it was read.');
  }
  return found;
}

async function findOpen(context: Context, identifier: string, ifMatch: string | null = null) {
  const found = await find(context, identifier, ifMatch);
  return 'code' in found || isOpen(found.manifestStatus) ? found : closed(found);
}

const closed = ({ manifestStatus }: ManifestState): Refusal =>
  refusal('manifestClosed', `The manifest is ${manifestStatus}.`);

/** What belongs to a shipment moves with it. */
const attached = (): Refusal =>
  refusal('manifestBelongsToShipment', 'The manifest is attached to a shipment: detach it first.');

/** The shipment of a manifest changes with it. */
const ofMember = ({ database, now }: Context, { uuid, shipmentUuid }: ManifestState): Part => ({
  writes: shipmentUuid === null ? [] : [touchShipmentsOf(database, [uuid], now)],
  audit: [],
});

function inUse(externalIdentifier: string): Refusal {
  const detail = `There is a manifest ${externalIdentifier}.`;
  const code = 'externalIdentifierInUse' as const;
  return refusal(code, detail, {
    errors: [{ field: 'externalIdentifier', code, message: detail, rejectedValue: externalIdentifier }],
  });
}
