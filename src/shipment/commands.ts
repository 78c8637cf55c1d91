import { sql } from 'drizzle-orm';
import { type CustomFieldInput, diffFields, filledFields } from '../custom-field/rules.ts';
import { auditFields, insertFields, writeFields } from '../custom-field/store.ts';
import type { FieldChange } from '../lib/changes.ts';
import { newUuid } from '../lib/id.ts';
import { type ProblemItem, type Refusal, refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';
import { assignGate } from '../manifest/changes.ts';
import { tellGates } from '../site/changes.ts';
import { type AssignedGate, assignedTo, gateChange } from '../site/rules.ts';
import { type FoundGate, gateQuery } from '../site/store.ts';
import { command, isRefusal, mergeChanges, type Part } from '../writer/command.ts';
import {
  answerOf,
  audited,
  emitShipment,
  faulty,
  fieldErrors,
  gateErrors,
  memberChanges,
} from './changes.ts';
import { askShipment, closed, foundShipment, isCancelled, openShipment } from './find.ts';
import { attachMembers, detachMembers, type Owner, toAttach } from './members.ts';
import type { ManifestReference } from './rules.ts';
import { referencesQuery, type ShipmentState, shipmentTakenQuery } from './store.ts';
import { shipment } from './table.ts';

/** Create a shipment of manifests that are PLANNED and in no other shipment; it is TO_DO. */
export const createShipment = command('createShipment', {
  ask: ({ scope }, input: NewShipment) => ({
    taken: shipmentTakenQuery(scope, input.identifier),
    gates: input.gateIdentifier ? gateQuery(scope, input.gateIdentifier) : undefined,
    references: referencesQuery(scope, input.manifests),
  }),
  decide(context, input, { taken, gates: [gate], references }) {
    const { scope, now } = context;
    if (context.organization?.dispatchStrategy !== 'SHIPMENT') {
      return refusal('shipmentStrategyRequired', 'The organization does not dispatch by shipment.');
    }
    const { identifier: externalIdentifier, notes } = input;
    const refused = faulty([
      ...gateErrors(input.gateIdentifier, gate),
      ...fieldErrors(context, input.customFields),
    ]);
    if (refused) return refused;
    if (taken.length > 0) return inUse(externalIdentifier);
    const added = toAttach(input.manifests, references);
    if (isRefusal(added)) return added;
    const owner: Owner = {
      uuid: newUuid(),
      externalIdentifier,
      status: 'TO_DO',
      ...assignedTo(gate ?? null),
    };
    const fields = filledFields(input.customFields);
    const created: Part = {
      writes: [
        ...scope.insert(shipment, [
          {
            ...owner,
            notes,
            foldedIdentifier: fold(externalIdentifier),
            foldedNotes: fold(notes ?? ''),
            createDate: now,
            updateDate: now,
          },
        ]),
        ...insertFields(scope, owner.uuid, fields),
      ],
      audit: [
        audited('SHIPMENT_CREATED', owner, [
          { field: 'status', oldValue: null, newValue: owner.status },
          gateChange(assignedTo(null), owner),
          { field: 'notes', oldValue: null, newValue: notes },
          ...memberChanges([], added),
          ...auditFields([], diffFields([], fields)),
        ]),
      ],
    };
    const emitted: Part = { writes: [], audit: [], events: emitShipment(context, owner, [owner.gateUuid]) };
    return mergeChanges(answerOf(context, owner.uuid, added.length), [
      created,
      attachMembers(context, owner, added),
      emitted,
    ]);
  },
});

interface NewShipment {
  identifier: string;
  gateIdentifier: string | null;
  notes: string | null;
  manifests: ManifestReference[];
  customFields: CustomFieldInput[];
}

/** Change what a request names of a shipment; manifests and fields become what it lists. */
export const replaceShipment = command('replaceShipment', {
  ask: ({ scope }, input: Replacement) => ({
    ...askShipment(scope, input.identifier, input.ifMatch),
    gates: input.gateIdentifier ? gateQuery(scope, input.gateIdentifier) : undefined,
    references: input.manifests === null ? undefined : referencesQuery(scope, input.manifests),
  }),
  decide(context, input, { gates: [named], references, ...rows }) {
    const { scope, now } = context;
    const found = foundShipment(rows, input.ifMatch);
    if (isRefusal(found)) return found;
    const { state, members, fields: current } = found;
    const refused =
      faulty([
        ...identifierErrors(state, input.newIdentifier),
        ...gateErrors(input.gateIdentifier, named),
        ...fieldErrors(context, input.customFields ?? []),
      ]) ?? closed(state);
    if (refused) return refused;
    const gate = wantedGate(state, input.gateIdentifier, named);
    if (isRefusal(gate)) return gate;
    const added = input.manifests === null ? [] : toAttach(input.manifests, references, members, state.uuid);
    if (isRefusal(added)) return added;
    const wanted = new Set(references.map(({ uuid }) => uuid));
    const removed = input.manifests === null ? [] : members.filter(({ uuid }) => !wanted.has(uuid));
    const staying = members.filter((member) => !removed.includes(member));
    const owner: Owner = { ...state, ...gate };
    const notes = input.notes ?? state.notes;
    const fields = diffFields(
      current,
      input.customFields === null ? current : filledFields(input.customFields),
    );
    const changes: FieldChange[] = [
      ...(gate.gateUuid === state.gateUuid ? [] : [gateChange(state, gate)]),
      ...(notes === state.notes ? [] : [{ field: 'notes', oldValue: state.notes, newValue: notes }]),
      ...memberChanges(removed, added),
      ...auditFields(current, fields),
    ];
    const answer = answerOf(context, state.uuid, input.manifests?.length);
    if (changes.length === 0) return { writes: [], audit: [], answer };
    return mergeChanges(answer, [
      detachMembers(context, owner, removed),
      assignGate(
        context,
        staying.filter((member) => !isCancelled(member)),
        gate,
      ),
      attachMembers(context, owner, added),
      {
        writes: [
          ...writeFields(scope, state.uuid, fields),
          scope.update(
            shipment,
            { gateUuid: gate.gateUuid, notes, foldedNotes: fold(notes ?? ''), updateDate: now },
            sql`uuid = ${state.uuid}`,
          ),
        ],
        audit: [audited('SHIPMENT_UPDATED', state, changes)],
        events: tellGates(context, [state.gateUuid, gate.gateUuid]),
      },
    ]);
  },
});

interface Replacement {
  identifier: string;
  ifMatch: string | null;
  newIdentifier: string | null;
  /** '' clears the gate. */
  gateIdentifier: string | null;
  notes: string | null;
  manifests: ManifestReference[] | null;
  customFields: CustomFieldInput[] | null;
}

/** The gate that PUT wants, or why it cannot be. */
function wantedGate(
  { status, gateUuid, gateExternalId }: ShipmentState,
  identifier: string | null,
  gate: FoundGate | undefined,
): AssignedGate | Refusal {
  if (identifier === null) return { gateUuid, gateExternalId };
  if (identifier !== '' || status !== 'IN_PROGRESS') return assignedTo(gate ?? null);
  return refusal('gateRequired', 'The gate cannot be cleared while loading is in progress.');
}

/** Delete a shipment that is not closed: its manifests are free and PLANNED again, and its identifier is. */
export const deleteShipment = command('deleteShipment', {
  ask: ({ scope }, { identifier, ifMatch }: { identifier: string; ifMatch: string | null }) =>
    askShipment(scope, identifier, ifMatch),
  decide(context, { ifMatch }, rows) {
    const { scope, now } = context;
    const found = openShipment(rows, ifMatch);
    if (isRefusal(found)) return found;
    const { state, members } = found;
    return mergeChanges({ value: null }, [
      detachMembers(context, state, members),
      {
        writes: [scope.update(shipment, { deletedDate: now, updateDate: now }, sql`uuid = ${state.uuid}`)],
        audit: [
          audited('SHIPMENT_DELETED', state, [
            { field: 'deleted', oldValue: false, newValue: true },
            ...memberChanges(members, []),
          ]),
        ],
        events: emitShipment(context, state, [state.gateUuid]),
      },
    ]);
  },
});

function inUse(rejectedValue: string): Refusal {
  const message = `There is a shipment ${rejectedValue}.`;
  const code = 'externalIdentifierInUse' as const;
  return refusal(code, message, { errors: [{ field: 'identifier', code, message, rejectedValue }] });
}

function identifierErrors(
  { externalIdentifier }: ShipmentState,
  rejectedValue: string | null,
): ProblemItem[] {
  if (rejectedValue === null || rejectedValue === externalIdentifier) return [];
  const message = 'The identifier of a shipment cannot be changed.';
  return [{ field: 'identifier', code: 'identifierImmutable', message, rejectedValue }];
}
