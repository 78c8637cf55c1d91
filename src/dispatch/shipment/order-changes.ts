import { newUuid, taggedToken } from '../../core/lib/id.ts';
import type { Write } from '../../core/lib/scope.ts';
import { fold } from '../../core/lib/text.ts';
import { type AuditEntry, listChanges } from '../../core/writer/chain.ts';
import type { Context } from '../../core/writer/command.ts';
import { type CustomFieldInput, diffFields, type StoredField } from '../custom-field/rules.ts';
import { auditFields, insertFieldsOf } from '../custom-field/store.ts';
import { type AssignedGate, assignedTo, gateChange } from '../gate/rules.ts';
import { assetLoading } from '../manifest/asset-table.ts';
import { auditedManifest } from '../manifest/changes.ts';
import { manifest } from '../manifest/table.ts';
import { recordAttached } from '../track/activity-store.ts';
import { fieldsToStore, memberChanges, shipmentAudit } from './changes.ts';
import { shipment, shipmentManifest } from './table.ts';

export interface NewOrder {
  externalIdentifier: string;
  assets: string[];
  /** The external id of its shipment, which is one of the new shipments; null without one. */
  shipment: string | null;
}

/** A shipment to create. Its manifests are the orders that name it. */
export interface NewOrderShipment {
  externalIdentifier: string;
  customFields: CustomFieldInput[];
}

/** The orders of a list: manifests, and their shipments. */
export interface NewOrders {
  /** External id or uuid of the gate of all of them. */
  gateIdentifier: string | null;
  orders: NewOrder[];
  shipments: NewOrderShipment[];
}

/** The manifests and shipments of a list, with their uuids. */
export interface NewLoads {
  gate: AssignedGate;
  manifests: (NewOrder & { uuid: string })[];
  shipments: { uuid: string; externalIdentifier: string; fields: StoredField[]; members: NewOrder[] }[];
}

export const newLoadsOf = (
  context: Context,
  { orders, shipments }: NewOrders,
  gate: AssignedGate,
): NewLoads => ({
  gate,
  manifests: orders.map((order) => ({ ...order, uuid: newUuid() })),
  shipments: shipments.map(({ externalIdentifier, customFields }) => ({
    uuid: newUuid(),
    externalIdentifier,
    fields: fieldsToStore(context, customFields),
    members: orders.filter((order) => order.shipment === externalIdentifier),
  })),
});

export const writesOf = (context: Context, loads: NewLoads): Write[] => [
  // Assets come first. For an asset that is inserted after its manifest, a trigger would raise the manifest's
  // `assets_count`, which already includes it.
  ...insertAllAssets(context, loads),
  ...insertManifests(context, loads),
  ...insertShipments(context, loads),
  ...recordAttached(
    context,
    loads.manifests.flatMap(({ externalIdentifier, assets }) =>
      assets.map((wmsId) => ({ wmsId, manifestExternalId: externalIdentifier })),
    ),
  ),
];

const insertAllAssets = ({ scope, now }: Context, { manifests }: NewLoads): Write[] =>
  scope.insert(
    assetLoading,
    manifests.flatMap(({ uuid, assets }) =>
      assets.map((wmsId) => ({
        uuid: newUuid(),
        manifestUuid: uuid,
        wmsId,
        loadingStatus: 'NOT_LOADED' as const,
        createDate: now,
        updateDate: now,
      })),
    ),
  );

const insertManifests = ({ scope, now }: Context, { gate, manifests }: NewLoads): Write[] =>
  scope.insert(
    manifest,
    manifests.map(({ uuid, externalIdentifier, assets, shipment: of }) => ({
      uuid,
      externalIdentifier,
      manifestStatus: of === null ? ('PLANNED' as const) : ('TO_DO' as const),
      gateUuid: gate.gateUuid,
      assetsCount: assets.length,
      foldedIdentifier: fold(externalIdentifier),
      createDate: now,
      updateDate: now,
    })),
  );

function insertShipments({ scope, now }: Context, { gate, manifests, shipments }: NewLoads): Write[] {
  const uuidOf = new Map(shipments.map(({ externalIdentifier, uuid }) => [externalIdentifier, uuid]));
  return [
    ...scope.insert(
      shipment,
      shipments.map(({ uuid, externalIdentifier }) => ({
        uuid,
        externalIdentifier,
        status: 'TO_DO' as const,
        gateUuid: gate.gateUuid,
        notes: null,
        driverToken: taggedToken(scope.organization),
        foldedIdentifier: fold(externalIdentifier),
        foldedNotes: '',
        createDate: now,
        updateDate: now,
      })),
    ),
    ...scope.insert(
      shipmentManifest,
      manifests.flatMap(({ uuid, shipment: of }) =>
        of === null ? [] : [{ manifestUuid: uuid, shipmentUuid: uuidOf.get(of)! }],
      ),
    ),
    ...insertFieldsOf(
      scope,
      shipments.flatMap(({ uuid, fields }) => fields.map((field) => ({ ownerUuid: uuid, ...field }))),
    ),
  ];
}

/**
 * The same audit records as if each manifest and shipment were created by its own command: each manifest, then each
 * shipment and its manifests.
 */
export function auditOf({ gate, manifests, shipments }: NewLoads): AuditEntry[] {
  const none = assignedTo(null);
  const byName = new Map(manifests.map((one) => [one.externalIdentifier, one]));
  return [
    ...manifests.map((one) =>
      auditedManifest('MANIFEST_CREATED', one, [
        { field: 'manifestStatus', oldValue: null, newValue: 'PLANNED' },
        gateChange(none, one.shipment === null ? gate : none),
        ...listChanges('assets', [], one.assets),
      ]),
    ),
    ...shipments.flatMap((one) => [
      shipmentAudit('SHIPMENT_CREATED', one, [
        { field: 'status', oldValue: null, newValue: 'TO_DO' },
        gateChange(none, gate),
        ...memberChanges([], one.members),
        ...auditFields([], diffFields([], one.fields)),
      ]),
      ...one.members.map((member) =>
        auditedManifest('MANIFEST_STATUS_CHANGED', byName.get(member.externalIdentifier)!, [
          { field: 'manifestStatus', oldValue: 'PLANNED', newValue: 'TO_DO' },
          gateChange(none, gate),
          { field: 'shipment', oldValue: null, newValue: one.externalIdentifier },
        ]),
      ),
    ]),
  ];
}
