import { newUuid } from '../../../core/lib/id.ts';
import { type AuditEntry, listChanges } from '../../../core/writer/chain.ts';
import type { Change, Context } from '../../../core/writer/command.ts';
import { type CustomFieldInput, diffFields, type StoredField } from '../../custom-field/rules.ts';
import { auditFields } from '../../custom-field/store.ts';
import { type AssignedGate, assignedTo, gateChange } from '../../gate/rules.ts';
import { auditedManifest } from '../manifest/changes.ts';
import { factsOf, type ManifestFacts, newFactChanges, UNSET_FACTS } from '../manifest/fact-rules.ts';
import { insertManifests } from '../manifest/insert-changes.ts';
import { fieldsToStore, memberChanges, shipmentAudit } from './changes.ts';
import { insertShipments } from './insert-changes.ts';
import { shipmentManifest } from './table.ts';

export interface NewOrder extends Partial<ManifestFacts> {
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
  manifests: (NewOrder & ManifestFacts & { uuid: string })[];
  shipments: { uuid: string; externalIdentifier: string; fields: StoredField[]; members: NewOrder[] }[];
}

export const newLoadsOf = (
  context: Context,
  { orders, shipments }: NewOrders,
  gate: AssignedGate,
): NewLoads => ({
  gate,
  manifests: orders.map((order) => ({ ...order, ...factsOf(order, UNSET_FACTS), uuid: newUuid() })),
  shipments: shipments.map(({ externalIdentifier, customFields }) => ({
    uuid: newUuid(),
    externalIdentifier,
    fields: fieldsToStore(context, customFields),
    members: orders.filter((order) => order.shipment === externalIdentifier),
  })),
});

/** The writes that create the loads, and the entries in the timelines of their pallets. */
export function createdLoads(
  context: Context,
  { gate, manifests, shipments }: NewLoads,
): Pick<Change, 'writes' | 'entries'> {
  const { gateUuid } = gate;
  const uuidOf = new Map(shipments.map(({ externalIdentifier, uuid }) => [externalIdentifier, uuid]));
  const { writes, entries } = insertManifests(
    context,
    manifests.map(({ uuid, externalIdentifier, assets, shipment: of, ...facts }) => ({
      uuid,
      externalIdentifier,
      ...facts,
      manifestStatus: of === null ? 'PLANNED' : 'TO_DO',
      gateUuid,
      backOrderOfUuid: null,
      fields: [],
      assets,
    })),
  );
  const created = [
    ...writes,
    ...insertShipments(
      context,
      shipments.map(({ uuid, externalIdentifier, fields }) => ({
        uuid,
        externalIdentifier,
        gateUuid,
        notes: null,
        fields,
      })),
    ),
    ...context.scope.insert(
      shipmentManifest,
      manifests.flatMap(({ uuid, shipment: of }) =>
        of === null ? [] : [{ manifestUuid: uuid, shipmentUuid: uuidOf.get(of)! }],
      ),
    ),
  ];
  return { writes: created, entries };
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
        ...newFactChanges(one),
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
