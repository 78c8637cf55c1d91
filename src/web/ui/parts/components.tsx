import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import type { Key } from '../../../messages/messages.ts';
import { type Words, wordsIn } from '../../../messages/words.ts';
import { Icon, type IconName } from './icons.tsx';

/** A large number with its name, and details below it. Its styles are in `figures.css`. */
export const FigureTile: FC<{
  name: string;
  value: string | number;
  /** The total that the value is a part of. */
  of?: number;
  icon?: IconName;
  class?: string;
  /** A second line of details. */
  more?: Child;
  children?: Child;
}> = ({ name, value, of, icon, class: tone = '', more, children }) => (
  <div class={`figure ${tone}`}>
    <h2>
      {icon && <Icon name={icon} />} {name}
    </h2>
    <p class="value">
      {value}
      {of !== undefined && <small> {useWords().t('day.of', { count: of })}</small>}
    </p>
    <p class="hint">{children}</p>
    {more && <p class="hint">{more}</p>}
  </div>
);

type Tone = 'calm' | 'go' | 'ok' | 'warn' | 'late' | 'wrong';

/** A status for which the messages have a word. */
type Status = Extract<Key, `status.${string}`> extends `status.${infer Name}` ? Name : never;

/** The icon of a status, next to its word, so that colour is never the only clue. */
const SIGNS: Record<Status, [tone: Tone, icon: IconName]> = {
  PLANNED: ['calm', 'plan'],
  TO_DO: ['calm', 'ready'],
  IN_PROGRESS: ['go', 'load'],
  PRINTING: ['go', 'clock'],
  COMPLETED: ['ok', 'done'],
  COMPLETED_SHORT: ['warn', 'short'],
  CANCELLED: ['calm', 'closed'],
  LOW: ['calm', 'free'],
  NORMAL: ['calm', 'ready'],
  HIGH: ['late', 'flag'],
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
  ERROR: ['late', 'stop'],
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
  SKIPPED: ['calm', 'closed'],
  REVOKED: ['calm', 'closed'],
  LINK_TOO_OLD: ['warn', 'clock'],
};

const isStatus = (value: string): value is Status => Object.hasOwn(SIGNS, value);

/**
 * A status in words: `OUT_OF_SERVICE` is Out of service. An unknown status becomes readable
 * English.
 */
export function statusIn({ t }: Words, status: string): string {
  if (isStatus(status)) return t(`status.${status}`);
  const text = status.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The same on an English page. */
export const statusWords = (status: string): string => statusIn(wordsIn('en'), status);

/** A status with its icon. */
export const Badge: FC<{ status: string; label?: string }> = ({ status, label }) => {
  const said = useWords();
  const [tone, icon]: [Tone, IconName] = isStatus(status) ? SIGNS[status] : ['calm', 'free'];
  return (
    <span class={`badge ${tone}`}>
      <Icon name={icon} /> {label ?? statusIn(said, status)}
    </span>
  );
};

/** A value, or a dash if it is missing. */
export const OptionalText: FC<{ of: string | number | null | undefined }> = ({ of }) =>
  of === null || of === undefined || of === '' ? <span class="none">–</span> : <span>{of}</span>;

/** The first items that belong to a row, below its name. */
export const Few: FC<{ of: readonly string[]; more?: boolean }> = ({ of, more }) => {
  const { t } = useWords();
  if (of.length === 0) return null;
  const said = { names: of.slice(0, 2).join(', '), count: of.length - 2 };
  return (
    <small class="few">
      {of.length <= 2 ? said.names : t(more ? 'list.andManyMore' : 'list.andMore', said)}
    </small>
  );
};

/** A section of a page with a heading. */
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

/** A list of names and values. */
export const Facts: FC<{ facts: readonly (readonly [name: string, value: Child])[] }> = ({ facts }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div data-row={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** The text for an empty list. */
export const Empty: FC<PropsWithChildren> = ({ children }) => <p class="empty">{children}</p>;
