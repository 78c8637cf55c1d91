import { type SQL, sql } from 'drizzle-orm';

/** The uuid of an organization: of a scope, or as SQL. */
interface Owner {
  readonly organization: string | SQL;
}

/** SQL for the number of an organization. */
export const numberOf = ({ organization }: Owner): SQL =>
  sql`(SELECT number FROM organization_number WHERE organization_uuid = ${organization})`;

/**
 * An event, or a row of the log, has an id. Its upper bits are the number of the organization. Its lower bits are a
 * sequence number: of the event, or of the first record in the row.
 */
const NUMBER_BITS = 32;
export const NUMBER_MAXIMUM = 2 ** NUMBER_BITS - 1;

/** SQL: the sequence number in the id of a row of the log, or of an event. */
export const numberIn = (id: SQL): SQL => sql`(${id} & ${sql.raw(`${NUMBER_MAXIMUM}`)})`;

/** SQL: the id of the row of the log, or of the event, with a number of at most 32 bits. */
export const rowIdOf = (owner: Owner, number: SQL | number): SQL =>
  sql`((${numberOf(owner)} << ${sql.raw(`${NUMBER_BITS}`)}) + min(${number}, ${sql.raw(`${NUMBER_MAXIMUM}`)}))`;

/** An SQL condition: a row of `log` or `event`, or of its alias, belongs to the organization. */
export const isOwnRow = (owner: Owner, row: SQL): SQL =>
  sql`${row}.id BETWEEN ${rowIdOf(owner, 0)} AND ${rowIdOf(owner, NUMBER_MAXIMUM)}`;

/** An SQL condition: an event of the organization has a number above `after` and of at most `through`. */
export const isEventAfter = (
  owner: Owner,
  after: SQL | number,
  through: SQL | number = NUMBER_MAXIMUM,
): SQL => sql`event.id > ${rowIdOf(owner, after)} AND event.id <= ${rowIdOf(owner, through)}`;

/** SQL: the number of the last event of the organization; 0 before its first one. */
export const lastEventNumber = (owner: Owner): SQL<number> =>
  sql`(SELECT ${numberIn(sql`coalesce(max(event.id), 0)`)} FROM event WHERE ${isOwnRow(owner, sql`event`)})`;

/** SQL: the id of a new event at a place (from 1) after the last one. */
export const nextEventId = (owner: Owner, place: SQL): SQL =>
  sql`((SELECT coalesce(max(event.id), ${rowIdOf(owner, 0)}, 0) FROM event WHERE ${isOwnRow(owner, sql`event`)}) + ${place})`;
