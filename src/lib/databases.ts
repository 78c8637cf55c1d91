import { NO_ORGANIZATION } from './id.ts';
import { messagesOf } from './store.ts';

/** The database that every deployment has. It knows of each organization where it lives. */
export const MAIN = 'DB';
/** Names of bindings of D1 databases: `DB`, `DB_1`, `DB_2`, … */
const BINDING = /^DB(_[1-9]\d{0,3})?$/;
/** Organizations and routing tags of which an isolate remembers where they live. */
const REMEMBERED_MAXIMUM = 20_000;

/** Where an organization is, seen from a database that has a row of it. */
export const RESIDENCES = [
  /** It lives here. */
  'HERE',
  /** It lives here, and is about to leave: nothing of it is written. */
  'FROZEN',
  /** It is to begin in the other database that the row names. */
  'PLANNED',
  /** It lives in the other database that the row names, and what is here of it is on its way. */
  'ARRIVING',
  /** It lives in the other database that the row names. */
  'ELSEWHERE',
] as const;
export type Residence = (typeof RESIDENCES)[number];

/**
 * The D1 databases of the service, by the names of their bindings. Where an organization was last found is remembered, and
 * no more than a guess: each batch looks itself whether its organization is there (`guard`), so a guess that became
 * wrong costs a call to D1, and nothing is read or written where an organization was before.
 */
export class Databases {
  readonly #bindings: ReadonlyMap<string, D1Database>;
  readonly #places = new Map<string, string>();

  constructor(env: object) {
    this.#bindings = new Map(
      Object.entries(env)
        .filter(([name]) => BINDING.test(name))
        .sort(([one], [other]) => numberOf(one) - numberOf(other)),
    );
  }

  /** All names, `DB` first. */
  get names(): readonly string[] {
    return [...this.#bindings.keys()];
  }

  /** Whether there is such a database. */
  has(name: string): boolean {
    return this.#bindings.has(name);
  }

  /** A database by its name. @throws as a store that does not answer, where it is not bound. */
  named(name: string): D1Database {
    const found = this.#bindings.get(name);
    if (!found) throw new Error(`D1 DB ${name} is not bound`);
    return found;
  }

  /** Where an organization, or who has a routing tag, is taken to live. */
  placeOf(key: string): string {
    return this.#places.get(key) ?? MAIN;
  }

  /** Remember where an organization, or who has a routing tag, lives. */
  remember(key: string, name: string): void {
    this.#places.delete(key);
    if (name === MAIN) return;
    if (this.#places.size >= REMEMBERED_MAXIMUM) this.#places.delete(this.#places.keys().next().value!);
    this.#places.set(key, name);
  }
}

const numberOf = (name: string): number => Number(name.slice('DB_'.length));

const known = new WeakMap<object, Databases>();

/** The databases among the bindings of a Worker or an object; one for all of an isolate that have the same. */
export function databasesOf(env: object): Databases {
  let databases = known.get(env);
  if (!databases) {
    databases = new Databases(env);
    known.set(env, databases);
  }
  return databases;
}

/** What the guard says of an organization that lives in another database, before its name. */
const ELSEWHERE = 'elsewhere:';
const FROZEN = 'frozen:';
const NOWHERE = 'nowhere:';
const SAID = /'elsewhere:(\w*)'/;

/**
 * The statement that a batch of an organization begins with, for the organization's uuid: it fails, and the batch with
 * it, where the organization does not live in this database. So nothing is read or written at a place that was left. A
 * path that JSON does not have is the one way for a plain SELECT to fail with words of its own.
 */
export function guard(organization: string, place: string, writes: boolean): string | undefined {
  // What belongs to no organization does not move.
  return organization === NO_ORGANIZATION ? undefined : GUARDS[`${place === MAIN}/${writes}`];
}

/**
 * In SQL, of a row of `DB`: that its organization lives nowhere. It is about to be brought into the deployment or taken out of
 * it, and nobody is to see of it what there is.
 */
export const LIVES_NOWHERE = "(organization.residence = 'ARRIVING' AND organization.database_name IS NULL)";

/** An organization that there is no row of is nowhere else, as `DB` has one of each: reads find nothing of it. */
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

/** The database that the guard says an organization lives in; undefined where an error says something else. */
export function forwardedTo(error: unknown): string | undefined {
  const said = SAID.exec(messagesOf(error));
  return said ? said[1] || MAIN : undefined;
}

/** Whether an error is the guard's word that there is no such organization. */
export const isNowhere = (error: unknown): boolean => messagesOf(error).includes(`'${NOWHERE}'`);

/** Whether an error is the guard's word that nothing of an organization is written now. */
export const isFrozen = (error: unknown): boolean => messagesOf(error).includes(`'${FROZEN}'`);
