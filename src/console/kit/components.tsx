import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { Icon, type IconName } from './icons.tsx';

type Tone = 'calm' | 'go' | 'ok' | 'warn' | 'late' | 'wrong';

/** What a status looks like next to its word: a sign, so that colour is never all there is. */
const SIGNS: Record<string, [tone: Tone, icon: IconName]> = {
  PLANNED: ['calm', 'plan'],
  TO_DO: ['calm', 'ready'],
  IN_PROGRESS: ['go', 'load'],
  COMPLETED: ['ok', 'done'],
  COMPLETED_SHORT: ['warn', 'short'],
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
export const Badge: FC<{ status: string; label?: string }> = ({ status, label = words(status) }) => {
  const [tone, icon] = SIGNS[status] ?? ['calm', 'free'];
  return (
    <span class={`badge ${tone}`}>
      <Icon name={icon} /> {label}
    </span>
  );
};

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

/** What stands where there is nothing. */
export const Empty: FC<PropsWithChildren> = ({ children }) => <p class="empty">{children}</p>;
