import { z } from '@hono/zod-openapi';
import type { Child, FC } from 'hono/jsx';
import { list } from '../../../core/http/schema.ts';
import { newUuid } from '../../../core/lib/id.ts';
import type { ItemResult } from '../../../core/writer/command.ts';
import { useWords } from '../../../messages/context.ts';
import type { ActionResult, PageContext } from '../confirm/action.ts';
import { type Confirmation, NOT_ASKED } from '../confirm/confirmation.tsx';
import { Input } from '../form/form.tsx';
import { formContext, useLimits } from '../form/form-state.ts';
import { schemaOf } from '../form/limits.ts';
import { ROWS_MAXIMUM, schemaText } from '../parts/form-rules.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { type Text, textOf } from '../parts/language.ts';
import type { Right } from '../parts/rights.ts';
import { usePageState, useShownForm } from '../parts/view.ts';
import { GATES_MAXIMUM, type GateChoice, gateOptions } from './gates.tsx';
import type { Picking } from './rows.tsx';

/** An action on the chosen rows: an action of the page, and its further input. */
export interface Offer<N extends string = string> {
  action: N;
  right: Right;
  label: Text;
  icon: IconName;
  /** A further input, such as a gate. */
  with?: Child;
  /** Whether the browser checks the required inputs of the form first. Only the inputs of this action may be required. */
  needsInput?: true;
  /** Whether the answer is a document, such as labels. A script opens it in a new tab, and shows a refusal here. */
  aside?: true;
  /** Whether it is behind the button `More`. */
  more?: true;
}

/**
 * How rows of a list are chosen, and the actions `N` on them. `M` is the further data that the list
 * reads.
 */
export interface Bulk<V, M, N extends string = string> extends Omit<Picking<V>, 'form'> {
  offers(more: readonly M[], at: PageContext): readonly Offer<N>[];
}

/** Id of the form with the chosen rows. */
export const BULK_FORM = 'bulk';

/** The field that chooses all rows of the filter. Its value is the number of rows that the user saw. */
export const ALL = 'all';
/** The same number, after the page has filled in the rows. The user then confirms the current number. */
const SEEN = 'seen';

/** The fields of a form about chosen rows. */
export const rowsOf = <S extends z.ZodType<string>>(row: S) => ({
  row: z.preprocess(
    (typed) => [typed ?? []].flat(),
    list(row, 1, ROWS_MAXIMUM, { tooFew: schemaText('noRow'), tooMany: schemaText('tooManyRows') }),
  ),
  [SEEN]: z.coerce.number().int().optional(),
});

/** The fields of a form in which all rows of a filter were chosen: `rows` are the current ones. */
export const rowsInput = (rows: readonly string[], seen: string) => ({ row: [...rows], [SEEN]: seen });

/** The chosen rows of a form. */
export interface ChosenRows {
  row: readonly string[];
  /** The number of rows that the user saw, if all rows of a filter were chosen. */
  seen?: number | undefined;
}

/** The number of rows in a question. If it differs from the number that the user saw, the question says so. */
export const RowCount: FC<{ of: ChosenRows }> = ({ of: { row, seen } }) => {
  const { t } = useWords();
  if (seen === undefined) return null;
  return (
    <p>
      {seen === row.length
        ? t('bulk.sameCount', { count: row.length })
        : t('bulk.otherCount', { count: row.length, seen })}
    </p>
  );
};

/** The question before an action on all rows of a filter. Chosen single rows need none. */
export const confirmRows = (
  { words: { t } }: PageContext,
  chosen: ChosenRows,
  action: string,
): Confirmation => {
  if (chosen.seen === undefined) return NOT_ASKED;
  return {
    title: t('bulk.title', { action, count: chosen.row.length }),
    text: <RowCount of={chosen} />,
    yes: t('bulk.yes', { count: chosen.row.length }),
    no: t('ask.keep'),
    keeps: true,
    note: false,
  };
};

/** The answer to a bulk action: the number of changed rows, and the result of each row. */
export function outcomeOf(
  became: readonly ItemResult[],
  summary: (counts: { count: number; all: number }) => string,
): ActionResult {
  const count = became.filter(({ refused }) => refused === null).length;
  return { done: summary({ count, all: became.length }), became: [...became] };
}

/** How the rows of a list are chosen; nothing if the user has no action on them. */
export const pickingOf = <V, M>(
  at: PageContext,
  bulk: Bulk<V, M> | undefined,
  more: readonly M[],
): Picking<V> | undefined =>
  bulk?.offers(more, at).some(({ right }) => at.may(right)) ? { ...bulk, form: BULK_FORM } : undefined;

/**
 * The bar with the number of chosen rows and the actions on them. `total` is the number of rows of the filter, if all of
 * them can be chosen.
 */
export function BulkBar<V, M>({
  at,
  bulk,
  more,
  total = 0,
  shown = total,
}: {
  at: PageContext;
  bulk: Bulk<V, M>;
  more: readonly M[];
  total?: number;
  shown?: number;
}) {
  const { formToken, path, search, failed } = usePageState();
  const words = useWords();
  const offers = bulk.offers(more, at).filter(({ right }) => at.may(right));
  const further = offers.filter((offer) => offer.more);
  const shownForm = useShownForm();
  return (
    <div class="bulk">
      <p id="chosen" role="status" data-own>
        {words.t('list.chosenRows')}
      </p>
      <form method="post" action={`${path}${search}`} id={BULK_FORM} aria-label={words.t('list.withChosen')}>
        <input type="hidden" name="token" value={formToken} />
        <input type="hidden" name="key" value={failed?.key ?? newUuid()} />
        {total > shown && <AllRows total={total} />}
        {offers
          .filter((offer) => !offer.more)
          .map((offer) => (
            <Offered offer={offer} />
          ))}
        {further.length > 0 && (
          <details class="more" open={further.some((offer) => offer.action === shownForm?.action)}>
            <summary class="button">{words.t('bulk.more')}</summary>
            <div class="offers">
              {further.map((offer) => (
                <p>
                  <Offered offer={offer} />
                </p>
              ))}
            </div>
          </details>
        )}
      </form>
    </div>
  );
}

const AllRows: FC<{ total: number }> = ({ total }) => {
  const { t } = useWords();
  const { [ALL]: all, [SEEN]: seen } = useShownForm()?.typed ?? {};
  if (total > ROWS_MAXIMUM) {
    return <span class="all-rows">{t('bulk.tooMany', { total, most: ROWS_MAXIMUM })}</span>;
  }
  return (
    <label class="all-rows">
      <input type="checkbox" name={ALL} value={total} checked={(all ?? seen) !== undefined} />{' '}
      {t('bulk.all', { total })}
    </label>
  );
};

/** The value of an input of the form for chosen rows, if the page shows the form again. */
export const useRowsInput = (name: string): string => String(useShownForm()?.typed[name] ?? '');

const Offered: FC<{ offer: Offer }> = ({ offer }) => (
  <>
    <formContext.Provider
      value={{ action: offer.action, schema: schemaOf(usePageState().path, offer.action) }}
    >
      {offer.with}
    </formContext.Provider>
    <button
      type="submit"
      name="action"
      value={offer.action}
      class="button"
      data-aside={offer.aside}
      formnovalidate={!offer.needsInput}
    >
      <Icon name={offer.icon} /> {textOf(useWords(), offer.label)}
    </button>
  </>
);

/**
 * A choice of the gate for the rows. No gate is preselected. Otherwise a button that is pressed too
 * early would assign the first gate.
 */
export const GateOfRows: FC<{ gates: readonly GateChoice[] }> = ({ gates }) => {
  const { t } = useWords();
  const label = t('desk.gate');
  const chosen = useRowsInput('gate');
  const { required } = useLimits('gate');
  return gates.length > GATES_MAXIMUM ? (
    <Input name="gate" label={label} value={chosen} placeholder={label} />
  ) : (
    <select name="gate" aria-label={label} required={required}>
      <option value="">{t('day.chooseGate')}</option>
      {gateOptions(gates).map(({ value, label: name }) => (
        <option value={value} selected={value === chosen}>
          {name}
        </option>
      ))}
    </select>
  );
};
