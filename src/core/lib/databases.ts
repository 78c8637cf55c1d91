import { around } from './around.ts';
import { NO_ORGANIZATION } from './id.ts';
import { messagesOf, outage, reaching } from './store.ts';
import { SECOND_MS } from './time.ts';

/** How long to look for an organization that is moving between two databases, and the pause between two looks. */
export const BETWEEN = { maximumMs: 2 * SECOND_MS, pauseMs: 20 } as const;

/** The error if the organization has not arrived in that time. It counts as an unavailable store. */
export const betweenDatabases = (): Error => outage('The organization is between two databases.');

/** The database that every deployment has. It has a row for every organization, which says where its data is. */
export const MAIN = 'DB';
/** Names of bindings of D1 databases: `DB`, `DB_1`, `DB_2`, … */
const BINDING = /^DB(_[1-9]\d{0,3})?$/;
/** The maximum number of organizations and routing tags whose database an isolate remembers. */
const REMEMBERED_MAXIMUM = 20_000;

/** The location of an organization's data, as stated by its row in a database. The data is in one database only. */
export const LOCATIONS = [
  /** In this database. */
  'HERE',
  /** In this database, but about to move: it is read-only. */
  'FROZEN',
  /** Nowhere yet: the organization will be created in the database that the row names. */
  'PLANNED',
  /** In the database that the row names. The rows here are an unfinished copy. */
  'ARRIVING',
  /** In the database that the row names. */
  'ELSEWHERE',
] as const;
export type Location = (typeof LOCATIONS)[number];

/**
 * The D1 databases of the service, by binding name. The remembered database of an organization is only a guess: each
 * batch checks in its transaction that the organization is in that database (`guard`). A wrong guess costs one more
 * call. It never reads or writes rows that the organization has left behind.
 */
export class Databases {
  readonly #bindings: ReadonlyMap<string, D1Database>;
  readonly #databaseNames = new Map<string, string>();
  /** Waits until the invocation may make this many D1 queries. Called before each call. */
  readonly reserve: (queries: number) => Promise<void> | undefined;

  constructor(env: object, reserve: (queries: number) => Promise<void> | undefined = () => undefined) {
    this.reserve = reserve;
    this.#bindings = new Map(
      Object.entries(env)
        .filter(([name]) => BINDING.test(name))
        .sort(([one], [other]) => numberOf(one) - numberOf(other))
        .map(([name, db]): [string, D1Database] => [name, around(db, (_, send) => reaching(send))]),
    );
  }

  /** The names of all databases, `DB` first. */
  get names(): readonly string[] {
    return [...this.#bindings.keys()];
  }

  /** Whether a database of this name is bound. */
  has(name: string): boolean {
    return this.#bindings.has(name);
  }

  /** A database by its name. @throws an error that counts as an unavailable store, if no such database is bound */
  named(name: string): D1Database {
    const found = this.#bindings.get(name);
    if (!found) throw outage(`The database ${name} is not bound.`);
    return found;
  }

  /** The last known database of an organization, or of the owner of a routing tag; `DB` by default. */
  databaseNameOf(key: string): string {
    return this.#databaseNames.get(key) ?? MAIN;
  }

  /** Remember the database of an organization, or of the owner of a routing tag. */
  remember(key: string, name: string): void {
    this.#databaseNames.delete(key);
    if (name === MAIN) return;
    if (this.#databaseNames.size >= REMEMBERED_MAXIMUM)
      this.#databaseNames.delete(this.#databaseNames.keys().next().value!);
    this.#databaseNames.set(key, name);
  }
}

const numberOf = (name: string): number => Number(name.slice('DB_'.length));

const known = new WeakMap<object, Databases>();

/**
 * The databases among the bindings of a Worker or Durable Object. Callers with the same bindings share one instance.
 */
export function databasesOf(env: object): Databases {
  let databases = known.get(env);
  if (!databases) {
    databases = new Databases(env);
    known.set(env, databases);
  }
  return databases;
}

/** The start of the guard's error if the organization is in another database. The name of that database follows. */
const ELSEWHERE = 'elsewhere:';
const FROZEN = 'frozen:';
const NOWHERE = 'nowhere:';
const SAID = /'elsewhere:(\w*)'/;

/**
 * The first statement of every batch of an organization. If the organization is not in this database, the statement and
 * the whole batch fail, so nothing is read or written in a former database. An invalid JSON path creates the error
 * message: only this lets a plain SELECT fail with its own text. The parameter is the organization's uuid. Undefined if
 * no organization is concerned.
 */
export function guard(organization: string, databaseName: string, writes: boolean): string | undefined {
  // Rows that belong to no organization never move.
  return organization === NO_ORGANIZATION ? undefined : GUARDS[`${databaseName === MAIN}/${writes}`];
}

/**
 * An SQL condition on a row of `DB`: the organization is being imported or erased. It is in no database, and its data
 * is not visible.
 */
export const LIVES_NOWHERE = "(organization.residence = 'ARRIVING' AND organization.database_name IS NULL)";

/**
 * The text of the guard. Every organization has a row in `DB`. If the row is missing, the organization does not exist.
 * Reads of `DB` then pass the guard and find no rows.
 */
const guardText = (isMain: boolean, writes: boolean): string =>
  `SELECT json_extract('{}', coalesce((SELECT CASE
    WHEN residence = 'HERE'${writes ? '' : " OR residence = 'FROZEN'"} THEN '$'
    WHEN residence = 'FROZEN' THEN '${FROZEN}'
    ${isMain ? `WHEN ${LIVES_NOWHERE} THEN '${NOWHERE}'` : ''}
    ELSE '${ELSEWHERE}' || coalesce(database_name, '') END
    FROM organization WHERE uuid = ?), '${isMain ? (writes ? NOWHERE : '$') : ELSEWHERE}'))`;

const GUARDS: Readonly<Record<string, string>> = {
  'true/true': guardText(true, true),
  'true/false': guardText(true, false),
  'false/true': guardText(false, true),
  'false/false': guardText(false, false),
};

/** The database that the guard's error names; undefined for any other error. */
export function forwardedTo(error: unknown): string | undefined {
  const said = SAID.exec(messagesOf(error));
  return said ? said[1] || MAIN : undefined;
}

/** Whether the guard failed because there is no such organization. */
export const isNowhere = (error: unknown): boolean => messagesOf(error).includes(`'${NOWHERE}'`);

/** Whether the guard failed because the organization cannot be written to now. */
export const isFrozen = (error: unknown): boolean => messagesOf(error).includes(`'${FROZEN}'`);
