import type { Child } from 'hono/jsx';
import type { Plain } from '../../../core/lib/csv.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { Badge, Empty, OptionalText } from '../parts/components.tsx';
import { Icon } from '../parts/icons.tsx';
import { Time } from '../parts/time.tsx';
import { useShownForm, useZone } from '../parts/view.ts';

/** A column of a table. */
export interface Column<T, S extends string = string> {
  label: string;
  /** The content of its cells. The default is its status or its value in the file. */
  value?: (row: T) => Child;
  /** A status, shown with its icon. */
  status?: (row: T) => string;
  /** Whether it has numbers. */
  number?: boolean;
  /** The sort field of its header. */
  sort?: S;
  /** Its value in a file. A column without a value and without a status is not in files. */
  plain?: (row: T) => Plain;
  /**
   * How narrow screens show the column: as the head of the row, over the whole width, without its
   * label, or not at all. `evident` is for values that are clear without a label.
   */
  narrow?: 'head' | 'wide' | 'evident' | 'gone';
  /** Whether it has only actions on the row. Actions are not printed. */
  acts?: true;
  /** Whether it is only in files. */
  filed?: true;
  /** Its key in the choice of columns, if it can be hidden. */
  key?: string;
  /** Whether it is hidden by default. */
  extra?: true;
}

/** A date from epoch milliseconds, for a column. */
export const instant = (at: number | null): Date | null => (at === null ? null : new Date(at));

/** The order of a table, and the links of its headers. */
export interface SortedTable {
  sortBy: string;
  direction: 'ASC' | 'DESC';
  to(sortBy: string, direction: 'ASC' | 'DESC'): string;
}

/** How rows are chosen: the form that receives them, and the name of each row. */
export interface Picking<T> {
  form: string;
  value(row: T): string;
  label(row: T, words: Words, zone: string): string;
  /** The pallets of a row, for its load bar. */
  pallets?(row: T): number;
}

/** A table. Narrow screens show each row as two lines. The first column names the row. */
export function Table<T>({
  caption,
  columns,
  rows,
  empty,
  sorted,
  picking,
  isLate,
}: {
  caption: Child;
  columns: readonly Column<T>[];
  rows: readonly T[];
  empty: Child;
  sorted?: SortedTable | undefined;
  picking?: Picking<T> | undefined;
  isLate?: ((row: T) => boolean) | undefined;
}) {
  const { t } = useWords();
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  const shown = columns.filter(({ filed }) => !filed);
  return (
    <div class="listed">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {picking && (
              <td class="pick">
                <label>
                  <span class="hidden">{t('list.chooseAll')}</span>
                  <input type="checkbox" id="choose-page" />
                </label>
              </td>
            )}
            {shown.map((column) => (
              <Header column={column} sorted={sorted} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr class={isLate?.(row) ? 'late' : undefined} data-row={picking?.value(row)}>
              {picking && <Pick row={row} picking={picking} />}
              {shown.map((column, index) => (
                <Cell column={column} row={row} first={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Header<T>({ column, sorted }: { column: Column<T>; sorted: SortedTable | undefined }) {
  const { label, sort } = column;
  const direction = sort !== undefined && sorted?.sortBy === sort ? sorted.direction : undefined;
  return (
    <th
      scope="col"
      class={kindsOf(column, column.narrow === 'gone' && 'gone')}
      aria-sort={direction && (direction === 'ASC' ? 'ascending' : 'descending')}
    >
      {sorted && sort ? (
        <a href={sorted.to(sort, direction === 'ASC' ? 'DESC' : 'ASC')}>
          {label}
          {direction && <Icon name="up" />}
        </a>
      ) : (
        label
      )}
    </th>
  );
}

/** The classes of a column's cells. `narrow` is the class for narrow screens. */
const kindsOf = <T,>({ number, acts }: Column<T>, narrow: string | false | undefined): string | undefined =>
  [number && 'number', acts && 'acts', narrow].filter(Boolean).join(' ') || undefined;

/** The content of a cell. */
function shownOf<T>({ value, status, plain }: Column<T>, row: T): Child {
  if (value) return value(row);
  if (status) return <Badge status={status(row)} />;
  const of = plain?.(row);
  return of instanceof Date ? <Time at={of.getTime()} /> : <OptionalText of={of} />;
}

function Cell<T>({ column, row, first }: { column: Column<T>; row: T; first: boolean }) {
  const { label, narrow } = column;
  if (first) return <th scope="row">{shownOf(column, row)}</th>;
  return (
    <td data-label={narrow ? undefined : label} class={kindsOf(column, narrow)}>
      {shownOf(column, row)}
    </td>
  );
}

function Pick<T>({ row, picking }: { row: T; picking: Picking<T> }) {
  const words = useWords();
  const value = picking.value(row);
  const chosen = [useShownForm()?.typed.row ?? []].flat();
  return (
    <td class="pick">
      <label>
        <span class="hidden">{words.t('list.chooseRow', { row: picking.label(row, words, useZone()) })}</span>
        <input
          type="checkbox"
          name="row"
          value={value}
          checked={chosen.includes(value)}
          form={picking.form}
          data-pallets={picking.pallets?.(row)}
        />
      </label>
    </td>
  );
}
