import { z } from '@hono/zod-openapi';
import type { Child, FC } from 'hono/jsx';
import { newUuid } from '../../lib/id.ts';
import { useWords } from '../../messages/context.ts';
import type { Became } from '../../writer/each.ts';
import { choiceOf, GATES_MAXIMUM, type GateChoice } from './detail.tsx';
import { Icon, type IconName } from './icons.tsx';
import { type Text, textOf } from './language.ts';
import type { At, Done } from './page.tsx';
import type { Right } from './rights.ts';
import type { Picking } from './rows.tsx';
import { useShown } from './view.ts';

/** Something that can be done with the rows that are chosen: an action of the page, with what else it needs. */
export interface Offer {
  action: string;
  right: Right;
  label: Text;
  icon: IconName;
  /** What is chosen besides, such as a gate. */
  with?: Child;
  /** Whether it answers something to be looked at beside the list, such as labels. */
  aside?: true;
}

/** How rows of a list are chosen, and what can be done with them; `M` is what the list asks for besides. */
export interface Bulk<V, M> extends Omit<Picking<V>, 'form'> {
  offers(more: readonly M[]): readonly Offer[];
}

/** The form that takes the rows that are chosen. */
export const BULK_FORM = 'bulk';

/** Rows that one form takes: those of a page. */
const ROWS_MAXIMUM = 100;

/** What a form sends of the rows that are chosen. */
export const rowsOf = <S extends z.ZodType<string>>(row: S) =>
  z.preprocess(
    (typed) => [typed ?? []].flat(),
    z
      .array(row)
      .min(1, 'Choose at least one row.')
      .max(ROWS_MAXIMUM, `At most ${ROWS_MAXIMUM} rows at once.`),
  );

/** What a bulk action is answered with: how many it was done with, and what became of each. */
export function outcomeOf(
  became: readonly Became[],
  told: (counts: { count: number; all: number }) => string,
): Done {
  const count = became.filter(({ refused }) => refused === null).length;
  return { done: told({ count, all: became.length }), became: [...became] };
}

/** How the rows of a list are chosen, for who can do something with them. */
export const pickingOf = <V, M>(
  at: At,
  bulk: Bulk<V, M> | undefined,
  more: readonly M[],
): Picking<V> | undefined =>
  bulk?.offers(more).some(({ right }) => at.may(right)) ? { ...bulk, form: BULK_FORM } : undefined;

/** The bar that says how many rows are chosen and offers what can be done with them. */
export function BulkBar<V, M>({ at, bulk, more }: { at: At; bulk: Bulk<V, M>; more: readonly M[] }) {
  const { formToken, path, search, failed } = useShown();
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

/** Chooses the gate that rows are given: none until somebody has, or the first would be given by a button pressed too soon. */
export const GateOfRows: FC<{ gates: readonly GateChoice[] }> = ({ gates }) => {
  const { t } = useWords();
  const label = t('desk.gate');
  return gates.length > GATES_MAXIMUM ? (
    <input name="gate" aria-label={label} maxlength={255} placeholder={label} required />
  ) : (
    <select name="gate" aria-label={label} required>
      <option value="">{t('day.chooseGate')}</option>
      {gates.map(choiceOf).map(({ value, label: name }) => (
        <option value={value}>{name}</option>
      ))}
    </select>
  );
};
