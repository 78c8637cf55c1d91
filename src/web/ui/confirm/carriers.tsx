import type { SQL } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import type { Database } from '../../../core/lib/database.ts';
import { fold } from '../../../core/lib/text.ts';
import type { OrganizationSettings } from '../../../core/writer/settings.ts';
import type { CustomFieldInput } from '../../../dispatch/custom-field/rules.ts';
import { roleKey } from '../../../dispatch/load/shipment/rules.ts';
import { valueQuery, valuesQuery } from '../../../dispatch/load/shipment/store.ts';
import { useWords } from '../../../messages/context.ts';
import type { PageContext } from './action.ts';
import { type Confirmation, NOT_ASKED } from './confirmation.tsx';

/** The most names that a question offers. */
const OFFERED = 5;

/** How many typing errors a name may have. Short names, such as DHL and DPD, differ by few letters. */
const errorsIn = (name: string): number => (name.length < 5 ? 0 : name.length < 8 ? 1 : 2);

/**
 * The known names that a typed name may mean: equal except for case and blanks, or with few letters missing, added,
 * replaced or swapped. The most similar name comes first.
 */
export function similarNames(typed: string, known: readonly string[]): string[] {
  const key = (name: string): string => fold(name).replaceAll(/\s+/g, ' ').trim();
  const wanted = key(typed);
  return known
    .filter((name) => name !== typed)
    .map((name) => ({ name, errors: distance(wanted, key(name)) }))
    .filter(({ errors }) => errors <= errorsIn(wanted))
    .sort((one, other) => one.errors - other.errors)
    .slice(0, OFFERED)
    .map(({ name }) => name);
}

/** The edit distance of two texts (optimal string alignment). Swapping two neighbours is one error. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  let [before, last]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, index) => index),
  ];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[other.length]!;
}

/** The maximum number of carriers that a page suggests. */
const SUGGESTED = 100;
/** The maximum number of carriers that a new name is compared with. */
const COMPARED = 500;

/** The maximum number of names of a list that are compared. */
const CHECKED = 20;

/** The maximum number of characters of a name in a notice. Browsers drop cookies above 4 kB. */
const NOTICE_LENGTH = 100;

type Settings = Pick<OrganizationSettings, 'shipmentCustomFields'>;

/** A carrier that a shipment of the organization has. */
export interface Carrier {
  value: string;
}

/** Read the carriers to suggest; undefined if the organization has no field for carriers. */
export function carriersQuery(database: Database, settings: Settings): SQL<Carrier> | undefined {
  const key = roleKey(settings.shipmentCustomFields, 'CARRIER');
  return key === null ? undefined : valuesQuery(database, key, SUGGESTED);
}

/** The id of the list that inputs of carriers name. */
export const CARRIERS = 'carriers';

/** The known carriers, once on a page. A script reads in `data-whole` whether these are all. */
export const Carriers: FC<{ carriers: readonly Carrier[] }> = ({ carriers }) => (
  <datalist id={CARRIERS} data-whole={carriers.length < SUGGESTED ? '' : undefined}>
    {carriers.map(({ value }) => (
      <option value={value} />
    ))}
  </datalist>
);

/** Says below the input of a carrier that its name is new. A script shows it while the user types. */
export const NewCarrier: FC = () => (
  <p class="hint" data-new={CARRIERS} aria-live="polite" hidden>
    {useWords().t('carrier.new')}
  </p>
);

/** The carrier among custom fields that a form sets; undefined without one. */
function carrierIn({ session }: PageContext, fields: readonly CustomFieldInput[]) {
  const key = roleKey(session.organization.shipmentCustomFields, 'CARRIER');
  const name = fields.find(({ fieldKey }) => fieldKey === key)?.fieldValue?.trim();
  return key === null || !name ? undefined : { key, name };
}

/**
 * Ask before a new carrier is stored if its name is nearly the name of a known carrier. It may be a typing error.
 * `input` returns the name of the carrier's input. A carrier that only the shipment `of` has is not a known one, because
 * the user is changing it now.
 */
export async function askCarrier(
  at: PageContext,
  fields: readonly CustomFieldInput[],
  input: (fieldKey: string) => string,
  of?: string,
): Promise<Confirmation> {
  const { database, words } = at;
  const carrier = carrierIn(at, fields);
  if (!carrier) return NOT_ASKED;
  const [found] = await similarTo(database, carrier.key, [carrier.name], of);
  const similar = found?.similar ?? [];
  const [first] = similar;
  if (first === undefined) return NOT_ASKED;
  return {
    title: words.t('carrier.ask', { name: carrier.name }),
    text: words.t('carrier.similar', { name: first }),
    choices: [
      {
        name: input(carrier.key),
        label: words.t('role.CARRIER'),
        value: first,
        options: [
          ...similar.map((value) => ({ value, label: value })),
          { value: carrier.name, label: words.t('carrier.asNew', { name: carrier.name }) },
        ],
      },
    ],
    yes: words.t('carrier.use'),
    no: words.t('carrier.back'),
    keeps: true,
    note: false,
  };
}

/** The new names among names of carriers, each with the known carriers that it may mean. */
async function similarTo(database: Database, key: string, names: readonly string[], except?: string) {
  const { exact, known } = await database.ask({
    exact: names.map((name) => valueQuery(database, key, name)),
    known: valuesQuery(database, key, COMPARED, except),
  });
  const values = known.map(({ value }) => value);
  const stored = new Set(exact.map(({ value }) => value));
  return names
    .filter((name) => !stored.has(name))
    .map((name) => ({ name, similar: similarNames(name, values) }));
}

/** Warnings about names of new carriers that may be typing errors. Only the first names are compared. */
export async function carrierWarnings(
  { database, session, words }: PageContext,
  names: readonly string[],
): Promise<string[]> {
  const key = roleKey(session.organization.shipmentCustomFields, 'CARRIER');
  if (key === null || names.length === 0) return [];
  const found = await similarTo(database, key, names.slice(0, CHECKED));
  return found.flatMap(({ name, similar: [similar] }) =>
    similar === undefined ? [] : [words.t('carrier.nearly', { name, similar })],
  );
}

/** A notice if the carrier is new; '' otherwise. Read it before the command. */
export async function newCarrierNotice(
  at: PageContext,
  fields: readonly CustomFieldInput[],
): Promise<string> {
  const carrier = carrierIn(at, fields);
  if (!carrier) return '';
  const found = await at.database.first(valueQuery(at.database, carrier.key, carrier.name));
  return found ? '' : at.words.t('carrier.isNew', { name: carrier.name.slice(0, NOTICE_LENGTH) });
}
