import { type SQL, sql } from 'drizzle-orm';
import { changedFields, type FieldChange } from '../../core/lib/changes.ts';
import { dotsRefusal } from '../../core/lib/dots.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missing, missingIn, named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { inList, sqlUuid } from '../../core/lib/sql.ts';
import { fold } from '../../core/lib/text.ts';
import type { AuditAction } from '../../core/writer/audit-actions.ts';
import { auditing } from '../../core/writer/audited.ts';
import {
  type ChangePart,
  type Context,
  command,
  eventInsert,
  mergeChanges,
  unchanged,
} from '../../core/writer/command.ts';
import { nextEventId } from '../../core/writer/numbers.ts';
import { EVENT_COLUMNS } from '../../log/event/store.ts';
import { type FoundGate, gate, gateStatus, gateView, localManagerQuery, type StoredGate } from './store.ts';

/** A part of a change, and the gates whose status it may change. */
export interface AtGates {
  part: ChangePart;
  gates: readonly (string | null)[];
}

/** The parts of a change, and one more part with the events of the gates whose status changes. */
export const gateEventChanges = (
  context: Context,
  parts: readonly (ChangePart | AtGates)[],
): ChangePart[] => [
  ...parts.map((one) => ('part' in one ? one.part : one)),
  {
    writes: [],
    audit: [],
    events: tellGates(
      context,
      parts.flatMap((one) => ('part' in one ? one.gates : [])),
    ),
  },
];

/** Emit an event for each gate whose status differs from its last event. */
export function tellGates(
  { scope, now, traceparent }: Pick<Context, 'scope' | 'now' | 'traceparent'>,
  gateUuids: readonly (string | null)[],
): Write[] {
  const named = [...new Set(gateUuids.filter((uuid) => uuid !== null))];
  if (named.length === 0) return [];
  const changed = sql`+gate.organization_uuid = ${scope.organization} AND gate.uuid ${inList(named)}
    AND gate.told_status <> ${gateStatus}`;
  return [
    eventInsert(sql`INSERT INTO event ${EVENT_COLUMNS}
      SELECT ${nextEventId(scope, sql`row_number() OVER (ORDER BY gate.uuid)`)},
        ${sqlUuid(now)}, 'GATE_STATUS_CHANGED', ${now}, NULL, 'GATE', gate.uuid, gate.external_identifier,
        ${gateView}, NULL, ${traceparent}
      FROM gate WHERE ${changed}`),
    sql`UPDATE gate SET told_status = ${gateStatus} WHERE ${changed}`,
  ];
}

/**
 * Create a gate, or change the gate with this external identifier. An omitted local manager stays
 * unchanged. `only` allows just one of the two. A form that creates a gate must not change another
 * gate, and a form that changes a gate must not create one.
 */
export const putGate = command('putGate', {
  ask: (
    { scope },
    {
      externalIdentifier,
      localManagerUuid,
    }: {
      externalIdentifier: string;
      name: string;
      localManagerUuid: string | null | undefined;
      gln?: string | null | undefined;
      only?: 'CREATE' | 'CHANGE';
    },
  ) => ({
    gates: namedGateQuery(scope, externalIdentifier),
    managers: localManagerUuid == null ? undefined : localManagerQuery(scope, localManagerUuid),
  }),
  decide({ scope, organization, now }, input, { gates: [found], managers }) {
    if (!organization) return missing('organizationNotFound', scope.organization);
    const { externalIdentifier, name, only } = input;
    if (only === 'CREATE' && found) return identifierInUse(externalIdentifier);
    const dots = found ? undefined : dotsRefusal([['externalIdentifier', externalIdentifier]]);
    if (dots) return dots;
    if (only === 'CHANGE' && !found) return missing('gateNotFound', externalIdentifier);
    if (input.localManagerUuid != null && managers.length === 0) {
      return missingIn('localManagerUuid', 'localManagerNotFound', input.localManagerUuid);
    }
    if (found) {
      const localManagerUuid =
        input.localManagerUuid === undefined ? found.localManagerUuid : input.localManagerUuid;
      const gln = input.gln === undefined ? found.gln : input.gln;
      const changes = changedFields<Pick<NamedGate, 'name' | 'localManagerUuid' | 'gln'>>(found, {
        name,
        localManagerUuid,
        gln,
      });
      const answer = answerOf(scope, found.uuid, false);
      if (changes.length === 0) return unchanged(answer);
      const set = { name, foldedName: fold(name), localManagerUuid, gln, updateDate: now };
      return {
        writes: [scope.update(gate, set, sql`uuid = ${found.uuid}`)],
        audit: [audited('GATE_UPDATED', found.uuid, externalIdentifier, changes)],
        answer,
      };
    }
    const uuid = newUuid();
    return {
      ...newGate({ scope, now }, uuid, { ...input, localManagerUuid: input.localManagerUuid ?? null }),
      answer: answerOf(scope, uuid, true),
    };
  },
});

/** The change that creates a gate. */
function newGate(
  { scope, now }: Pick<Context, 'scope' | 'now'>,
  uuid: string,
  {
    externalIdentifier,
    name,
    localManagerUuid,
    gln = null,
  }: {
    externalIdentifier: string;
    name: string;
    localManagerUuid: string | null;
    gln?: string | null | undefined;
  },
): ChangePart {
  return {
    writes: scope.insert(gate, [
      {
        uuid,
        externalIdentifier,
        name,
        localManagerUuid,
        gln,
        foldedIdentifier: fold(externalIdentifier),
        foldedName: fold(name),
        createDate: now,
        updateDate: now,
      },
    ]),
    audit: [
      audited(
        'GATE_CREATED',
        uuid,
        externalIdentifier,
        changedFields(null, {
          externalIdentifier,
          name,
          localManagerUuid,
          ...(gln === null ? {} : { gln }),
        }),
      ),
    ],
  };
}

/** Delete a gate. It is refused while an open manifest is assigned to the gate. */
export const deleteGate = command('deleteGate', {
  ask: ({ scope }, { externalIdentifier }: { externalIdentifier: string }) => ({
    gates: namedGateQuery(scope, externalIdentifier),
    manifests: sql`SELECT 1 FROM manifest
      WHERE organization_uuid = ${scope.organization} AND gate_uuid = ${uuidNamed(scope, externalIdentifier)}
        AND deleted_date IS NULL AND manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS') LIMIT 1`,
    shipments: sql`SELECT 1 FROM shipment
      WHERE organization_uuid = ${scope.organization} AND gate_uuid = ${uuidNamed(scope, externalIdentifier)}
        AND deleted_date IS NULL AND status IN ('TO_DO', 'IN_PROGRESS') LIMIT 1`,
  }),
  decide(context, { externalIdentifier }, { gates: [found], manifests, shipments }) {
    const { scope, organization, now } = context;
    if (!organization) return missing('organizationNotFound', scope.organization);
    if (!found) return missing('gateNotFound', externalIdentifier);
    if (manifests.length + shipments.length > 0) {
      return refusal(
        'gateInUse',
        `${named('Gate', externalIdentifier)} has open manifests or shipments. Assign them to another gate first.`,
        { facts: { name: externalIdentifier } },
      );
    }
    return {
      writes: [scope.update(gate, { deletedDate: now, updateDate: now }, sql`uuid = ${found.uuid}`)],
      audit: [
        audited('GATE_DELETED', found.uuid, externalIdentifier, [
          { field: 'deleted', oldValue: false, newValue: true },
        ]),
      ],
      events: tellGates(context, [found.uuid]),
      answer: { value: {} },
    };
  },
});

function identifierInUse(rejectedValue: string): Refusal {
  const code = 'externalIdentifierInUse' as const;
  const message = `${named('Gate', rejectedValue)} exists already.`;
  const errors = [{ field: 'externalIdentifier', code, message, rejectedValue }];
  return refusal(code, message, { errors });
}

type NamedGate = FoundGate & { gln: string | null };

/**
 * The gate with this external identifier. An upsert must not find another gate whose uuid equals
 * the given text.
 */
const fromGate = (scope: Scope, externalIdentifier: string): SQL => sql`FROM gate
  WHERE organization_uuid = ${scope.organization} AND deleted_date IS NULL
    AND external_identifier = ${externalIdentifier}`;
const namedGateQuery = (scope: Scope, externalIdentifier: string) => sql<NamedGate>`SELECT uuid,
  external_identifier AS "externalIdentifier", name, local_manager_uuid AS "localManagerUuid", gln
  ${fromGate(scope, externalIdentifier)}`;
const uuidNamed = (scope: Scope, externalIdentifier: string): SQL =>
  sql`(SELECT uuid ${fromGate(scope, externalIdentifier)})`;

const answerOf = (scope: Scope, uuid: string, created: boolean) => sql<{
  created: 0 | 1;
  gate: StoredGate;
}>`SELECT json_object('created', ${Number(created)}, 'gate', ${gateView}) FROM gate
  WHERE organization_uuid = ${scope.organization} AND uuid = ${uuid}`;

const audited = (action: AuditAction, uuid: string, externalIdentifier: string, changes: FieldChange[]) =>
  auditing('GATE', () => externalIdentifier)(action, { uuid }, changes);

/** The maximum number of gates of one command. */
export const GATES_MAXIMUM = 99;

/** Create several gates in one commit. Gates that exist stay as they are. */
export const createGates = command('createGates', {
  ask: ({ scope }, { gates }: { gates: { externalIdentifier: string; name: string }[] }) => ({
    existing: sql<{ externalIdentifier: string }>`SELECT external_identifier AS "externalIdentifier" FROM gate
      WHERE organization_uuid = ${scope.organization} AND deleted_date IS NULL
        AND external_identifier ${inList(gates.map(({ externalIdentifier }) => externalIdentifier))}`,
  }),
  decide(context, { gates }, { existing }) {
    const known = new Set(existing.map(({ externalIdentifier }) => externalIdentifier));
    const added = gates.filter(({ externalIdentifier }) => !known.has(externalIdentifier));
    return mergeChanges(
      { value: { created: added.length } },
      added.map((gate) => newGate(context, newUuid(), { ...gate, localManagerUuid: null })),
    );
  },
});
