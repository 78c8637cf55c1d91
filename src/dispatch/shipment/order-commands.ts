import { dotsRefusal } from '../../core/lib/dots.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missingIn, named } from '../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../core/lib/problem.ts';
import { fold } from '../../core/lib/text.ts';
import type { AuditEntry } from '../../core/writer/chain.ts';
import { listChanges } from '../../core/writer/chain.ts';
import { type Context, command, mergeChanges } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { type CustomFieldInput, diffFields, type StoredField } from '../custom-field/rules.ts';
import { auditFields, insertFieldsOf } from '../custom-field/store.ts';
import { tellingGates } from '../gate/changes.ts';
import { type AssignedGate, assignedTo, gateChange } from '../gate/rules.ts';
import { gateQuery } from '../gate/store.ts';
import { assetLoading } from '../manifest/asset-table.ts';
import { auditedManifest } from '../manifest/changes.ts';
import { manifestEntity, takenNamesQuery } from '../manifest/store.ts';
import { manifest } from '../manifest/table.ts';
import { recordAttached } from '../track/activity-store.ts';
import { faulty, fieldErrors, fieldsToStore, memberChanges, shipmentAudit } from './changes.ts';
import { ORDER_PALLETS_MAXIMUM, ORDERS_MAXIMUM } from './rules.ts';
import { shipmentEntity } from './store.ts';
import { shipment, shipmentManifest } from './table.ts';

/** A manifest to create. */
export interface NewOrder {
  externalIdentifier: string;
  assets: string[];
  /** The external id of its shipment, which is one of the new shipments; null without one. */
  shipment: string | null;
}

/** A shipment to create, with the manifests that name it. */
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
    const made = madeOf(context, input, assignedTo(gate ?? null));
    const { manifests, shipments } = made;
    const parts = tellingGates(context, [
      {
        part: {
          writes: writesOf(context, made),
          audit: auditOf(made),
          events: [
            ...emit(context, 'MANIFEST_STATUS_CHANGED', manifestEntity, manifests),
            ...emit(context, 'SHIPMENT_STATUS_CHANGED', shipmentEntity, shipments),
          ],
        },
        gates: [made.gate.gateUuid],
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
  const faults = faulty([
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

interface Made {
  gate: AssignedGate;
  manifests: (NewOrder & { uuid: string })[];
  shipments: { uuid: string; externalIdentifier: string; fields: StoredField[]; members: NewOrder[] }[];
}

const madeOf = (context: Context, { orders, shipments }: NewOrders, gate: AssignedGate): Made => ({
  gate,
  manifests: orders.map((order) => ({ ...order, uuid: newUuid() })),
  shipments: shipments.map(({ externalIdentifier, customFields }) => ({
    uuid: newUuid(),
    externalIdentifier,
    fields: fieldsToStore(context, customFields),
    members: orders.filter((order) => order.shipment === externalIdentifier),
  })),
});

/** The statements of all manifests and shipments together. */
function writesOf(context: Context, { gate: { gateUuid }, manifests, shipments }: Made) {
  const { scope, now } = context;
  const dates = { createDate: now, updateDate: now };
  const uuidOf = new Map(shipments.map(({ externalIdentifier, uuid }) => [externalIdentifier, uuid]));
  return [
    // Before the manifests. Each asset that is inserted later would update a count.
    ...scope.insert(
      assetLoading,
      manifests.flatMap(({ uuid, assets }) =>
        assets.map((wmsId) => ({
          uuid: newUuid(),
          manifestUuid: uuid,
          wmsId,
          loadingStatus: 'NOT_LOADED' as const,
          ...dates,
        })),
      ),
    ),
    ...scope.insert(
      manifest,
      manifests.map(({ uuid, externalIdentifier, assets, shipment: of }) => ({
        uuid,
        externalIdentifier,
        manifestStatus: of === null ? ('PLANNED' as const) : ('TO_DO' as const),
        gateUuid,
        assetsCount: assets.length,
        foldedIdentifier: fold(externalIdentifier),
        ...dates,
      })),
    ),
    ...scope.insert(
      shipment,
      shipments.map(({ uuid, externalIdentifier }) => ({
        uuid,
        externalIdentifier,
        status: 'TO_DO' as const,
        gateUuid,
        notes: null,
        foldedIdentifier: fold(externalIdentifier),
        foldedNotes: '',
        ...dates,
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
    ...recordAttached(
      context,
      manifests.flatMap(({ externalIdentifier, assets }) =>
        assets.map((wmsId) => ({ wmsId, manifestExternalId: externalIdentifier })),
      ),
    ),
  ];
}

/** The audit records, as of the single commands: each manifest, then each shipment and its manifests. */
function auditOf({ gate, manifests, shipments }: Made): AuditEntry[] {
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
