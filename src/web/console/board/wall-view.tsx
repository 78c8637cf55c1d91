import type { FC } from 'hono/jsx';
import { listed } from '../../../core/lib/text.ts';
import { isoDate } from '../../../core/lib/time.ts';
import { capitalized, clockIn, formatIn } from '../../../core/lib/zone.ts';
import { kindOf } from '../../../dispatch/alert/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { localeOf } from '../../../messages/languages.ts';
import { LoadBar, Plate } from '../../ui/parts/badges.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { DepartureClock } from '../../ui/parts/roles.tsx';
import { useZone } from '../../ui/parts/view.ts';
import { alertTypeIn } from '../resources/alert/alerts.tsx';
import { arrivedText } from './arrival.tsx';
import { kindName, Live, palletsText, STATES, stateIn, upTo } from './board-parts.tsx';
import { areUnknown, gateTopics, onWall, progressOf, sumOf, type WallGate, waitingTopics } from './rules.ts';
import { BOARD_LIMITS, type Board } from './store.ts';

/** The wall screen: all gates, readable five metres away, without a menu. */
export const WallView: FC<{ board: Board }> = ({ board }) => {
  const zone = useZone();
  const words = useWords();
  const { t, number } = words;
  const { shown, more } = upTo(board.gates, BOARD_LIMITS.gates);
  const now = Date.now();
  const rows = onWall(shown, now);
  const locale = localeOf(words.language);
  const waiting = board.waiting?.things ?? [];
  const wrong = rows.filter(({ state }) => state === 'WRONG').length;
  const lateGates = rows.filter(({ late }) => late).length;
  // Always read as a whole, because the order of its rows depends on all of them.
  const topics = [...shown.flatMap(gateTopics), ...waitingTopics(waiting)];
  return (
    <Live sequenceNumber={board.sequenceNumber} title={t('board.gates')} topics={topics} class="wall">
      <header class="wall-head">
        <h1>
          <a href="/app/board">{t('board.gates')}</a>
        </h1>
        <p class="wall-day">
          {capitalized(
            formatIn(zone, locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(Date.now()),
            locale,
          )}
        </p>
        <p class="feed" data-own>
          <Icon name="live" class="if-live" />
          <Icon name="offline" class="if-not" />
          <span id="feed" role="status">
            {t('live.not')}
          </span>
          <a class="hidden" href="/app/board?screen=wall" id="again">
            {t('gate.refresh')}
          </a>
        </p>
        <p class="flap" id="clock" aria-hidden="true" data-own data-zone={zone} />
      </header>
      <p class="wall-row wall-names" aria-hidden="true">
        <span>{t('wall.time')}</span>
        <span>{t('board.gate')}</span>
        <span>{t('wall.load')}</span>
        <span>{t('wall.state')}</span>
        <span>{t('wall.loaded')}</span>
      </p>
      <ol class="wall-rows" aria-label={t('board.gates')}>
        {rows.map((row) => (
          <WallRow row={row} />
        ))}
      </ol>
      <footer class="wall-foot">
        <p>
          <b>{number(lateGates)}</b> {t('board.gatesLate', { count: lateGates })}
        </p>
        <p>
          <b>{number(wrong)}</b> {t('wall.wrongGates', { count: wrong })}
        </p>
        <p>
          <b>
            {waiting.length > BOARD_LIMITS.unassigned
              ? t('wall.orMore', { count: waiting.length })
              : number(waiting.length)}
          </b>{' '}
          {t('wall.waiting', { count: waiting.length })}
        </p>
        <p id="pages" data-own />
        {more && <p>{t('wall.limit', { count: BOARD_LIMITS.gates })}</p>}
      </footer>
    </Live>
  );
};

const WallRow: FC<{ row: WallGate }> = ({ row: { gate, state, thing, late, time } }) => {
  const zone = useZone();
  const words = useWords();
  const { t, number, labelled } = words;
  const { wrong, alerts } = gate;
  const { loaded, total, missing } = sumOf(gate);
  const things = gate.active.length > 0 ? gate.active : gate.waiting;
  const thingsTotal = gate.active.length > 0 ? gate.totals.active : gate.totals.waiting;
  // A row shows how late its load is. Alerts that are shown otherwise would hide more than they say.
  const alert = alerts.find((one) => thing === undefined || kindOf(one).atGate === undefined);
  const what = thing
    ? listed(
        thing.carrier ? thing.externalIdentifier : kindName(words, thing),
        thing.vehicle,
        thing.seal && `${t('page.seal')} ${thing.seal}`,
        thing.arrivalDate !== null && arrivedText(words, zone, thing.arrivalDate),
      )
    : gate.name;
  return (
    <li class="wall-row" data-state={state} data-late={late && ''} id={`gate-${gate.uuid}`}>
      <p>
        {time !== null && (
          <time
            class={thing?.departureDate && thing.departureDate < Date.now() ? 'flap late' : 'flap'}
            datetime={isoDate(time)}
            data-site
            data-planned={thing?.departureDate ?? undefined}
          >
            {clockIn(zone, time)}
          </time>
        )}
      </p>
      <p>
        <Plate gate={gate} />
        <span class="hidden">{gate.name}</span>
      </p>
      <p class="wall-load">
        {thing ? (thing.carrier ?? thing.externalIdentifier) : stateIn(words, state, wrong)}
        <small>
          <span>{what}</span>
          {things.length > 1 && (
            <span class="others">{t('board.moreCount', { count: thingsTotal - 1 })}</span>
          )}
        </small>
      </p>
      <p
        class="wall-state"
        id={`s-${gate.uuid}`}
        data-announce={
          wrong.length > 0
            ? t('gate.at', { gate: gate.name, message: stateIn(words, state, wrong) })
            : undefined
        }
      >
        {(thing || alert) && (
          <>
            <Icon name={STATES[state]} />
            <span>
              {wrong.length > 1
                ? t(areUnknown(wrong) ? 'proof.unknown' : 'wall.wrongCount', { count: gate.totals.wrong })
                : stateIn(words, state, wrong)}
              {late || alert ? (
                <span class="wall-trouble">
                  {late && (
                    <span class="delay">
                      {late !== thing && <small class="late">{labelled(late.externalIdentifier)}</small>}{' '}
                      <DepartureClock at={late.departureDate!} zone={zone} />
                    </span>
                  )}
                  {alert && <small class="trouble">{alertTypeIn(words, alert.alertType)}</small>}
                </span>
              ) : thing?.departureDate ? (
                <DepartureClock at={thing.departureDate} zone={zone} />
              ) : (
                state === 'LOADING' && <small>{t('gate.countToLoad', { count: missing })}</small>
              )}
            </span>
          </>
        )}
      </p>
      <div class="wall-count">
        {gate.active.length > 0 ? (
          <>
            <p>
              <b>{number(loaded)}</b> / {number(total)}
            </p>
            <LoadBar
              parts={gate.active.map(({ externalIdentifier, counts }) => ({
                name: externalIdentifier,
                ...progressOf(counts),
              }))}
            />
          </>
        ) : (
          thing && <p>{palletsText(words, thing)}</p>
        )}
      </div>
    </li>
  );
};
