import type { FC, PropsWithChildren } from 'hono/jsx';
import { isoDate } from '../../lib/time.ts';
import type { Tally } from '../../manifest/asset-table.ts';
import { Icon, type IconName } from '../kit/icons.tsx';
import { Departure } from '../kit/roles.tsx';
import { Time } from '../kit/time.tsx';
import { useShown } from '../kit/view.ts';
import { type GateState, progressOf, type Thing, type WrongPallet } from './rules.ts';

/** What the state of a gate is called, and its sign: neither colour nor shape alone has to tell. */
export const STATES: Record<GateState, { icon: IconName; word: string }> = {
  WRONG: { icon: 'stop', word: 'Wrong pallet' },
  READY: { icon: 'check', word: 'All loaded' },
  LOADING: { icon: 'load', word: 'Loading' },
  WAITING: { icon: 'ready', word: 'Ready' },
  FREE: { icon: 'free', word: 'Free' },
  OUT: { icon: 'closed', word: 'Out of service' },
};

/** The state of a gate as a band over all its width. */
export const StateBand: FC<{ state: GateState }> = ({ state }) => (
  <p class="state">
    <Icon name={STATES[state].icon} /> {STATES[state].word}
  </p>
);

/** How far loading is, in digits and as a bar. */
export const Progress: FC<{ counts: Tally; label: string }> = ({ counts, label }) => {
  const { loaded, total, missing } = progressOf(counts);
  return (
    <div class="progress">
      <p class="digits">
        <strong>{loaded}</strong> / {total}
        <span class="hidden"> pallets loaded</span>
        <span class="missing">
          {total === 0 ? 'no pallets' : missing === 0 ? 'all loaded' : `${missing} to load`}
        </span>
      </p>
      <progress
        value={loaded}
        max={Math.max(total, 1)}
        aria-label={`${label}: ${loaded} of ${total} loaded`}
      />
    </div>
  );
};

/** Shipment or Manifest. */
export const kindOf = ({ kind }: Pick<Thing, 'kind'>): string =>
  kind === 'shipment' ? 'Shipment' : 'Manifest';

/** A shipment or manifest by name, which leads to its page. */
export const ThingName: FC<{ thing: Pick<Thing, 'kind' | 'uuid' | 'externalIdentifier'> }> = ({ thing }) => (
  <>
    <span class="kind">{kindOf(thing)}</span>{' '}
    <a href={`/app/${thing.kind}/${thing.uuid}`} class="name">
      {thing.externalIdentifier}
    </a>
  </>
);

/** When something is to leave, and with whom; nothing where that is not known. */
export const Leaves: FC<{ thing: Pick<Thing, 'departureDate' | 'carrier' | 'vehicle'> }> = ({
  thing: { departureDate, carrier, vehicle },
}) => {
  const zone = useShown().session?.organization.timeZone ?? 'UTC';
  const by = [carrier, vehicle].filter(Boolean).join(', ');
  if (departureDate === null && by === '') return null;
  return (
    <span class="leaves">
      {departureDate !== null && <Departure at={departureDate} zone={zone} />}
      {departureDate !== null && by !== '' && ', '}
      {by}
    </span>
  );
};

/** What a wrong pallet is called. */
export const wrongName = ({ wmsId, markerCode }: Pick<WrongPallet, 'wmsId' | 'markerCode'>): string =>
  wmsId ?? `marker ${markerCode ?? '?'}`;

/** What is said aloud of it. */
export const wrongWords = (wrong: WrongPallet, gate: string): string =>
  `${wrong.loadingStatus === 'UNKNOWN_LOADING' ? 'Unknown' : 'Wrong'} pallet at ${gate}: ${wrongName(wrong)}. ${whereTo(wrong)}`;

/** What is to be done with it. */
export function whereTo({ loadingStatus, belongsTo }: WrongPallet): string {
  if (loadingStatus === 'UNKNOWN_LOADING') return 'No pallet carries its marker.';
  const [first] = belongsTo;
  if (!first) return 'It belongs to no open manifest.';
  return `It belongs to ${first.externalIdentifier}${first.gate === null ? '' : ` at ${first.gate}`}.`;
}

/** `1 pallet`, `2 pallets`. */
export const palletsOf = ({ counts }: Pick<Thing, 'counts'>): string => {
  const { total } = progressOf(counts);
  return total === 1 ? '1 pallet' : `${total} pallets`;
};

/** An instant of epoch milliseconds. */
export const At: FC<{ date: number | null }> = ({ date }) => (
  <Time at={date === null ? null : isoDate(date)} />
);

/** At most so many, and whether there are more. */
export const upTo = <T,>(items: readonly T[], limit: number): { shown: T[]; more: boolean } => ({
  shown: items.slice(0, limit),
  more: items.length > limit,
});

/** `data-topics` of a part of the page: the topics it shows, as JSON. */
export const topicsData = (topics: readonly string[]): string => JSON.stringify(topics);

/** The part of a page that is kept up to date. */
export const Live: FC<
  PropsWithChildren<{ sequenceNumber: number; title: string; topics: readonly string[]; class: string }>
> = ({ sequenceNumber, title, topics, class: className, children }) => (
  <div
    id="live"
    class={className}
    data-sequence={String(sequenceNumber)}
    data-title={title}
    data-topics={topicsData(topics)}
  >
    {children}
  </div>
);

/** Beside the heading: whether the page is live, and what the viewer wants of it. The script brings it to life. */
export const LiveStatus: FC<{ again: string }> = ({ again }) => (
  <div class="live-status" id="live-status">
    <p role="status" class="feed" id="feed">
      Not live
    </p>
    <a class="button quiet" href={again} id="again">
      Refresh
    </a>
    <button type="button" class="button quiet" id="sound" aria-pressed="false" hidden />
    <button type="button" class="button quiet" id="wake" aria-pressed="false" hidden />
  </div>
);
