import type { FieldChange } from '../../../core/lib/changes.ts';
import { isDots } from '../../../core/lib/dots.ts';

export const ASSETS_MAXIMUM = 5_000;

/**
 * The items to add to and remove from `current` to get `wanted`. Both keep the order of their
 * lists.
 */
export function diffAssets(current: readonly string[], wanted: readonly string[]) {
  const before = new Set(current);
  const after = new Set(wanted);
  return {
    added: wanted.filter((asset) => !before.has(asset)),
    removed: current.filter((asset) => !after.has(asset)),
    unchanged: wanted.filter((asset) => before.has(asset)).length,
  };
}

/** The places of assets in a body that cannot be part of a path: of all assets, or of `among`. */
export const dottedAssets = (assets: readonly string[], among = assets): (readonly [string, string])[] =>
  assets.flatMap((wmsId, index) =>
    isDots(wmsId) && among.includes(wmsId) ? [[`assets[${index}]`, wmsId] as const] : [],
  );

/** A fact that a request may set, and on which no rule depends. Its choices are in the order of their meaning. */
interface Fact {
  choices: readonly [string, ...string[]];
  /** The value of a manifest whose request did not set it. */
  unset: string;
  /** What it means, for the documentation of the API. */
  about: string;
}

/**
 * The facts of manifests. Each is a column of its name. The members of requests and answers, filters, orders, audit
 * records, forms, columns of lists and columns of imported files follow from this table.
 */
export const MANIFEST_FACTS = {
  priority: { choices: ['LOW', 'NORMAL', 'HIGH'], unset: 'NORMAL', about: 'How urgent it is' },
} as const satisfies Record<string, Fact>;

export type ManifestFact = keyof typeof MANIFEST_FACTS;
export type ManifestFacts = { [F in ManifestFact]: (typeof MANIFEST_FACTS)[F]['choices'][number] };

/** The names of the facts. */
export const FACT_NAMES = Object.keys(MANIFEST_FACTS) as ManifestFact[];

/** What the table says about a fact. */
export const factOf = (name: ManifestFact): Fact => MANIFEST_FACTS[name];

/** An object with a member for each fact. The caller names its type. */
export const eachFact = <T extends Record<ManifestFact, unknown>>(
  of: (fact: Fact, name: ManifestFact) => unknown,
): T => Object.fromEntries(FACT_NAMES.map((name) => [name, of(factOf(name), name)])) as T;

/** The facts of a manifest whose request set none. */
export const UNSET_FACTS = eachFact<ManifestFacts>(({ unset }) => unset);

/** Only the facts of an object. A fact that is null or missing has the value of `before`. */
export const factsOf = (
  given: { [F in ManifestFact]?: ManifestFacts[F] | null },
  before: ManifestFacts,
): ManifestFacts => eachFact((_, name) => given[name] ?? before[name]);

/** The audited changes between two states. */
export const factChanges = (before: ManifestFacts, after: ManifestFacts): FieldChange[] =>
  FACT_NAMES.flatMap((field) =>
    before[field] === after[field]
      ? []
      : [{ field, oldValue: before[field], newValue: after[field] } as FieldChange],
  );

/** The same for a new manifest, whose other facts are as if no request had set them. */
export const newFactChanges = (facts: ManifestFacts): FieldChange[] =>
  factChanges(UNSET_FACTS, facts).map((change) => ({ ...change, oldValue: null }));
