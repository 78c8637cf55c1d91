import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import type { Plain } from '../../lib/csv.ts';
import { DAY_MS, isoDate, MINUTE_MS } from '../../lib/time.ts';
import { clockIn, dayIn, formatIn, zonedIn } from '../../lib/zone.ts';
import { Icon, type IconName } from './icons.tsx';
import { useShown } from './view.ts';

type Tone = 'calm' | 'go' | 'ok' | 'warn' | 'late' | 'wrong';

/** What a status looks like next to its word: a sign, so that colour is never all there is. */
const SIGNS: Record<string, [tone: Tone, icon: IconName]> = {
  PLANNED: ['calm', 'plan'],
  TO_DO: ['calm', 'ready'],
  IN_PROGRESS: ['go', 'load'],
  COMPLETED: ['ok', 'done'],
  CANCELLED: ['calm', 'closed'],
  AVAILABLE: ['ok', 'check'],
  LOADING: ['go', 'load'],
  OUT_OF_SERVICE: ['calm', 'closed'],
  OPEN: ['late', 'warn'],
  RESOLVED: ['ok', 'check'],
  WARNING: ['warn', 'warn'],
  CRITICAL: ['late', 'stop'],
  ACTIVE: ['ok', 'done'],
  NOT_ACTIVE: ['calm', 'free'],
  FLAGGED: ['late', 'flag'],
  DAMAGED: ['late', 'warn'],
  SCHEDULED_FOR_RETIREMENT: ['warn', 'clock'],
  LOADED: ['ok', 'check'],
  NOT_LOADED: ['calm', 'plan'],
  UNLOADED: ['warn', 'undo'],
  OFFLOADED: ['calm', 'load'],
  WRONGLY_LOADED: ['wrong', 'stop'],
  UNKNOWN_LOADING: ['wrong', 'stop'],
  ONLINE: ['ok', 'live'],
  OFFLINE: ['late', 'offline'],
  DEGRADED: ['warn', 'warn'],
  DISABLED: ['calm', 'closed'],
  CREATED: ['calm', 'free'],
  PENDING: ['calm', 'clock'],
  RUNNING: ['go', 'load'],
  SUCCEEDED: ['ok', 'check'],
  PARTIALLY_SUCCEEDED: ['warn', 'short'],
  FAILED: ['late', 'closed'],
  DELIVERED: ['ok', 'check'],
  PAUSED: ['warn', 'pause'],
  DELETED: ['calm', 'closed'],
};

/** What people say where the status says something else. */
const SAID: Record<string, string> = {
  TO_DO: 'Ready',
  NOT_LOADED: 'To load',
  WRONGLY_LOADED: 'Wrong pallet',
  UNKNOWN_LOADING: 'Unknown marker',
};

/** A status in people's words: `OUT_OF_SERVICE` is Out of service. */
export function words(status: string): string {
  const text = status.replaceAll('_', ' ').toLowerCase();
  return SAID[status] ?? text.charAt(0).toUpperCase() + text.slice(1);
}

/** A status with its sign. */
export const Badge: FC<{ status: string }> = ({ status }) => {
  const [tone, icon] = SIGNS[status] ?? ['calm', 'free'];
  return (
    <span class={`badge ${tone}`}>
      <Icon name={icon} /> {words(status)}
    </span>
  );
};

/** How near an instant has to be for its distance to be told. */
const NEAR_MS = DAY_MS;

/**
 * An instant (ISO 8601 or epoch milliseconds): the clock of the site, with its day where that is another one than today,
 * and how far away it is, which the script of every page keeps true.
 */
export const Time: FC<{ at: string | number | null }> = ({ at }) => {
  const zone = useShown().session?.organization.timeZone ?? 'UTC';
  if (at === null) return <span class="none">–</span>;
  const instant = typeof at === 'number' ? at : Date.parse(at);
  const now = Date.now();
  return (
    <>
      <time datetime={isoDate(instant)} title={zonedIn(zone, instant)}>
        {dayIn(zone, instant) === dayIn(zone, now)
          ? clockIn(zone, instant)
          : formatIn(zone, 'en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(instant)}
      </time>
      {Math.abs(now - instant) < NEAR_MS && (
        <small class="away" data-away={instant}>
          {away(instant - now)}
        </small>
      )}
    </>
  );
};

/** How long until or since, in words: `42 min`, `1 h 5`, `3 days`. */
export function distance(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / MINUTE_MS);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours >= 48) return `${Math.round(hours / 24)} days`;
  return hours === 0 ? `${rest} min` : `${hours} h${rest === 0 ? '' : ` ${rest}`}`;
}

/** The same from now on: `in 42 min`, `5 min ago`. */
const away = (milliseconds: number): string =>
  Math.abs(milliseconds) < MINUTE_MS
    ? 'now'
    : milliseconds > 0
      ? `in ${distance(milliseconds)}`
      : `${distance(milliseconds)} ago`;

const INSTANT = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** A text whose instants are told as those of a page are. */
export const WithTimes: FC<{ text: string }> = ({ text }) => (
  <>{text.split(INSTANT).map((part) => (INSTANT.test(part) ? <Time at={part} /> : part))}</>
);

/** A value, or a dash for none. */
export const Value: FC<{ of: string | number | null | undefined }> = ({ of }) =>
  of === null || of === undefined || of === '' ? <span class="none">–</span> : <span>{of}</span>;

/** The first of what belongs to a row, below its name. */
export const Few: FC<{ of: readonly string[]; more?: boolean }> = ({ of, more }) =>
  of.length === 0 ? null : (
    <small class="few">
      {of.slice(0, 2).join(', ')}
      {of.length > 2 ? ` and ${of.length - 2}${more ? '+' : ''} more` : ''}
    </small>
  );

/** A part of a page under a heading. */
export const Card: FC<PropsWithChildren<{ title: string; class?: string; id?: string }>> = ({
  title,
  class: className,
  id,
  children,
}) => (
  <section class={className ? `card ${className}` : 'card'} id={id}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** Names and values. */
export const Facts: FC<{ facts: readonly (readonly [name: string, value: Child])[] }> = ({ facts }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

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
  /** Whether it is in files only. */
  filed?: true;
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
  label(row: T): string;
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
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  empty: string;
  sorted?: SortedTable | undefined;
  picking?: Picking<T> | undefined;
  isLate?: ((row: T) => boolean) | undefined;
}) {
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
                <span class="hidden">Choose</span>
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

function Header<T>({
  column: { label, number, sort },
  sorted,
}: {
  column: Column<T>;
  sorted: SortedTable | undefined;
}) {
  const direction = sort !== undefined && sorted?.sortBy === sort ? sorted.direction : undefined;
  return (
    <th
      scope="col"
      class={number ? 'number' : undefined}
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

/** What a column shows of a row. */
function shownOf<T>({ value, status, plain }: Column<T>, row: T): Child {
  if (value) return value(row);
  if (status) return <Badge status={status(row)} />;
  const of = plain?.(row);
  return of instanceof Date ? <Time at={of.getTime()} /> : <Value of={of} />;
}

function Cell<T>({ column, row, first }: { column: Column<T>; row: T; first: boolean }) {
  const { label, number, narrow } = column;
  if (first) return <th scope="row">{shownOf(column, row)}</th>;
  const kinds = [number ? 'number' : '', narrow ?? ''].filter(Boolean).join(' ');
  return (
    <td data-label={narrow ? undefined : label} class={kinds || undefined}>
      {shownOf(column, row)}
    </td>
  );
}

function Pick<T>({ row, picking }: { row: T; picking: Picking<T> }) {
  return (
    <td class="pick">
      <label>
        <span class="hidden">Choose {picking.label(row)}</span>
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

/** What stands where there is nothing. */
export const Empty: FC<PropsWithChildren> = ({ children }) => <p class="empty">{children}</p>;
