import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import type { Sorting } from '../../../core/http/list.ts';
import { FACT_NAMES } from '../../../dispatch/load/manifest/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { kit as messages } from '../../../messages/en/desk/kit.ts';
import type { Words } from '../../../messages/words.ts';
import { readIdentifier } from '../../../pallet/identifier.ts';
import { queryLimits } from '../form/limits.ts';
import { statusIn } from '../parts/components.tsx';
import { factLabel } from '../parts/field-labels.ts';
import { Icon } from '../parts/icons.tsx';
import { type Text, textOf } from '../parts/language.ts';
import { usePageState } from '../parts/view.ts';

/** A filter in the form of a list. */
export interface Filter<Name extends string> {
  name: Name;
  label: Text;
  /** Its possible values. Without them, the value is free text. */
  options?: readonly string[];
  /** Whether its values are data of the organization. The list then offers its `choices`. */
  chosen?: true;
  /** The label of a value that is not a status. */
  say?(words: Words, option: string): string;
  /** The label for no choice. The default is `Any`. */
  none?: Text;
  /** Whether its value is a day. The list then begins with that day, or ends before it. */
  day?: true;
  /** Whether its value is a day on which something happened. */
  oneDay?: true;
}

/** A choice of a filter whose values are data of the organization. */
export interface FilterChoice {
  value: string;
  label: string;
}

/** The query of the current page. */
export function useQuery(): URLSearchParams {
  return new URLSearchParams(usePageState().search);
}

/** The parameters of a filter by one value. A single value with a comma would be split, so it is sent twice. */
export const single = (name: string, value: string): [string, string][] =>
  Array.from({ length: value.includes(',') ? 2 : 1 }, () => [name, value]);

/** The parameter of a list's own search field. `q` belongs to the search box of every page. */
export const FIND = 'find';

/** Search for the digits of a scanned SSCC: each of its spellings has them. */
const searchedText = (typed: unknown): unknown =>
  typeof typed === 'string' ? (readIdentifier(typed).sscc ?? typed) : typed;

/** The query of a list. Its own search field sets `q`. */
export const withFind = <S extends z.ZodType>(query: S) =>
  z.preprocess(
    ({ [FIND]: typed, ...asked }: Record<string, unknown>) =>
      typed === undefined ? asked : { ...asked, q: searchedText(typed) },
    query,
  );

/** The current search text of a list. */
export const useFind = (): string => {
  const query = useQuery();
  return query.get(FIND) ?? query.get('q') ?? '';
};

/** The input for a text to search for in the list at a path. */
export const FindInput: FC<{ path: string; placeholder?: string | undefined }> = ({ path, placeholder }) => (
  <input
    id={FIND}
    name={FIND}
    type="search"
    value={useFind()}
    maxlength={queryLimits(path, FIND).maxlength}
    placeholder={placeholder}
  />
);

/**
 * The number of filters that are always visible if there is room. On a phone, all filters are
 * behind one button.
 */
const FILTERS_IN_SIGHT = 2;

/** The form that searches, filters and sorts a list. It is one line if there is room. */
export const Filters: FC<{
  filters: readonly Filter<string>[];
  search: string | undefined;
  sorting: Sorting<string>;
  sort: { sortBy: string; direction: string };
  /** The choices of the filter that is `chosen`; undefined if they are too many. The filter then takes text. */
  choices?: readonly FilterChoice[] | undefined;
  /** The number of filters that are always visible if there is room. */
  inSight?: number | undefined;
}> = ({ filters, search, sorting, sort, choices, inSight = FILTERS_IN_SIGHT }) => {
  const query = useQuery();
  const { path } = usePageState();
  const words = useWords();
  const { t } = words;
  const more = filters.slice(inSight);
  const asked = (of: typeof filters) => of.filter(({ name }) => query.get(name)).length;
  return (
    <search>
      <form method="get" action={path} class="narrow" data-list>
        {search !== undefined && (
          <div class="find">
            <label class="hidden" for={FIND}>
              {search}
            </label>
            <Icon name="search" />
            <FindInput path={path} placeholder={search} />
          </div>
        )}
        <details class="all">
          <summary>
            {t('list.filters')}
            {asked(filters) > 0 && ` (${asked(filters)})`}
          </summary>
          <div class="narrow">
            {filters.slice(0, inSight).map((filter) => (
              <FilterField filter={filter} choices={choices} value={query.get(filter.name) ?? ''} />
            ))}
            <details class="more" open={asked(more) > 0}>
              <summary>{t('list.moreFilters')}</summary>
              <div class="narrow">
                {more.map((filter) => (
                  <FilterField filter={filter} choices={choices} value={query.get(filter.name) ?? ''} />
                ))}
                <Choice
                  name="sort.sortBy"
                  label={t('list.sortBy')}
                  value={sort.sortBy === sorting.default.sortBy ? '' : sort.sortBy}
                  options={Object.keys(sorting.columns).map((name) => ({
                    value: name === sorting.default.sortBy ? '' : name,
                    label: sortName(words, name),
                  }))}
                />
                <Choice
                  name="sort.direction"
                  label={t('list.order')}
                  value={query.get('sort.direction') ?? ''}
                  options={[
                    { value: '', label: t('list.usual') },
                    { value: 'ASC', label: t('list.ascending') },
                    { value: 'DESC', label: t('list.descending') },
                  ]}
                />
              </div>
            </details>
          </div>
        </details>
        <button type="submit" class="button quiet show">
          {t('list.show')}
        </button>
        {query.size > 0 && (
          <a class="button quiet" href={path}>
            {t('list.clear')}
          </a>
        )}
      </form>
    </search>
  );
};

type Sorted = Extract<keyof typeof messages, `sort.${string}`>;
const isSorted = (key: string): key is Sorted => Object.hasOwn(messages, key);

/** Sort fields that have the text of their column. */
const COLUMN_TEXTS = {
  name: 'made.name',
  sequenceNumber: 'audit.number',
  eventDate: 'audit.when',
  email: 'account.email',
  raisedDate: 'alert.raised',
  resolvedDate: 'alert.resolvedAt',
  wmsId: 'load.palletField',
  markerCode: 'page.marker',
  coupleDate: 'track.coupled',
  retireDate: 'track.retired',
  lastSeenDate: 'track.lastSeen',
  lastHeartbeatDate: 'device.heard',
  lastUsedDate: 'key.used',
  hardwareId: 'calibrations.camera',
} as const;
const isColumn = (name: string): name is keyof typeof COLUMN_TEXTS => Object.hasOwn(COLUMN_TEXTS, name);

/** The name of a sort field. A field without a text becomes readable English: `createDate` is Create date. */
function sortName(words: Words, name: string): string {
  const key = `sort.${name}`;
  if (isSorted(key)) return words.t(key);
  const fact = FACT_NAMES.find((one) => one === name);
  if (fact) return factLabel(words, fact);
  return isColumn(name) ? words.t(COLUMN_TEXTS[name]) : statusIn(words, name.replace(/([A-Z])/g, '_$1'));
}

const FilterField: FC<{
  filter: Filter<string>;
  choices: readonly FilterChoice[] | undefined;
  value: string;
}> = ({
  filter: { name, label: text, options: named, chosen, day, oneDay, say: sayOption = statusIn, none },
  choices,
  value,
}) => {
  const words = useWords();
  const label = textOf(words, text);
  const options = chosen ? choices?.map((one) => one.value) : named;
  const say = chosen
    ? (_: Words, id: string) => choices?.find((one) => one.value === id)?.label ?? id
    : sayOption;
  // The URL may have several values. They stay when another filter changes.
  const isOther = value !== '' && !options?.includes(value);
  return options ? (
    <Choice
      name={name}
      label={label}
      value={value}
      options={[
        { value: '', label: none ? textOf(words, none) : words.t('list.any') },
        ...(isOther
          ? [{ value, label: words.list(value.split(',').map((option) => say(words, option))) }]
          : []),
        ...options.map((option) => ({ value: option, label: say(words, option) })),
      ]}
    />
  ) : (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={day || oneDay ? 'date' : 'text'}
        value={day ? value.slice(0, 10) : value}
        maxlength={day || oneDay ? undefined : 255}
      />
    </div>
  );
};

const Choice: FC<{
  name: string;
  label: string;
  value: string;
  options: { value: string; label: string }[];
}> = ({ name, label, value, options }) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
  </div>
);
