/** Writes to wrangler.toml that the Worker and the objects of organizations run beside the databases. */

/** Where databases are created: near a region (a hint), or in a jurisdiction, which binds. */
export interface Location {
  kind: 'location' | 'jurisdiction';
  name: string;
}

/**
 * The cloud region beside each location. Cloudflare runs the Worker in its data centre with the lowest latency to that
 * region.
 */
const REGIONS: Readonly<Record<Location['kind'], Readonly<Record<string, string>>>> = {
  location: {
    weur: 'aws:eu-west-3',
    eeur: 'aws:eu-central-1',
    apac: 'aws:ap-southeast-1',
    oc: 'aws:ap-southeast-2',
    wnam: 'aws:us-west-2',
    enam: 'aws:us-east-1',
  },
  jurisdiction: { eu: 'aws:eu-central-1', us: 'aws:us-east-1', fedramp: 'aws:us-east-1' },
};

/** The names of the locations or of the jurisdictions that D1 has. */
export const namesOfKind = (kind: Location['kind']): string[] => Object.keys(REGIONS[kind]);

/** The bindings of an environment's databases, and of its databases that the setup will create. */
interface Bindings {
  all: readonly string[];
  created: readonly string[];
}

/**
 * The configuration with the location of the databases that will be created. Their objects get this location. The Worker
 * gets it, too, if `DB` is one of these databases. `added`: the new lines.
 * @throws if some databases would not be in the jurisdiction of the others
 */
export function withLocation(
  text: string,
  environment: string,
  { all, created }: Bindings,
  { kind, name }: Location,
): { text: string; added: string[] } {
  const start = `[env.${environment}.vars]\n`;
  const [before, after] = text.split(start);
  if (after === undefined) throw new Error(`wrangler.toml has no section ${start.trim()}.`);
  const vars = after.split(/^(?=\[)/m)[0]!;
  const line = /^WRITER_LOCATIONS = '(.*)'\n/m;
  const value = kind === 'location' ? name : { jurisdiction: name };
  const locations: Record<string, unknown> = {
    ...JSON.parse(line.exec(vars)?.[1] ?? '{}'),
    ...Object.fromEntries(created.map((binding) => [binding, value])),
  };
  const jurisdictions = all.map((binding) => (locations[binding] as { jurisdiction?: string })?.jurisdiction);
  if (new Set(jurisdictions).size > 1) {
    throw new Error('All databases of an environment need the same jurisdiction (WRITER_LOCATIONS).');
  }
  const variable = `WRITER_LOCATIONS = '${JSON.stringify(locations)}'`;
  const section = `[env.${environment}.placement]`;
  const region = `region = "${REGIONS[kind][name]}"`;
  const placed = created.includes('DB') && !text.includes(section) ? [section, region] : [];
  const rest = `${variable}\n${vars.replace(line, '')}${after.slice(vars.length)}`;
  return {
    text: `${before}${placed.length > 0 ? `${section}\n${region}\n\n` : ''}${start}${rest}`,
    added: [variable, ...placed],
  };
}
