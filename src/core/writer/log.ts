import { type SQL, sql } from 'drizzle-orm';
import { isUuid, uuidHex } from '../lib/id.ts';
import type { Scope } from '../lib/scope.ts';
import { jsonChunks, render, rendered, rowsTable } from '../lib/sql.ts';
import {
  type AuditRecord,
  FIRST_PREVIOUS_HASH,
  type PersonCommitment,
  type ShortChange,
  shortChanges,
} from './chain.ts';
import { isOwnRow, numberIn, numberOf, rowIdOf } from './numbers.ts';

/** The pallet of an entry: its track, or a list of its WMS id if it has no marker. */
export type EntryPallet = string | readonly [wmsId: string];

/** Entries of a command in timelines. They differ only in their pallets. */
export interface Entries {
  type: string;
  manifestExternalId: string | null;
  shipmentExternalId: string | null;
  gateUuid: string | null;
  /** Details of the entry as JSON values. */
  details: readonly object[] | null;
  /** When it happened (epoch milliseconds); null if it equals the date of the command. */
  date: number | null;
  /** 1 if the service made the entries by itself, 0 if the actor of the command made them. */
  isOfService: 0 | 1;
  pallets: readonly EntryPallet[];
}

/** Entries that SQL makes from `given`, before the writes of the command. */
export interface MadeEntries {
  given: unknown;
  /** An expression of a JSON array of `StoredEntries` without `place`, for the JSON of `given`. */
  entries: (given: SQL) => SQL;
}

/** Entries as JSON in a row of the log. The row has `place` entries before them. */
export type StoredEntries = readonly [
  type: string,
  manifestExternalId: string | null,
  shipmentExternalId: string | null,
  gateUuid: string | null,
  details: readonly object[] | null,
  date: number | null,
  isOfService: 0 | 1,
  pallets: readonly EntryPallet[],
  place: number,
];

/** A record as JSON in a row of the log. */
export type StoredRecord = readonly [
  action: string,
  entityType: string,
  entityUuid: string,
  entityExternalId: string | null,
  changes: readonly ShortChange[],
  person?: PersonCommitment,
];

/** A command that is to be logged: its records, at least one, and its entries in timelines. */
export interface Logged {
  /** Epoch milliseconds; becomes the `eventDate`. */
  now: number;
  records: readonly (AuditRecord & { hash: string })[];
  entries: readonly (Entries | MadeEntries)[];
}

/** Actors that have a number, each as JSON of its columns. If one is wrong, the commit fails and nothing is lost. */
export type Names = ReadonlySet<string>;

export const NO_NAMES: Names = new Set();
/** The maximum number of remembered names. Beyond that all are forgotten, and have to be read again. */
const NAMES_MAXIMUM = 1_000;
/** About how many characters of records, and of entries, a row of the log has. D1 takes rows of 2 MB. */
const ROW_LENGTH = 300_000;
/** The maximum number of records of a row. */
export const RECORDS_MAXIMUM = 1_000;
/** The maximum number of pallets of `Entries`. */
const PALLETS_MAXIMUM = 1_000;

const ACTOR = rendered(sql`actor_type = each.value ->> 0 AND actor_uuid IS each.value ->> 1
  AND actor_display_name = each.value ->> 2 AND ip_address IS each.value ->> 3
  AND commitment IS unhex(each.value ->> 4) AND salt IS unhex(each.value ->> 5)`);

/** SQL: the number and the hash of the last record. No row if the log is empty. */
export const endQuery = (scope: Scope): SQL<{ sequenceNumber: number; hash: string }> => sql`
  SELECT ${numberIn(sql`id`)} + length(hashes) / 32 - 1 AS "sequenceNumber",
    lower(hex(substr(hashes, -32))) AS hash
  FROM log WHERE ${isOwnRow(scope, sql`log`)} ORDER BY id DESC LIMIT 1`;

/** An SQL condition: the log still ends with the record whose hash is `after`. */
export const endsWith = (
  scope: Scope,
  after: string,
): SQL => sql`coalesce((SELECT substr(hashes, -32) FROM log
    WHERE ${isOwnRow(scope, sql`log`)} ORDER BY id DESC LIMIT 1), unhex(${FIRST_PREVIOUS_HASH})) = unhex(${after})`;

/**
 * Statements that append commands after the record whose hash is `after`. If the log does not end with that record, the
 * first new row gets NULL for its date, and a constraint fails the batch. This is the fence. A unique number alone would
 * not be enough: after a rewind that skipped numbers, the numbers that follow an earlier record are free.
 */
export function logWrites(
  scope: Scope,
  commands: readonly Logged[],
  after: string,
  names: Names,
): { writes: SQL[]; names: Names } {
  const actors = new Map<string, number>();
  const rows: Row[] = [];
  for (const command of commands) {
    const { now, records } = command;
    const [{ actor, identity, ipAddress, requestId }] = records as [(typeof records)[0]];
    const { commitment = null, salt = null } = identity?.actor ?? {};
    const name = [actor.actorType, actor.uuid, actor.displayName, ipAddress, commitment, salt];
    const by = [indexIn(name, actors), ...shortened(requestId)];
    for (const { records: own, stored, entries, made } of rowsOf(command)) {
      const hashes = own.map(({ hash }) => hash).join('');
      const isFirst = rows.length === 0 ? true : null;
      const first = own[0]!.sequenceNumber;
      const given = made.map((one) => ({ ...one, text: JSON.stringify(one.given) }));
      rows.push({
        values: [first, now, ...by, hashes, stored, entries, isFirst, given.map(inRow)],
        entries: entriesOf(given),
      });
    }
  }
  const isNamed = [...actors.keys()].every((name) => names.has(name));
  const insert = (some: readonly Row[]): SQL[] =>
    jsonChunks(some.map(({ values }) => values)).map(
      (json) => sql`WITH numbers AS MATERIALIZED (SELECT json_group_array(number) AS actors
          FROM json_each(${listOf(actors)}) each LEFT JOIN audit_actor
            ON organization_number = ${numberOf(scope)} AND ${ACTOR})
        INSERT INTO log (id, event_date, actor_number, request_id, hashes, records, entries)
        SELECT ${rowIdOf(scope, sql`(line.value ->> 0)`)}, iif(line.value ->> 8 IS NULL OR ${endsWith(scope, after)}, line.value ->> 1, NULL),
          actors ->> (line.value ->> 2), coalesce(unhex(line.value ->> 3), line.value ->> 4), unhex(line.value ->> 5),
          line.value -> 6, ${some[0]!.entries}
        FROM numbers CROSS JOIN ${rowsTable(json)} line`,
    );
  const writes = runs(rows).flatMap(insert);
  return {
    writes: [...(isNamed ? [] : naming(scope, listOf(actors))), ...writes],
    names: isNamed ? names : new Set([...(names.size > NAMES_MAXIMUM ? NO_NAMES : names), ...actors.keys()]),
  };
}

/** A row of the log: its values, and the expression of its entries. */
interface Row {
  values: readonly unknown[];
  entries: SQL;
}

/** The rows in pieces that one statement inserts: neighbours with the same expression. */
function runs(rows: readonly Row[]): Row[][] {
  const pieces: Row[][] = [];
  let last = '';
  for (const row of rows) {
    const { text, params } = render(row.entries);
    const name = JSON.stringify([text, params]);
    if (name === last) pieces.at(-1)!.push(row);
    else pieces.push([row]);
    last = name;
  }
  return pieces;
}

/** SQL: the entries of a row `line` as JSON; null for none. Each group gets its place. */
const entriesOf = (made: readonly Given[]): SQL =>
  made.length === 0
    ? sql`nullif(line.value -> 7, 'null')`
    : sql`(SELECT nullif(json_group_array(json_insert(entries, '$[#]', before)), '[]') FROM (SELECT entries,
        coalesce(sum(json_array_length(entries, '$[7]')) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM (${sql.join(
        [sql`SELECT each.value AS entries FROM json_each(line.value, '$[7]') each`, ...made.map(eachOf)],
        sql` UNION ALL `,
      )})))`;
const eachOf = (one: Given, at: number): SQL => {
  const given = isLong(one) ? sql`${one.text}` : sql.raw(`(line.value -> '$[9][${at}]')`);
  return sql`SELECT each.value FROM json_each(${one.entries(given)}) each`;
};

/** Made entries with the JSON of `given`. */
type Given = MadeEntries & { text: string };
/** A long one is a parameter of its own, because a parameter may have 2 MB. */
const isLong = ({ text }: Given): boolean => text.length > ROW_LENGTH;
const inRow = (one: Given): unknown => (isLong(one) ? null : one.given);

/**
 * The rows of a command. Most commands have one. With many records or entries, each row has about the same share of both.
 */
function rowsOf({ records, entries }: Logged): {
  records: Logged['records'];
  stored: StoredRecord[];
  entries: readonly unknown[] | null;
  made: readonly MadeEntries[];
}[] {
  const stored = records.map(storedRecord);
  const groups = entries.flatMap((one) => ('given' in one ? [] : divided(one)));
  const made = entries.filter((one) => 'given' in one);
  const size = Math.max(lengthOf(stored), lengthOf(groups));
  const least = Math.max(Math.ceil(size / ROW_LENGTH), Math.ceil(records.length / RECORDS_MAXIMUM));
  const count = Math.min(records.length, least);
  const share = <T>(of: readonly T[], at: number): T[] =>
    of.slice(Math.floor((of.length * at) / count), Math.floor((of.length * (at + 1)) / count));
  return Array.from({ length: count }, (_, at) => {
    const own = share(groups, at);
    const isMade = made.length > 0 && at === 0;
    const given = isMade ? own.map(unplaced) : placed(own);
    return {
      records: share(records, at),
      stored: share(stored, at),
      entries: given.length > 0 || isMade ? given : null,
      made: isMade ? made : [],
    };
  });
}

const lengthOf = (rows: readonly unknown[]): number => JSON.stringify(rows).length;

function storedRecord(record: AuditRecord): StoredRecord {
  const { action, entityType, entityUuid, entityExternalId, changes, identity } = record;
  const stored = [action, entityType, entityUuid, entityExternalId, shortChanges(changes)] as const;
  return identity?.entity ? [...stored, identity.entity] : stored;
}

/** Entries in groups with a limited number of pallets. */
const divided = (entries: Entries): Entries[] =>
  Array.from({ length: Math.ceil(entries.pallets.length / PALLETS_MAXIMUM) }, (_, at) => ({
    ...entries,
    pallets: entries.pallets.slice(at * PALLETS_MAXIMUM, (at + 1) * PALLETS_MAXIMUM),
  }));

/** Entries as JSON, without `place`. */
const unplaced = (one: Entries) =>
  [
    one.type,
    one.manifestExternalId,
    one.shipmentExternalId,
    one.gateUuid,
    one.details,
    one.date,
    one.isOfService,
    one.pallets,
  ] as const;

function placed(groups: readonly Entries[]): StoredEntries[] {
  let next = 0;
  return groups.map((group) => {
    const place = next;
    next += group.pallets.length;
    return [...unplaced(group), place];
  });
}

/** Statements that give a number to the organization and to new actors. */
const naming = (scope: Scope, actors: string): SQL[] => [
  sql`INSERT INTO organization_number (organization_uuid) VALUES (${scope.organization}) ON CONFLICT DO NOTHING`,
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
