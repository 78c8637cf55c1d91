import type { FC, PropsWithChildren } from 'hono/jsx';
import type { Period } from '../../../core/lib/quiet.ts';
import { listed } from '../../../core/lib/text.ts';
import { isoDate } from '../../../core/lib/time.ts';
import { clockIn, dayIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { Empty } from '../../ui/parts/components.tsx';
import { Icon, type IconName } from '../../ui/parts/icons.tsx';
import { DepartureClock } from '../../ui/parts/roles.tsx';
import { useZone } from '../../ui/parts/view.ts';
import { messageIn } from '../resources/alert/alerts.tsx';
import {
  areUnknown,
  type BoardLoad,
  type GateState,
  isUnknown,
  type Leaving,
  type OpenAlert,
  type Place,
  progressOf,
  type WrongPallet,
} from './rules.ts';

/**
 * The icon of a gate's state. It is shown next to the word, so that neither colour nor shape is the only
 * clue.
 */
export const STATES: Record<GateState, IconName> = {
  WRONG: 'stop',
  READY: 'check',
  LOADING: 'load',
  WAITING: 'ready',
  FREE: 'free',
  OUT: 'closed',
};

/** The state of a gate in words. It names unknown markers if there are no other wrong pallets. */
export const stateIn = ({ t }: Words, state: GateState, wrong: readonly WrongPallet[]): string =>
  t(areUnknown(wrong) ? 'loading.UNKNOWN_LOADING' : `state.${state}`);

/** The state of a gate in its colour. */
export const StateBand: FC<{ state: GateState; wrong: readonly WrongPallet[] }> = ({ state, wrong }) => (
  <p class="state">
    <Icon name={STATES[state]} /> {stateIn(useWords(), state, wrong)}
  </p>
);

/** The text of a page without gates, with a link to create some. */
export const NoGates: FC<{ mayCreate: boolean }> = ({ mayCreate }) => {
  const { t } = useWords();
  return (
    <Empty>
      {t('board.none')} {mayCreate && <a href="/app/gate">{t('board.createGates')}</a>}
    </Empty>
  );
};

/** The page of the load that has a wrong pallet. */
export const loadPath = ({ shipmentUuid, manifestUuid }: WrongPallet): string =>
  shipmentUuid === null ? `/app/manifest/${manifestUuid}` : `/app/shipment/${shipmentUuid}`;

/** The word for a shipment or a manifest. */
export const kindName = ({ t }: Words, { kind }: Pick<BoardLoad, 'kind'>): string =>
  t(kind === 'shipment' ? 'kind.SHIPMENT' : 'kind.MANIFEST');

/** The name of a shipment or manifest, linked to its page. */
export const LoadName: FC<{ thing: Pick<BoardLoad, 'kind' | 'uuid' | 'externalIdentifier'> }> = ({
  thing,
}) => (
  <>
    <span class="kind">{kindName(useWords(), thing)}</span>{' '}
    <a href={`/app/${thing.kind}/${thing.uuid}`} class="name">
      {thing.externalIdentifier}
    </a>
  </>
);

/** Planned departure. In a line of its own: the `size` in words, carrier, vehicle and seal. Unknown parts are left out. */
export const Leaves: FC<{ thing: Leaving; size?: string | false }> = ({
  thing: { departureDate, carrier, vehicle, seal },
  size = false,
}) => {
  const zone = useZone();
  const { t } = useWords();
  const by = listed(size, carrier, vehicle, seal && `${t('page.seal')} ${seal}`);
  return (
    <>
      {departureDate !== null && <DepartureClock at={departureDate} zone={zone} />}
      {by !== '' && (
        <span class="by" title={by}>
          {by}
        </span>
      )}
    </>
  );
};

/** The title of a wrong pallet. */
export const wrongName = (
  { t }: Words,
  { wmsId, markerCode }: Pick<WrongPallet, 'wmsId' | 'markerCode'>,
): string => wmsId ?? t('gate.marker', { code: String(markerCode ?? '?') });

/** The text about it for screen readers. */
export function wrongWords(
  words: Words,
  wrong: WrongPallet,
  { gate, zone }: { gate: string; zone: string },
): string {
  const where = whereTo(words, wrong, zone);
  return isUnknown(wrong)
    ? words.t('gate.sayUnknown', { gate, pallet: wrong.wmsId ?? String(wrong.markerCode ?? '?'), where })
    : words.t('gate.sayWrong', { gate, pallet: wrongName(words, wrong), where });
}

/** Where a pallet belongs, or when it has left; undefined if neither is known. `zone` is the time zone of the site. */
export function placeIn(words: Words, { belongsTo, left }: Place, zone: string): string | undefined {
  const { t } = words;
  const [first] = belongsTo;
  if (!first)
    return left
      ? t('gate.whereLeft', { name: left.externalIdentifier, time: clockOrTime(words, zone, left.closeDate) })
      : undefined;
  const { externalIdentifier: name, gate } = first;
  return gate === null ? t('gate.whereTo', { name }) : t('gate.whereAt', { name, gate });
}

/** The instruction what to do with a wrong pallet. */
export const whereTo = (words: Words, wrong: WrongPallet, zone: string): string =>
  placeIn(words, wrong, zone) ?? words.t(isUnknown(wrong) ? 'gate.whereUnknown' : 'gate.whereNone');

/** The text of an alert at a gate, without the names of pallets that are still aboard. Its times are in the zone of the site. */
export const alertWords = (
  words: Words,
  { stillAboard, ...alert }: OpenAlert,
  { gate, zone }: { gate: string; zone: string },
): string =>
  messageIn(words, zone, {
    ...alert,
    gate: { name: gate },
    stillAboard: stillAboard && { ...stillAboard, wmsIds: [] },
  });

/** `1 pallet`, `2 pallets`. */
export const palletsText = ({ t }: Words, { counts }: Pick<BoardLoad, 'counts'>): string =>
  t('page.palletCount', { count: progressOf(counts).total });

/** The time of an instant (epoch milliseconds) in a time zone; with the day if it is not today. */
export const clockOrTime = (words: Words, zone: string, at: number): string =>
  dayIn(zone, at) === dayIn(zone, Date.now()) ? clockIn(zone, at) : words.time(zone, at);

/** The same in the site's time zone. */
export const At: FC<{ date: number | null }> = ({ date }) => {
  const words = useWords();
  const zone = useZone();
  if (date === null) return <span class="none">–</span>;
  return (
    <time datetime={isoDate(date)} data-site>
      {clockOrTime(words, zone, date)}
    </time>
  );
};

/** The first items, and whether there are more. */
export const upTo = <T,>(items: readonly T[], limit: number): { shown: T[]; more: boolean } => ({
  shown: items.slice(0, limit),
  more: items.length > limit,
});

/** The attribute `data-topics` of a part of the page: its topics as JSON. */
export const topicsData = (topics: readonly string[]): string => JSON.stringify(topics);

/** A part of a page that is kept up to date. */
export const Live: FC<
  PropsWithChildren<{
    sequenceNumber: number;
    title: string;
    topics: readonly string[];
    class: string;
    /** Whether filters in the URL decide which rows the part shows. The answer of a form would lose them. */
    filtered?: boolean;
    /** Minimum time between two refreshes in milliseconds, for pages that are slow to read. */
    pauseMs?: number;
    /** The present or next quiet period, in which the page shows no notifications. */
    quiet?: Period | null;
  }>
> = ({ sequenceNumber, title, topics, class: className, filtered, pauseMs, quiet, children }) => (
  <div
    id="live"
    class={className}
    data-sequence={String(sequenceNumber)}
    data-title={title}
    data-topics={topicsData(topics)}
    data-filtered={filtered ? '' : undefined}
    data-pause={pauseMs}
    data-read={String(Date.now())}
    data-quiet={quiet ? `${quiet.begin} ${quiet.end}` : undefined}
  >
    {children}
  </div>
);

/**
 * Shows beside the heading whether the page is live. Includes the user's switches, unless it is plain. On a phone they are
 * one button with a sign for each switch. It opens the switches. A script fills all of this in.
 */
export const LiveStatus: FC<{ again: string; plain?: boolean; notices?: boolean }> = ({
  again,
  plain,
  notices,
}) => (
  <div class="live-status" id="live-status">
    <p role="status" class="feed" id="feed">
      {useWords().t('live.not')}
    </p>
    <a class="button quiet" href={again} id="again">
      {useWords().t('gate.refresh')}
    </a>
    {!plain && (
      <>
        <button type="button" class="button quiet" id="open-switches" popovertarget="switches">
          <Icon name="sound" class="of-sound" />
          <Icon name="torch" class="of-wake" />
          {notices && <Icon name="bell" class="of-notify" />}
          <Icon name="next" />
        </button>
        <div class="switches" id="switches" popover="auto">
          <button type="button" class="button quiet" id="sound" aria-pressed="false" hidden />
          <button type="button" class="button quiet" id="wake" aria-pressed="false" hidden />
          {notices && <button type="button" class="button quiet" id="notify" aria-pressed="false" hidden />}
        </div>
      </>
    )}
  </div>
);
