import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { short } from './preview.tsx';
import type { PalletList } from './read.ts';

/** The maximum number of columns that are shown. */
const COLUMNS_SHOWN = 20;

/** The first rows of a list as a table that the keyboard can scroll. `meanings` says what columns are for, by number. */
export const FirstRows: FC<{ list: PalletList; meanings: ReadonlyMap<number, string[]> }> = ({
  list: { columns, first },
  meanings,
}) => {
  const words = useWords();
  const shown = columns.slice(0, COLUMNS_SHOWN);
  if (shown.length < 2 || first.length === 0) return null;
  const title = words.t('orders.firstRows');
  return (
    <section class="first-rows" aria-label={title} tabindex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {shown.map(({ number, heading }) => (
              <th scope="col" class={meanings.has(number) ? 'taken' : undefined}>
                {short(heading) || words.t('make.columnAt', { number: String(number) })}
                {meanings.has(number) && <span class="meaning">{words.list(meanings.get(number)!)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.map(({ cells }) => (
            <tr>
              {shown.map(({ number }) => (
                <td class={meanings.has(number) ? 'taken' : undefined}>{short(cells[number - 1] ?? '')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
