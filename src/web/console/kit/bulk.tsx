import { z } from '@hono/zod-openapi';
import type { Child, FC } from 'hono/jsx';
import { newUuid } from '../../../core/lib/id.ts';
import type { ItemResult } from '../../../core/writer/decide-items.ts';
import { useWords } from '../../../messages/context.ts';
import type { ActionResult, PageContext } from './action.ts';
import { GATES_MAXIMUM, type GateChoice, gateOptions } from './gates.tsx';
import { Icon, type IconName } from './icons.tsx';
import { type Text, textOf } from './language.ts';
import type { Right } from './rights.ts';
import type { Picking } from './rows.tsx';
import { usePageState } from './view.ts';

/** An action on the chosen rows: an action of the page, and its further input. */
export interface Offer<N extends string = string> {
  action: N;
  right: Right;
  label: Text;
  icon: IconName;
  /** A further input, such as a gate. */
  with?: Child;
  /** Whether the answer is a document that opens in a new tab, such as labels. */
  aside?: true;
}

/**
 * How rows of a list are chosen, and the actions `N` on them. `M` is the further data that the list
 * reads.
 */
export interface Bulk<V, M, N extends string = string> extends Omit<Picking<V>, 'form'> {
  offers(more: readonly M[]): readonly Offer<N>[];
}

/** Id of the form with the chosen rows. */
export const BULK_FORM = 'bulk';

/** The maximum number of rows that one form accepts: the rows of a page. */
const ROWS_MAXIMUM = 100;

/** The chosen rows as a form sends them. */
export const rowsField = <S extends z.ZodType<string>>(row: S) =>
  z.preprocess(
    (typed) => [typed ?? []].flat(),
    z
      .array(row)
      .min(1, 'Choose at least one row.')
      .max(ROWS_MAXIMUM, `At most ${ROWS_MAXIMUM} rows at once.`),
  );

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
  bulk?.offers(more).some(({ right }) => at.may(right)) ? { ...bulk, form: BULK_FORM } : undefined;

/** The bar with the number of chosen rows and the actions on them. */
export function BulkBar<V, M>({ at, bulk, more }: { at: PageContext; bulk: Bulk<V, M>; more: readonly M[] }) {
  const { formToken, path, search, failed } = usePageState();
  const words = useWords();
  return (
    <div class="bulk">
      <p id="chosen" role="status">
        {words.t('list.chosenRows')}
      </p>
      <form method="post" action={`${path}${search}`} id={BULK_FORM} aria-label={words.t('list.withChosen')}>
        <input type="hidden" name="token" value={formToken} />
        <input type="hidden" name="key" value={failed?.key ?? newUuid()} />
        {bulk
          .offers(more)
          .filter(({ right }) => at.may(right))
          .map((offer) => (
            <>
              {offer.with}
              <button
                type="submit"
                name="action"
                value={offer.action}
                class="button"
                formtarget={offer.aside && '_blank'}
                formnovalidate={offer.with === undefined}
              >
                <Icon name={offer.icon} /> {textOf(words, offer.label)}
              </button>
            </>
          ))}
      </form>
    </div>
  );
}

/**
 * A choice of the gate for the rows. No gate is preselected. Otherwise a button that is pressed too
 * early would assign the first gate.
 */
export const GateOfRows: FC<{ gates: readonly GateChoice[] }> = ({ gates }) => {
  const { t } = useWords();
  const label = t('desk.gate');
  return gates.length > GATES_MAXIMUM ? (
    <input name="gate" aria-label={label} maxlength={255} placeholder={label} required />
  ) : (
    <select name="gate" aria-label={label} required>
      <option value="">{t('day.chooseGate')}</option>
      {gateOptions(gates).map(({ value, label: name }) => (
        <option value={value}>{name}</option>
      ))}
    </select>
  );
};
