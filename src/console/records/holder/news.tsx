import type { FC } from 'hono/jsx';
import { clockIn } from '../../../lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import { upTo, At as When, whereTo, wrongName, wrongWords } from '../../board/parts.tsx';
import { progressOf } from '../../board/rules.ts';
import { Do } from '../../kit/form.tsx';
import { Icon } from '../../kit/icons.tsx';
import { LoadBar, PalletId } from '../../kit/marks.tsx';
import { Departure } from '../../kit/roles.tsx';
import { distance } from '../../kit/time.tsx';
import { useZone } from '../../kit/view.ts';
import { NEWS_LIMITS, type NewsRead } from './news-store.ts';
import { standingOf } from './standing.ts';

/** What the page of a manifest or shipment says of it before all else. */
export interface NewsProps {
  news: NewsRead;
  status: string;
  name: string;
  /** When loading began, and when it is to leave (epoch milliseconds). */
  activateDate: number | null;
  departureDate: number | null;
  /** Whether wrong pallets can be said to be off here. */
  mark: boolean;
}

/** Will it leave, complete and right? Wrong pallets, then progress against the planned departure. */
export const News: FC<NewsProps> = (props) => {
  const standing = standingOf(props.news.parts);
  if (standing.total === 0 && props.news.wrong.length === 0) return null;
  return (
    <>
      <Wrong {...props} count={standing.wrong} />
      <section class="card news" aria-label="Progress">
        <p class="count">
          <b>{standing.loaded}</b> of {standing.total} loaded
        </p>
        <p class="say">
          <Say {...props} />
        </p>
        <LoadBar
          parts={props.news.parts
            .filter(({ status }) => status !== 'CANCELLED')
            .map(({ externalIdentifier, counts }) => ({ name: externalIdentifier, ...progressOf(counts) }))}
        />
      </section>
    </>
  );
};

const Say: FC<NewsProps> = ({ news, status, activateDate, departureDate }) => {
  const zone = useZone();
  const { loaded, total, missing, stayed, offloaded, readyAt } = standingOf(
    news.parts,
    activateDate,
    Date.now(),
  );
  if (status === 'COMPLETED') {
    return (
      <>
        <b class={stayed > 0 ? 'short' : ''}>{stayed > 0 ? `${stayed} stayed behind` : 'All of it left'}</b>
        {offloaded > 0 && <small>{offloaded} offloaded at the destination</small>}
      </>
    );
  }
  if (status === 'CANCELLED') return <b>Cancelled</b>;
  return (
    <>
      {departureDate !== null && (
        <b>
          <Departure at={departureDate} zone={zone} />
        </b>
      )}
      <small>
        {total > 0 && loaded === total ? 'All loaded: it can be completed.' : `${missing} to load.`}
        {status === 'IN_PROGRESS' &&
          readyAt !== undefined &&
          ` At this pace ready at ${clockIn(zone, readyAt)}, in ${distance(readyAt - Date.now())}.`}
      </small>
    </>
  );
};

const Wrong: FC<NewsProps & { count: number }> = ({ news, name, status, mark, count }) => {
  const words = useWords();
  const { shown, more } = upTo(news.wrong, NEWS_LIMITS.wrong);
  if (shown.length === 0) return null;
  const many = count === 1 ? '1 wrong pallet' : `${count} wrong pallets`;
  return (
    <section class="hazard" aria-labelledby="wrong-title">
      <h2 id="wrong-title">
        <Icon name="stop" /> {many} aboard{status === 'COMPLETED' ? '.' : '. Take off before it leaves.'}
      </h2>
      <ul>
        {shown.map((wrong) => (
          <li id={`w-${wrong.recordUuid}`} data-announce={wrongWords(words, wrong, name)}>
            <PalletId id={wrongName(words, wrong)} />
            <span>{whereTo(words, wrong)}</span>
            <span>
              <When date={wrong.date} />
            </span>
            {mark && (
              <Do
                action="removeRecord"
                values={{ record: wrong.recordUuid }}
                label={`Is off: ${wrongName(words, wrong)}`}
              >
                It is off the truck
              </Do>
            )}
          </li>
        ))}
      </ul>
      {more && (
        <p>
          <a href="?loadingStatus=WRONGLY_LOADED#pallets">And more</a>
        </p>
      )}
    </section>
  );
};
