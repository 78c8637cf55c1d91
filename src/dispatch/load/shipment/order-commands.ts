import { dotsRefusal } from '../../../core/lib/dots.ts';
import { missingIn, named } from '../../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../../core/lib/problem.ts';
import { type Context, command, mergeChanges } from '../../../core/writer/command.ts';
import { emit } from '../../../log/event/store.ts';
import { tellingGates } from '../../gate/changes.ts';
import { assignedTo } from '../../gate/rules.ts';
import { gateQuery } from '../../gate/store.ts';
import { manifestEntity } from '../manifest/store.ts';
import { faulty, fieldErrors } from './changes.ts';
import { newDeparture } from './departure-changes.ts';
import { auditOf, createdLoads, type NewOrders, newLoadsOf } from './order-changes.ts';
import { takenNamesQuery } from './order-store.ts';
import { ORDER_PALLETS_MAXIMUM, ORDERS_MAXIMUM } from './rules.ts';
import { shipmentEntity } from './store.ts';

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
    const parts = tellingGates(context, [
      newDeparture(context, fields),
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
