/** What wrangler.toml says of an environment, as text: what is written back is the file as people wrote it. */

/** What an environment needs of an account. */
export interface Resources {
  databases: { name: string; id: string }[];
  buckets: string[];
  /** Those that are dead letters of others, too. */
  queues: string[];
}

/** An id that stands in for one that is still to come. */
export const PLACEHOLDER = /^00000000-0000-4000-8000-/;

/** The names in the blocks of an environment: `[[env.staging.d1_databases]]` and others. */
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

/** The text with the ids of databases in the place of those that stand in for them. */
export const withIds = (text: string, ids: ReadonlyMap<string, string>): string =>
  text.replace(
    /^(database_name = "(.+)"\ndatabase_id = ")(.+)"$/gm,
    (line, start: string, name: string, id: string) =>
      PLACEHOLDER.test(id) && ids.has(name) ? `${start}${ids.get(name)}"` : line,
  );

/** The text with a jurisdiction beside the names of buckets. */
export const withJurisdiction = (text: string, buckets: readonly string[], jurisdiction: string): string =>
  text.replace(/^(bucket_name = "(.+)"\n)(?!jurisdiction)/gm, (line, start: string, name: string) =>
    buckets.includes(name) ? `${start}jurisdiction = "${jurisdiction}"\n` : line,
  );
