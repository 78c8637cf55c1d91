import { dotsRefusal } from '../../../core/lib/dots.ts';
import { newUuid } from '../../../core/lib/id.ts';
import { missingIn, named } from '../../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../../core/lib/problem.ts';
import { type AuditEntry, listChanges } from '../../../core/writer/chain.ts';
import { type Change, type Context, command, mergeChanges } from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import { type CustomFieldInput, diffFields, type StoredField } from '../../custom-field/rules.ts';
import { auditFields } from '../../custom-field/store.ts';
import { gateEventChanges } from '../../gate/commands.ts';
import { type AssignedGate, assignedTo, gateChange } from '../../gate/rules.ts';
import { gateQuery } from '../../gate/store.ts';
import { auditedManifest, insertManifests } from '../manifest/changes.ts';
import { factsOf, type ManifestFacts, newFactChanges, UNSET_FACTS } from '../manifest/rules.ts';
import { manifestEntity } from '../manifest/store.ts';
import {
  fieldErrors,
  fieldsToStore,
  insertShipments,
  memberChanges,
  newDepartureChange,
  refuseFaults,
  shipmentAudit,
} from './changes.ts';
import { ORDER_PALLETS_MAXIMUM, ORDERS_MAXIMUM } from './rules.ts';
import { shipmentEntity, takenNamesQuery } from './store.ts';
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
interface NewLoads {
  gate: AssignedGate;
  manifests: (NewOrder & ManifestFacts & { uuid: string })[];
  shipments: { uuid: string; externalIdentifier: string; fields: StoredField[]; members: NewOrder[] }[];
}

const newLoadsOf = (context: Context, { orders, shipments }: NewOrders, gate: AssignedGate): NewLoads => ({
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
function createdLoads(
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
function auditOf({ gate, manifests, shipments }: NewLoads): AuditEntry[] {
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

/**
 * Create the manifests and shipments of a list in one commit: all of them or none. The result is the same as if each
 * manifest and then each shipment was created. The number of statements does not grow with the list.
 */
export const createOrders = command('createOrders', {
  exclusive: true,
  ask: ({ scope }, { orders, shipments, gateIdentifier }: NewOrders) => ({
    manifestsTaken: takenNamesQuery(scope, 'manifest', orders.map(nameOf)),
    shipmentsTaken: takenNamesQuery(scope, 'shipment', shipments.map(nameOf)),
    gates: gateIdentifier ? gateQuery(scope, gateIdentifier) : undefined,
  }),
  decide(context, input, { manifestsTaken, shipmentsTaken, gates: [gate] }) {
    const { now } = context;
    const refused = refusedOrders(context, input, [
      ...takenErrors('orders', 'Manifest', input.orders, manifestsTaken),
      ...takenErrors('shipments', 'Shipment', input.shipments, shipmentsTaken),
    ]);
    if (refused) return refused;
    if (input.gateIdentifier && !gate)
      return missingIn('gateIdentifier', 'gateNotFound', input.gateIdentifier);
    const loads = newLoadsOf(context, input, assignedTo(gate ?? null));
    const { manifests, shipments } = loads;
    const fields = shipments.flatMap((one) => one.fields);
    const parts = gateEventChanges(context, [
      newDepartureChange(context, fields),
      {
        part: {
          ...createdLoads(context, loads),
          audit: auditOf(loads),
          events: [
            ...emit(context, 'MANIFEST_STATUS_CHANGED', manifestEntity, manifests),
            ...emit(context, 'SHIPMENT_STATUS_CHANGED', shipmentEntity, shipments),
          ],
        },
        gates: [loads.gate.gateUuid],
      },
    ]);
    const answer = { createDate: now, manifests: manifests.length, shipments: shipments.length };
    return mergeChanges({ value: answer }, parts);
  },
});

const nameOf = ({ externalIdentifier }: { externalIdentifier: string }): string => externalIdentifier;

/** The refusal of a faulty list, or else of names that are in use. */
function refusedOrders(
  context: Context,
  { orders, shipments }: NewOrders,
  taken: ProblemItem[],
): Refusal | undefined {
  if (shipments.length > 0 && context.organization?.dispatchStrategy !== 'SHIPMENT')
    return refusal('shipmentStrategyRequired', 'The organization does not dispatch by shipment.');
  const pallets = orders.reduce((sum, { assets }) => sum + assets.length, 0);
  if (orders.length > ORDERS_MAXIMUM || pallets > ORDER_PALLETS_MAXIMUM)
    return refusal(
      'validationFailed',
      `A list has at most ${ORDERS_MAXIMUM} orders and ${ORDER_PALLETS_MAXIMUM} pallets.`,
    );
  const faults = refuseFaults([
    ...(dotsRefusal([
      ...orders.map(({ externalIdentifier }, at) => [`orders[${at}].externalIdentifier`, externalIdentifier]),
      ...orders.flatMap(({ assets }, at) => assets.map((wmsId) => [`orders[${at}].assets`, wmsId])),
      ...shipments.map(({ externalIdentifier }, at) => [
        `shipments[${at}].externalIdentifier`,
        externalIdentifier,
      ]),
    ] as [string, string][])?.errors ?? []),
    ...shipments.flatMap(({ customFields }, at) =>
      fieldErrors(context, customFields, (index) => `shipments[${at}].customFields[${index}].`),
    ),
  ]);
  if (faults) return faults;
  return taken[0] && refusal(taken[0].code, `${taken[0].message} Nothing was created.`, { errors: taken });
}

function takenErrors(
  list: 'orders' | 'shipments',
  kind: 'Manifest' | 'Shipment',
  items: readonly { externalIdentifier: string }[],
  taken: readonly { externalIdentifier: string }[],
): ProblemItem[] {
  const names = new Set(taken.map(nameOf));
  return items.flatMap(({ externalIdentifier }, at) =>
    names.has(externalIdentifier)
      ? [
          {
            field: `${list}[${at}].externalIdentifier`,
            code: 'externalIdentifierInUse' as const,
            message: `${named(kind, externalIdentifier)} exists already.`,
            rejectedValue: externalIdentifier,
          },
        ]
      : [],
  );
}
