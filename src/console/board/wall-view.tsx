import type { FC } from 'hono/jsx';
import { isoDate } from '../../lib/time.ts';
import { clockIn } from '../../lib/zone.ts';
import { Icon } from '../kit/icons.tsx';
import { LoadBar, Plate } from '../kit/marks.tsx';
import { WithTimes } from '../kit/time.tsx';
import { useShown } from '../kit/view.ts';
import { kindOf, Live, palletsOf, STATES, upTo } from './parts.tsx';
import {
  type BoardGate,
  onWall,
  progressOf,
  sumOf,
  topicsOf,
  troubleOf,
  type WallGate,
  waitingTopics,
} from './rules.ts';
import { BOARD_LIMITS, type Board } from './store.ts';

/** All gates on a screen that nobody touches: read at five metres, without a menu. */
export const WallView: FC<{ board: Board }> = ({ board }) => {
  const zone = useShown().session?.organization.timeZone ?? 'UTC';
  const { shown, more } = upTo(board.gates, BOARD_LIMITS.gates);
  const rows = onWall(shown, Date.now());
  const waiting = board.waiting?.things ?? [];
  // It is read as a whole: the order of its rows depends on all of them.
  const topics = [...shown.flatMap(topicsOf), ...waitingTopics(waiting)];
  return (
    <Live sequenceNumber={board.sequenceNumber} title="Gates" topics={topics} class="wall">
      <header class="wall-head">
        <h1>
          <a href="/app/board">Gates</a>
        </h1>
        <p class="feed" data-own>
          <Icon name="live" class="if-live" />
          <Icon name="offline" class="if-not" />
          <span id="feed" role="status">
            Not live
          </span>
          <a class="hidden" href="/app/board?screen=wall" id="again">
            Refresh
          </a>
        </p>
        <p class="flap" id="clock" aria-hidden="true" data-own data-zone={zone} />
      </header>
      <p class="wall-row wall-names" aria-hidden="true">
        <span>Time</span>
        <span>Gate</span>
        <span>Load</span>
        <span>State</span>
        <span>Loaded</span>
      </p>
      <ol class="wall-rows" aria-label="Gates">
        {rows.map((row) => (
          <WallRow row={row} />
        ))}
      </ol>
      <footer class="wall-foot">
        <Counted of={rows.filter(({ state }) => state === 'WRONG').length} one="gate" many="gates">
          with a wrong pallet
        </Counted>
        <Counted of={waiting.length} one="load" many="loads" more={waiting.length > BOARD_LIMITS.unassigned}>
          without a gate
        </Counted>
        <p id="pages" data-own />
        {more && <p>The first {BOARD_LIMITS.gates} gates are shown.</p>}
      </footer>
    </Live>
  );
};

const Counted: FC<{ of: number; one: string; many: string; more?: boolean; children: string }> = ({
  of: count,
  one,
  many,
  more,
  children,
}) => (
  <p>
    <b>
      {count}
      {more && ' or more'}
    </b>{' '}
    {count === 1 ? one : many} {children}
  </p>
);

const WallRow: FC<{ row: WallGate }> = ({ row: { gate, state, late } }) => {
  const zone = useShown().session?.organization.timeZone ?? 'UTC';
  const { wrong, alerts } = troubleOf(gate);
  const { loaded, total, missing } = sumOf(gate);
  const things = gate.active.length > 0 ? gate.active : gate.waiting;
  const [thing] = things;
  const at = thing?.departureDate ?? gate.active[0]?.activateDate ?? null;
  const [alert] = alerts;
  return (
    <li class="wall-row" data-state={state} id={`gate-${gate.uuid}`}>
      <p>
        {at !== null && (
          <time
            class={late ? 'flap late' : 'flap'}
            datetime={isoDate(at)}
            data-site
            data-planned={thing?.departureDate ?? undefined}
          >
            {clockIn(zone, at)}
          </time>
        )}
      </p>
      <p>
        <Plate gate={gate} />
        <span class="hidden">{gate.name}</span>
      </p>
      <p class="wall-load">
        {thing?.externalIdentifier ?? STATES[state].word}
        <small>
          {thing
            ? `${thing.carrier ?? kindOf(thing)}${things.length > 1 ? ` and ${things.length - 1} more` : ''}`
            : gate.name}
        </small>
      </p>
      <p
        class="wall-state"
        id={`s-${gate.uuid}`}
        data-announce={wrong.length > 0 ? wallWords(gate) : undefined}
      >
        {(thing || alert) && (
          <>
            <Icon name={STATES[state].icon} />
            <span>
              {wrong.length > 1 ? `${wrong.length} wrong pallets` : STATES[state].word}
              {alert ? (
                <small class="trouble">
                  <WithTimes text={alert.message} />
                </small>
              ) : (
                state === 'LOADING' && <small>{missing} to load</small>
              )}
            </span>
          </>
        )}
      </p>
      <div class="wall-count">
        {gate.active.length > 0 ? (
          <>
            <p>
              <b>{loaded}</b> / {total}
            </p>
            <LoadBar
              parts={gate.active.map(({ externalIdentifier, counts }) => ({
                name: externalIdentifier,
                ...progressOf(counts),
              }))}
            />
          </>
        ) : (
          thing && <p>{palletsOf(thing)}</p>
        )}
      </div>
    </li>
  );
};

const wallWords = ({ name }: BoardGate): string => `Wrong pallet at ${name}`;
