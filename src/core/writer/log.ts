import { type SQL, sql } from 'drizzle-orm';
import { isUuid, uuidHex } from '../lib/id.ts';
import type { Scope } from '../lib/scope.ts';
import { jsonChunks, rendered, rowsTable } from '../lib/sql.ts';
import { numberOf } from './audit-table.ts';
import { type AuditRecord, FIRST_PREVIOUS_HASH, shortChanges } from './chain.ts';

/** A log record to be committed. */
export type LogRecord = AuditRecord & {
  hash: string;
  /** Epoch milliseconds; becomes the `eventDate`. */
  now: number;
};

/**
 * Actions and actors that have a number in the log, each as JSON of its columns. If an entry is wrong, the commit fails
 * and nothing is lost.
 */
export type Names = ReadonlySet<string>;

export const NO_NAMES: Names = new Set();
/** The maximum number of remembered names. Beyond that all are forgotten, and have to be read again. */
const NAMES_MAXIMUM = 1_000;

const ACTION = rendered(sql`action = each.value ->> 0 AND entity_type = each.value ->> 1`);
const ACTOR = rendered(sql`actor_type = each.value ->> 0 AND actor_uuid IS each.value ->> 1
  AND actor_display_name = each.value ->> 2 AND ip_address IS each.value ->> 3
  AND commitment IS unhex(each.value ->> 4) AND salt IS unhex(each.value ->> 5)`);
const KEPT =
  rendered(sql`organization_number, sequence_number, event_date, action_number, actor_number, entity_uuid,
  entity_external_id, request_id, hash, changes, person, named_before`);
const GIVEN =
  rendered(sql`value ->> 1, actions ->> (value ->> 2), actors ->> (value ->> 3), coalesce(unhex(value ->> 4), value ->> 5), value ->> 6,
  coalesce(unhex(value ->> 7), value ->> 8), unhex(value ->> 9), value ->> 10, value ->> 11`);

/**
 * 1 if the last record about an entity has the same external id, so that this record needs no entry in the index by
 * external id. The query names its index, because SQLite would otherwise walk back along the log.
 */
const namedBefore = (number: SQL): SQL => sql`(SELECT 1 FROM (SELECT entity_uuid, entity_external_id
    FROM audit_record INDEXED BY audit_record_entity_uuid WHERE organization_number = ${number}
      AND substr(entity_uuid, 13) = substr(coalesce(unhex(value ->> 4), value ->> 5), 13)
    ORDER BY sequence_number DESC LIMIT 1)
  WHERE entity_uuid = coalesce(unhex(value ->> 4), value ->> 5) AND entity_external_id = value ->> 6)`;

/** An SQL condition: the log still ends with the record whose hash is `after`. */
export const endsWith = (scope: Scope, after: string): SQL => sql`coalesce((SELECT hash FROM audit_record
    WHERE organization_number = ${numberOf(scope)}
    ORDER BY sequence_number DESC LIMIT 1), unhex(${FIRST_PREVIOUS_HASH})) = unhex(${after})`;

/**
 * Statements that append records after the record whose hash is `after`. If the log does not end with that record, the
 * first new record gets NULL for its number, and a constraint fails the batch. This is the fence. A unique number alone
 * would not be enough: after a rewind that skipped numbers, the numbers that follow an earlier record are free.
 *
 * Rows are inserted into the table itself, because the trigger of the view `audit_log` costs several times as much.
 * Uuid and previous hash stay null, as they can be derived.
 */
export function logWrites(
  scope: Scope,
  records: readonly LogRecord[],
  after: string,
  names: Names,
): { writes: SQL[]; names: Names } {
  const actions = new Map<string, number>();
  const actors = new Map<string, number>();
  const rows = records.map((record, index) => {
    const { actor, identity } = record;
    const { commitment = null, salt = null } = identity?.actor ?? {};
    return [
      record.sequenceNumber,
      record.now,
      indexIn([record.action, record.entityType], actions),
      indexIn([actor.actorType, actor.uuid, actor.displayName, record.ipAddress, commitment, salt], actors),
      ...shortened(record.entityUuid),
      record.entityExternalId,
      ...shortened(record.requestId),
      record.hash,
      JSON.stringify(shortChanges(record.changes)),
      identity?.entity ? JSON.stringify(identity.entity) : null,
      ...(index === 0 ? [true] : []),
    ];
  });
  const [actionList, actorList] = [listOf(actions), listOf(actors)];
  const number = numberOf(scope);
  const used = [...actions.keys(), ...actors.keys()];
  const isNamed = used.every((name) => names.has(name));
  return {
    writes: [
      ...(isNamed ? [] : naming(scope, actionList, actorList)),
      ...jsonChunks(rows).map(
        (json) => sql`WITH numbers AS MATERIALIZED (SELECT
            (SELECT json_group_array(number) FROM json_each(${actionList}) each LEFT JOIN audit_action ON ${ACTION}) AS actions,
            (SELECT json_group_array(number) FROM json_each(${actorList}) each
              LEFT JOIN audit_actor ON organization_number = ${number} AND ${ACTOR}) AS actors)
          INSERT INTO audit_record (${KEPT}) SELECT ${number},
            iif(value ->> 12 IS NULL OR ${endsWith(scope, after)}, value ->> 0, NULL), ${GIVEN}, ${namedBefore(number)} FROM numbers CROSS JOIN ${rowsTable(json)}`,
      ),
    ],
    names: isNamed ? names : new Set([...(names.size > NAMES_MAXIMUM ? NO_NAMES : names), ...used]),
  };
}

/** Statements that give a number to new actions and actors. */
const naming = (scope: Scope, actions: string, actors: string): SQL[] => [
  sql`INSERT INTO organization_number (organization_uuid) VALUES (${scope.organization}) ON CONFLICT DO NOTHING`,
  sql`INSERT INTO audit_action (action, entity_type) SELECT value ->> 0, value ->> 1
    FROM organization_number CROSS JOIN json_each(${actions}) WHERE organization_uuid = ${scope.organization}
    ON CONFLICT DO NOTHING`,
  sql`INSERT INTO audit_actor (organization_number, actor_type, actor_uuid, actor_display_name, ip_address,
      commitment, salt)
    SELECT ${numberOf(scope)}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, unhex(value ->> 4), unhex(value ->> 5)
    FROM json_each(${actors}) each WHERE NOT EXISTS (SELECT 1 FROM audit_actor
      WHERE organization_number = ${numberOf(scope)} AND ${ACTOR})`,
];

/** The index of a name within this commit; a new name is added. */
function indexIn(columns: readonly (string | null)[], all: Map<string, number>): number {
  const name = JSON.stringify(columns);
  const index = all.get(name) ?? all.size;
  all.set(name, index);
  return index;
}

/** Names in the order of their indexes, as JSON. */
const listOf = (all: ReadonlyMap<string, number>): string => `[${[...all.keys()].join(',')}]`;

/** A uuid as the hex of its bytes, any other text unchanged. */
const shortened = (text: string): [hex: string | null, text: string | null] =>
  isUuid(text) ? [uuidHex(text), null] : [null, text];
