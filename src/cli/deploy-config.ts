/** Reads and changes wrangler.toml as text, so that everything else in it stays as people wrote it. */

/** The resources that an environment needs in an account. */
export interface Resources {
  /** Each with the name of its binding. */
  databases: { binding: string; name: string; id: string }[];
  buckets: string[];
  /** Includes the queues for dead letters. */
  queues: string[];
}

/** A placeholder for an id that does not exist yet. */
export const PLACEHOLDER = /^00000000-0000-4000-8000-/;

/** The texts of the sections with this header, such as `[env.staging.vars]`. */
const sections = (text: string, header: string): string[] =>
  text.split(/^(?=\[)/m).filter((section) => section.startsWith(header));

/** The names in the blocks of an environment, such as `[[env.staging.d1_databases]]`. */
export function namesOf(text: string, environment: string): Resources {
  const blocks = (kind: string): string[] => sections(text, `[[env.${environment}.${kind}]]`);
  const valuesOf = (kind: string, key: string): string[] =>
    blocks(kind).flatMap((block) => new RegExp(`^${key} = "(.+)"$`, 'm').exec(block)?.[1] ?? []);
  const [bindings, ids] = [valuesOf('d1_databases', 'binding'), valuesOf('d1_databases', 'database_id')];
  return {
    databases: valuesOf('d1_databases', 'database_name').map((name, index) => ({
      binding: bindings[index]!,
      name,
      id: ids[index]!,
    })),
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

/**
 * Problems of an environment that do not stop the setup, but make its Worker unreachable, slow or refuse to serve. `isPlaced`:
 * a location is set now.
 */
export function warningsOf(text: string, environment: string, isPlaced = true): string[] {
  const own = (name: string) => sections(text, `[env.${environment}${name}]`).join('');
  const variables = own('.vars');
  const domain = /^BASE_DOMAIN = "(.*)"/m.exec(variables)?.[1] ?? '';
  const isRouted = /^routes? = /m.test(own('')) || text.includes(`[[env.${environment}.routes]]`);
  const counts = sections(text, `[[env.${environment}.ratelimits]]`).join('');
  const shared = [...counts.matchAll(/^namespace_id = ".+"$/gm)].filter(
    ([line]) => text.split('\n').filter((other) => other === line).length > 1,
  );
  return [
    ...(/(^|\.)(localhost|example\.(com|net|org))$/.test(domain) || domain === ''
      ? [`BASE_DOMAIN is "${domain}". Set a domain of your own in [env.${environment}.vars].`]
      : []),
    ...(isRouted
      ? []
      : [
          `[env.${environment}] has no routes, so nobody can reach the Worker (workers_dev is false). Add a route.`,
        ]),
    ...[
      ...variables.matchAll(
        /^(ENVIRONMENT = "development"|(?:WEBHOOK_ALLOW_LOOPBACK|WEBHOOK_RETRY_DIVISOR) = .*)$/gm,
      ),
    ].map(([line]) => `${line} is for a developer machine. Change it in [env.${environment}.vars].`),
    ...(isPlaced || /^WRITER_LOCATIONS = /m.test(variables)
      ? []
      : [
          'No location is set, so databases, objects and the Worker may be on different continents. A scan can then take 0.4 s. ' +
            'Run this with --location or --jurisdiction before you create the databases.',
        ]),
    ...mailWarning(text, environment, variables),
    ...shared.map(
      ([line]) => `${line} occurs twice, so two quotas of public pages share a count. Use another number.`,
    ),
  ];
}

/** E-mails need a binding and a sender. If one of the two is missing, the service sends no e-mails. */
function mailWarning(text: string, environment: string, variables: string): string[] {
  const isBound = text.includes(`[[env.${environment}.send_email]]`);
  const hasSender = /^EMAIL_FROM = /m.test(variables);
  if (isBound === hasSender) return [];
  const missing = isBound ? `EMAIL_FROM in [env.${environment}.vars]` : `[[env.${environment}.send_email]]`;
  return [`E-mails cannot be sent without ${missing}. See E-mails in the guide on deploying.`];
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
