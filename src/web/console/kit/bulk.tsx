import { z } from '@hono/zod-openapi';
import type { Child, FC } from 'hono/jsx';
import { newUuid } from '../../../core/lib/id.ts';
import type { ItemResult } from '../../../core/writer/decide-items.ts';
import { useWords } from '../../../messages/context.ts';
import type { ActionResult, PageContext } from './action.ts';
import { GATES_MAXIMUM, type GateChoice, gateOption } from './detail.tsx';
import { Icon, type IconName } from './icons.tsx';
import { type Text, textOf } from './language.ts';
import type { Right } from './rights.ts';
import type { Picking } from './rows.tsx';
import { usePageState } from './view.ts';

/** An action on the chosen rows: an action of the page, and what else it needs. */
export interface Offer<N extends string = string> {
  action: N;
  right: Right;
  label: Text;
  icon: IconName;
  /** Another choice that it needs, such as a gate. */
  with?: Child;
  /** Whether it answers with a document to open beside the list, such as labels. */
  aside?: true;
}

/** How rows of a list are chosen, and the actions `N` on them; `M` is what else the list reads. */
export interface Bulk<V, M, N extends string = string> extends Omit<Picking<V>, 'form'> {
  offers(more: readonly M[]): readonly Offer<N>[];
}

/** Id of the form that takes the chosen rows. */
export const BULK_FORM = 'bulk';

/** The most rows that one form takes: those of a page. */
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

/** The answer to a bulk action: how many rows it was done with, and the result of each. */
export function outcomeOf(
  became: readonly ItemResult[],
  summary: (counts: { count: number; all: number }) => string,
): ActionResult {
  const count = became.filter(({ refused }) => refused === null).length;
  return { done: summary({ count, all: became.length }), became: [...became] };
}

/** How the rows of a list are chosen; nothing for users who may do nothing with them. */
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
 * A choice of the gate for the rows. None is chosen at first, as a button pressed too soon would give them the first
 * one.
 */
export const GateOfRows: FC<{ gates: readonly GateChoice[] }> = ({ gates }) => {
  const { t } = useWords();
  const label = t('desk.gate');
  return gates.length > GATES_MAXIMUM ? (
    <input name="gate" aria-label={label} maxlength={255} placeholder={label} required />
  ) : (
    <select name="gate" aria-label={label} required>
      <option value="">{t('day.chooseGate')}</option>
      {gates.map(gateOption).map(({ value, label: name }) => (
        <option value={value}>{name}</option>
      ))}
    </select>
  );
};
