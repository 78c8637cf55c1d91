/** Reads and changes wrangler.toml as text, so that everything else in it stays as people wrote it. */

/** The resources that an environment needs in an account. */
export interface Resources {
  databases: { name: string; id: string }[];
  buckets: string[];
  /** Includes the queues for dead letters. */
  queues: string[];
}

/** A placeholder for an id that does not exist yet. */
export const PLACEHOLDER = /^00000000-0000-4000-8000-/;

/** The names in the blocks of an environment, such as `[[env.staging.d1_databases]]`. */
export function namesOf(text: string, environment: string): Resources {
  const blocks = (kind: string): string[] =>
    text.split(/^(?=\[)/m).filter((block) => block.startsWith(`[[env.${environment}.${kind}]]`));
  const valuesOf = (kind: string, key: string): string[] =>
    blocks(kind).flatMap((block) => new RegExp(`^${key} = "(.+)"$`, 'm').exec(block)?.[1] ?? []);
  const ids = valuesOf('d1_databases', 'database_id');
  return {
    databases: valuesOf('d1_databases', 'database_name').map((name, index) => ({ name, id: ids[index]! })),
    buckets: valuesOf('r2_buckets', 'bucket_name'),
    queues: [
      ...new Set([
        ...valuesOf('queues.producers', 'queue'),
        ...valuesOf('queues.consumers', 'queue'),
        ...valuesOf('queues.consumers', 'dead_letter_queue'),
      ]),
    ],
  };
}

/** The text with the ids of databases instead of their placeholders. */
export const withIds = (text: string, ids: ReadonlyMap<string, string>): string =>
  text.replace(
    /^(database_name = "(.+)"\ndatabase_id = ")(.+)"$/gm,
    (line, start: string, name: string, id: string) =>
      PLACEHOLDER.test(id) && ids.has(name) ? `${start}${ids.get(name)}"` : line,
  );

/** The text with a jurisdiction after the names of buckets. */
export const withJurisdiction = (text: string, buckets: readonly string[], jurisdiction: string): string =>
  text.replace(/^(bucket_name = "(.+)"\n)(?!jurisdiction)/gm, (line, start: string, name: string) =>
    buckets.includes(name) ? `${start}jurisdiction = "${jurisdiction}"\n` : line,
  );
