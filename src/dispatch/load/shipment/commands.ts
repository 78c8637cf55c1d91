import { sql } from 'drizzle-orm';
import { dotsRefusal } from '../../../core/lib/dots.ts';
import { newUuid } from '../../../core/lib/id.ts';
import { named } from '../../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../../core/lib/problem.ts';
import { type ChangePart, command, isRefusal, mergeChanges } from '../../../core/writer/command.ts';
import { settledDepartures } from '../../alert/changes.ts';
import { type CustomFieldInput, diffFields } from '../../custom-field/rules.ts';
import { auditFields } from '../../custom-field/store.ts';
import { tellingGates } from '../../gate/changes.ts';
import { assignedTo, gateChange } from '../../gate/rules.ts';
import { gateQuery } from '../../gate/store.ts';
import {
  emitShipment,
  faulty,
  fieldErrors,
  fieldsToStore,
  gateErrors,
  memberChanges,
  shipmentAnswer,
  shipmentAudit,
} from './changes.ts';
import { newDeparture } from './departure-changes.ts';
import { askPlaced, askShipment, departureAlertsQuery, openShipment } from './find.ts';
import { insertShipments } from './insert-changes.ts';
import { attachMembers, detachMembers, leftMembers, type MemberShipment, toAttach } from './members.ts';
import type { ManifestReference } from './rules.ts';
import { referencesQuery, shipmentTakenQuery } from './store.ts';
import { shipment } from './table.ts';

/** Create a shipment with status TO_DO. Its manifests must be PLANNED and in no other shipment. */
export const createShipment = command('createShipment', {
  ask: ({ scope }, input: NewShipment) => ({
    taken: shipmentTakenQuery(scope, input.identifier),
    gates: input.gateIdentifier ? gateQuery(scope, input.gateIdentifier) : undefined,
    references: referencesQuery(scope, input.manifests),
  }),
  decide(context, input, { taken, gates: [gate], references }) {
    if (context.organization?.dispatchStrategy !== 'SHIPMENT') {
      return refusal('shipmentStrategyRequired', 'The organization does not dispatch by shipment.');
    }
    const { identifier: externalIdentifier, notes } = input;
    const refused = faulty([
      ...(dotsRefusal([['identifier', externalIdentifier]])?.errors ?? []),
      ...gateErrors(input.gateIdentifier, gate),
      ...fieldErrors(context, input.customFields),
    ]);
    if (refused) return refused;
    if (taken.length > 0) return inUse(externalIdentifier);
    const added = toAttach(input.manifests, references);
    if (isRefusal(added)) return added;
    const owner: MemberShipment = {
      uuid: newUuid(),
      externalIdentifier,
      status: 'TO_DO',
      ...assignedTo(gate ?? null),
    };
    const fields = fieldsToStore(context, input.customFields);
    const created: ChangePart = {
      writes: insertShipments(context, [
        { uuid: owner.uuid, externalIdentifier, gateUuid: owner.gateUuid, notes, fields },
      ]),
      audit: [
        shipmentAudit('SHIPMENT_CREATED', owner, [
          { field: 'status', oldValue: null, newValue: owner.status },
          gateChange(assignedTo(null), owner),
          { field: 'notes', oldValue: null, newValue: notes },
          ...memberChanges([], added),
          ...auditFields([], diffFields([], fields)),
        ]),
      ],
    };
    const parts = [
      created,
      newDeparture(context, fields),
      attachMembers(context, owner, added),
      emitShipment(context, owner),
    ];
    return mergeChanges(shipmentAnswer(context, owner.uuid, added.length), tellingGates(context, parts));
  },
});

interface NewShipment {
  identifier: string;
  gateIdentifier: string | null;
  notes: string | null;
  manifests: ManifestReference[];
  customFields: CustomFieldInput[];
}

/**
 * Delete a shipment that is not closed. Its manifests become PLANNED and can join another shipment.
 * Its identifier can be used again.
 */
export const deleteShipment = command('deleteShipment', {
  ask: ({ scope }, { identifier, ifMatch }: { identifier: string; ifMatch: string | null }) => ({
    ...askShipment(scope, identifier, ifMatch),
    alerts: departureAlertsQuery(scope, identifier),
    placed: askPlaced(scope, identifier),
  }),
  decide(context, input, { alerts, placed, ...rows }) {
    const { scope, now } = context;
    const found = openShipment(rows, input);
    if (isRefusal(found)) return found;
    const { state, members } = found;
    const deleted: ChangePart = {
      writes: [
        scope.update(
          shipment,
          { deletedDate: now, driverToken: null, updateDate: now },
          sql`uuid = ${state.uuid}`,
        ),
      ],
      audit: [
        shipmentAudit('SHIPMENT_DELETED', state, [
          { field: 'deleted', oldValue: false, newValue: true },
          ...memberChanges(members, []),
        ]),
      ],
    };
    const parts = [
      settledDepartures(context, alerts),
      detachMembers(context, state, members),
      leftMembers(context, state, { members, removed: members, placed, endsNow: true }),
      deleted,
      emitShipment(context, state),
    ];
    return mergeChanges({ value: null }, tellingGates(context, parts));
  },
});

function inUse(rejectedValue: string): Refusal {
  const message = `${named('Shipment', rejectedValue)} exists already.`;
  const code = 'externalIdentifierInUse' as const;
  return refusal(code, message, { errors: [{ field: 'identifier', code, message, rejectedValue }] });
}
