import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { isoDate } from '../../lib/time.ts';
import { Icon, type IconName } from './icons.tsx';

/** What a status looks like next to its word: a sign, so that colour is never all there is. */
const SIGNS: Record<string, [tone: string, icon: IconName]> = {
  PLANNED: ['calm', 'free'],
  TO_DO: ['ready', 'ready'],
  IN_PROGRESS: ['busy', 'load'],
  COMPLETED: ['good', 'check'],
  COMPLETED_SHORT: ['warn', 'short'],
  CANCELLED: ['calm', 'closed'],
  AVAILABLE: ['good', 'check'],
  LOADING: ['busy', 'load'],
  OUT_OF_SERVICE: ['calm', 'closed'],
  OPEN: ['bad', 'warn'],
  RESOLVED: ['good', 'check'],
  WARNING: ['warn', 'warn'],
  CRITICAL: ['bad', 'stop'],
  ACTIVE: ['good', 'done'],
  NOT_ACTIVE: ['calm', 'free'],
  FLAGGED: ['bad', 'flag'],
  SCHEDULED_FOR_RETIREMENT: ['warn', 'clock'],
  LOADED: ['good', 'check'],
  NOT_LOADED: ['calm', 'free'],
  UNLOADED: ['warn', 'undo'],
  OFFLOADED: ['ready', 'load'],
  WRONGLY_LOADED: ['bad', 'stop'],
  UNKNOWN_LOADING: ['bad', 'stop'],
  ONLINE: ['good', 'live'],
  OFFLINE: ['bad', 'offline'],
  DEGRADED: ['warn', 'warn'],
  DISABLED: ['calm', 'closed'],
  CREATED: ['ready', 'free'],
  PENDING: ['ready', 'clock'],
  RUNNING: ['busy', 'load'],
  SUCCEEDED: ['good', 'check'],
  PARTIALLY_SUCCEEDED: ['warn', 'short'],
  FAILED: ['bad', 'closed'],
  DELIVERED: ['good', 'check'],
  PAUSED: ['warn', 'pause'],
  DELETED: ['calm', 'closed'],
};

/** A status in people's words: `IN_PROGRESS` is In progress. */
export function words(status: string): string {
  const text = status.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
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

/** An instant (ISO 8601 or epoch milliseconds): in UTC, until a script puts it into the viewer's zone. */
export const Time: FC<{ at: string | number | null }> = ({ at }) => {
  if (at === null) return <span class="none">–</span>;
  const date = typeof at === 'number' ? isoDate(at) : at;
  return <time datetime={date}>{`${date.slice(0, 16).replace('T', ' ')} UTC`}</time>;
};

const INSTANT = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** A text whose instants are told as those of a page are. */
export const WithTimes: FC<{ text: string }> = ({ text }) => (
  <>{text.split(INSTANT).map((part) => (INSTANT.test(part) ? <Time at={part} /> : part))}</>
);

/** A value, or a dash for none. */
export const Value: FC<{ of: string | number | null | undefined }> = ({ of }) =>
  of === null || of === undefined || of === '' ? <span class="none">–</span> : <span>{of}</span>;

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
export interface Column<T> {
  label: string;
  value: (row: T) => Child;
  /** Whether it holds numbers. */
  number?: boolean;
}

/** Rows as a table, which narrow screens show as cards; the first column names the row. */
export function Table<T>({
  caption,
  columns,
  rows,
  empty,
}: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  empty: string;
}) {
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, number }) => (
            <th scope="col" class={number ? 'number' : undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map(({ label, value, number }, index) =>
              index === 0 ? (
                <th scope="row">{value(row)}</th>
              ) : (
                <td data-label={label} class={number ? 'number' : undefined}>
                  {value(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What stands where there is nothing. */
export const Empty: FC<PropsWithChildren> = ({ children }) => <p class="empty">{children}</p>;
