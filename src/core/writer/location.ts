import { z } from 'zod';
import { Databases } from '../lib/databases.ts';
import type { WriterEnv } from './binding.ts';

/** The regions near which Cloudflare can create a Durable Object. */
const HINTS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const;
/** The jurisdictions that Cloudflare can keep a Durable Object in. */
const JURISDICTIONS = ['eu', 'us', 'fedramp', 'fedramp-high'] as const;

type Hint = (typeof HINTS)[number];
type Jurisdiction = (typeof JURISDICTIONS)[number];

/** Where the objects of organizations are created. */
export interface WriterLocations {
  /** The jurisdiction of all objects of the deployment; undefined if there is no jurisdiction. */
  jurisdiction?: Jurisdiction;
  /** The location hint of objects, by the name of the organization's database. */
  hints: Readonly<Record<string, Hint>>;
}

const NAME = 'WRITER_LOCATIONS';
const locationsSchema = z.record(
  z.string(),
  z.union([z.enum(HINTS), z.strictObject({ jurisdiction: z.enum(JURISDICTIONS) })]),
);

const known = new WeakMap<object, WriterLocations>();

/** The locations in the variable `WRITER_LOCATIONS`. @throws an error that names the variable, if it is invalid */
export function writerLocationsOf(env: Pick<WriterEnv, typeof NAME>): WriterLocations {
  let locations = known.get(env);
  if (!locations) {
    locations = parsed(env[NAME], new Databases(env).names);
    known.set(env, locations);
  }
  return locations;
}

/**
 * A jurisdiction is part of an object's id. So it must be the same for all databases: the object of an organization is
 * found without knowing its database, and a move keeps its object.
 */
function parsed(text: string | undefined, databaseNames: readonly string[]): WriterLocations {
  if (text === undefined) return { hints: {} };
  const locations = Object.entries(read(text));
  const unbound = locations.map(([name]) => name).find((name) => !databaseNames.includes(name));
  if (unbound !== undefined) throw invalid(`no database is bound as ${JSON.stringify(unbound)}`);
  const hints: Record<string, Hint> = {};
  const jurisdictions = new Map<string, Jurisdiction>();
  for (const [name, location] of locations) {
    if (typeof location === 'string') hints[name] = location;
    else jurisdictions.set(name, location.jurisdiction);
  }
  const [jurisdiction] = jurisdictions.values();
  if (jurisdiction === undefined) return { hints };
  const other = databaseNames.find((name) => jurisdictions.get(name) !== jurisdiction);
  if (other !== undefined) {
    throw invalid(`all databases need the same jurisdiction, and ${other} has not ${jurisdiction}`);
  }
  return { jurisdiction, hints };
}

function read(text: string): z.output<typeof locationsSchema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('the value is not JSON');
  }
  const result = locationsSchema.safeParse(value);
  if (result.success) return result.data;
  const [name] = result.error.issues[0]!.path;
  throw invalid(
    `${name === undefined ? 'the value' : JSON.stringify(name)} needs a location hint (${HINTS.join(', ')}) ` +
      `or {"jurisdiction": …} (${JURISDICTIONS.join(', ')})`,
  );
}

const invalid = (message: string): Error => new Error(`${NAME}: ${message}`);
