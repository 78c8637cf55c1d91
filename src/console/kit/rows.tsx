import type { Child } from 'hono/jsx';
import type { Plain } from '../../lib/csv.ts';
import { useWords } from '../../messages/context.ts';
import type { Words } from '../../messages/words.ts';
import { Badge, Empty, Value } from './components.tsx';
import { Icon } from './icons.tsx';
import { Time } from './time.tsx';

/** A column of a table. */
export interface Column<T, S extends string = string> {
  label: string;
  /** What is shown, where that is not the status or the value of the file. */
  value?: (row: T) => Child;
  /** A status, which is shown with its sign. */
  status?: (row: T) => string;
  /** Whether it holds numbers. */
  number?: boolean;
  /** By what the list is sorted where its header is followed. */
  sort?: S;
  /** Its value in a file; a column without it and without a status has no place there. */
  plain?: (row: T) => Plain;
  /** How a narrow screen shows it: as the head of the row, over all its width, without its label, which its value says, or not. */
  narrow?: 'head' | 'wide' | 'evident' | 'gone';
  /** Whether it holds nothing but what can be done with a row, which paper has not. */
  acts?: true;
  /** Whether it is in files only. */
  filed?: true;
  /** What it is chosen by, where it need not be shown. */
  key?: string;
  /** Whether it is shown only where it is chosen. */
  extra?: true;
}

/** An instant of epoch milliseconds, for a column. */
export const instant = (at: number | null): Date | null => (at === null ? null : new Date(at));

/** How a table is sorted, and where a header leads. */
export interface SortedTable {
  sortBy: string;
  direction: 'ASC' | 'DESC';
  to(sortBy: string, direction: 'ASC' | 'DESC'): string;
}

/** What makes rows be chosen: the form that takes them, and what each is called. */
export interface Picking<T> {
  form: string;
  value(row: T): string;
  label(row: T, words: Words): string;
  /** Pallets of a row, which the bar counts. */
  pallets?(row: T): number;
}

/** Rows as a table, which narrow screens show in two lines each; the first column names the row. */
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
  empty: string;
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
                <span class="hidden">{t('list.choose')}</span>
              </td>
            )}
            {shown.map((column) => (
              <Header column={column} sorted={sorted} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr class={isLate?.(row) ? 'late' : undefined}>
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

/** What styles know of a column, with how narrow screens show what is of it. */
const kindsOf = <T,>({ number, acts }: Column<T>, narrow: string | false | undefined): string | undefined =>
  [number && 'number', acts && 'acts', narrow].filter(Boolean).join(' ') || undefined;

/** What a column shows of a row. */
function shownOf<T>({ value, status, plain }: Column<T>, row: T): Child {
  if (value) return value(row);
  if (status) return <Badge status={status(row)} />;
  const of = plain?.(row);
  return of instanceof Date ? <Time at={of.getTime()} /> : <Value of={of} />;
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
  return (
    <td class="pick">
      <label>
        <span class="hidden">{words.t('list.chooseRow', { row: picking.label(row, words) })}</span>
        <input
          type="checkbox"
          name="row"
          value={picking.value(row)}
          form={picking.form}
          data-pallets={picking.pallets?.(row)}
        />
      </label>
    </td>
  );
}
