import type { Child, FC } from 'hono/jsx';
import { clockIn } from '../../lib/zone.ts';
import type { GateReference } from '../../site/rules.ts';
import { Form, Hidden, Submit } from '../kit/form.tsx';
import { Icon, type IconName } from '../kit/icons.tsx';
import { LoadLine, Plate } from '../kit/marks.tsx';
import { distance } from '../kit/time.tsx';
import {
  type DayState,
  type Departure,
  dayState,
  type Grid,
  type Lane,
  lateBy,
  type Slot,
  STEP_MS,
} from './rules.ts';

const STATES: Record<DayState, { icon: IconName; word: string; class: string }> = {
  PLANNED: { icon: 'free', word: 'Planned', class: 'plan' },
  READY: { icon: 'ready', word: 'Ready', class: 'ready' },
  LOADING: { icon: 'load', word: 'Loading', class: 'go' },
  WRONG: { icon: 'stop', word: 'Wrong pallet', class: 'wrong' },
  ALL_LOADED: { icon: 'check', word: 'All loaded', class: 'full' },
  COMPLETED: { icon: 'done', word: 'Completed', class: 'done' },
  SHORT: { icon: 'short', word: 'Completed short', class: 'short' },
};

/** What the parts of a day know of it. */
export interface Shown {
  zone: string;
  now: number;
}

const pallets = (count: number): string => `${count} ${count === 1 ? 'pallet' : 'pallets'}`;

/** What a shipment's loading has come to, in a few words. */
function progress(departure: Departure): string {
  const { pallets: total, loaded, wrong } = departure;
  switch (dayState(departure)) {
    case 'WRONG':
      return `${wrong} wrong`;
    case 'ALL_LOADED':
      return 'All loaded';
    case 'SHORT':
      return `${total - loaded} missing`;
    case 'LOADING':
      return `${loaded} / ${total}`;
    default:
      return String(total);
  }
}

/** The figures that a dispatcher looks for first. */
export const Figures: FC<{ departures: readonly Departure[]; shown: Shown }> = ({
  departures,
  shown: { zone, now },
}) => {
  const late = departures.filter((departure) => lateBy(departure, now) > 0);
  const wrong = departures.filter((departure) => dayState(departure) === 'WRONG');
  const left = departures.filter(({ status }) => status === 'COMPLETED');
  const next = departures.find(({ status, departureDate }) => status !== 'COMPLETED' && departureDate >= now);
  const short = left.filter((departure) => dayState(departure) === 'SHORT').length;
  const sum = (of: readonly Departure[], what: (departure: Departure) => number) =>
    of.reduce((total, departure) => total + what(departure), 0);
  return (
    <section class="figures" aria-label="Now">
      <Figure name="Late" icon="clock" class={late.length > 0 ? 'late' : ''} value={late.length}>
        {named(late, (departure) => ` by ${distance(lateBy(departure, now))}`)}
      </Figure>
      <Figure
        name="Wrong pallets"
        icon="stop"
        class={wrong.length > 0 ? 'wrong' : ''}
        value={sum(wrong, (departure) => departure.wrong)}
      >
        {named(wrong, ({ gate }) => (gate ? ` at ${gate.name}` : ''))}
      </Figure>
      <Figure name="Leaves next" icon="load" value={next ? clockIn(zone, next.departureDate) : '–'}>
        {next &&
          [next.externalIdentifier, next.carrier, `${next.pallets - next.loaded} to load`]
            .filter(Boolean)
            .join(', ')}
      </Figure>
      <Figure name="Left" icon="done" value={left.length} of={departures.length}>
        {pallets(sum(left, ({ loaded }) => loaded))}
        {short > 0 && `, ${short} short`}
      </Figure>
    </section>
  );
};

/** The first few by name, with what is to be said of each. */
const named = (departures: readonly Departure[], more: (departure: Departure) => string): string =>
  departures
    .slice(0, 2)
    .map((departure) => `${departure.externalIdentifier}${more(departure)}`)
    .join(', ') + (departures.length > 2 ? ` and ${departures.length - 2} more` : '');

const Figure: FC<{
  name: string;
  icon: IconName;
  value: string | number;
  of?: number;
  class?: string;
  children?: Child;
}> = ({ name, icon, value, of, class: tone = '', children }) => (
  <div class={`figure ${tone}`}>
    <h2>
      <Icon name={icon} /> {name}
    </h2>
    <p class="value">
      {value}
      {of !== undefined && <small> of {of}</small>}
    </p>
    <p class="hint">{children}</p>
  </div>
);

/** Gates over the hours of the day: a row of the table is a line of a gate, a column a quarter of an hour. */
export const Gates: FC<{ lanes: readonly Lane[]; grid: Grid; shown: Shown }> = ({ lanes, grid, shown }) => {
  const { zone, now } = shown;
  const hours = Array.from(
    { length: Math.ceil(grid.columns / 4) },
    (_, hour) => grid.begin + hour * 4 * STEP_MS,
  );
  const at = (now - grid.begin) / STEP_MS / grid.columns;
  return (
    <section class="day" aria-label="Gates over the day" tabindex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col" class="lane">
              <span class="hidden">Gate</span>
            </th>
            {hours.map((hour, index) => (
              <th scope="col" colspan={Math.min(4, grid.columns - index * 4)}>
                {clockIn(zone, hour)}
              </th>
            ))}
          </tr>
        </thead>
        {lanes.map(({ gate, lines }) => (
          <tbody>
            {lines.map((line, index) => (
              <tr>
                {index === 0 && (
                  <th scope="rowgroup" rowspan={lines.length} class="lane">
                    <Plate gate={gate} /> <a href={`/app/gate/${gate.uuid}`}>{gate.name}</a>
                  </th>
                )}
                <Line slots={line} columns={grid.columns} shown={shown} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {at >= 0 && at <= 1 && (
        <svg class="now" aria-hidden="true">
          <line x1={`${(at * 100).toFixed(2)}%`} x2={`${(at * 100).toFixed(2)}%`} y1="0" y2="100%" />
        </svg>
      )}
    </section>
  );
};

/** A line of a gate: what is in it, and between them what is not. */
const Line: FC<{ slots: readonly Slot[]; columns: number; shown: Shown }> = ({ slots, columns, shown }) => {
  const cells: Child[] = [];
  let at = 0;
  for (const slot of slots) {
    if (slot.column > at) cells.push(<Free from={at} count={slot.column - at} />);
    cells.push(
      <td colspan={slot.columns}>
        <SlotLink departure={slot.departure} shown={shown} />
      </td>,
    );
    at = slot.column + slot.columns;
  }
  if (at < columns) cells.push(<Free from={at} count={columns - at} />);
  return <>{cells}</>;
};

/** Columns without anything, divided at full hours, so that lines are drawn there. */
const Free: FC<{ from: number; count: number }> = ({ from, count }) => {
  const spans: number[] = [];
  for (let at = from; at < from + count; ) {
    const span = Math.min(4 - (at % 4), from + count - at);
    spans.push(span);
    at += span;
  }
  return (
    <>
      {spans.map((span) => (
        <td colspan={span} class="free" />
      ))}
    </>
  );
};

const SlotLink: FC<{ departure: Departure; shown: Shown }> = ({ departure, shown: { zone, now } }) => {
  const state = dayState(departure);
  const { icon, word, class: tone } = STATES[state];
  const late = lateBy(departure, now);
  return (
    <a href={`/app/shipment/${departure.uuid}`} class={`slot ${tone}${late > 0 ? ' late' : ''}`}>
      <b>
        <Icon name={icon} /> {departure.externalIdentifier}
      </b>
      <span>
        <span class="hidden">
          {word}, departs {clockIn(zone, departure.departureDate)}
          {late > 0 && `, ${distance(late)} late`},{' '}
        </span>
        {progress(departure)}
        {departure.carrier && `, ${departure.carrier}`}
      </span>
      <LoadLine
        loaded={departure.loaded}
        total={departure.pallets}
        closed={departure.status === 'COMPLETED'}
      />
    </a>
  );
};

/** What the signs of the slots mean. */
export const Legend: FC = () => (
  <ul class="legend" aria-hidden="true">
    {Object.values(STATES).map(({ icon, word, class: tone }) => (
      <li class={tone}>
        <Icon name={icon} /> {word}
      </li>
    ))}
  </ul>
);

/** What has no gate yet, with a way to give it one. */
export const WithoutGate: FC<{
  departures: readonly Departure[];
  gates: readonly GateReference[];
  mayAssign: boolean;
  shown: Shown;
}> = ({ departures, gates, mayAssign, shown: { zone, now } }) =>
  departures.length === 0 ? null : (
    <section class="card gateless">
      <h2>
        <Icon name="warn" /> No gate yet <small>{departures.length}</small>
      </h2>
      <ul>
        {departures.map((departure) => (
          <li>
            <a href={`/app/shipment/${departure.uuid}`}>
              <b class={lateBy(departure, now) > 0 ? 'late' : ''}>{clockIn(zone, departure.departureDate)}</b>{' '}
              {departure.externalIdentifier}
            </a>
            <span class="hint">
              {[departure.carrier, pallets(departure.pallets)].filter(Boolean).join(', ')}
            </span>
            {mayAssign && gates.length > 0 && (
              <Form action="assign">
                <Hidden name="thing" value={`shipment:${departure.uuid}`} />
                <label class="hidden" for={`gate-${departure.uuid}`}>
                  Gate of {departure.externalIdentifier}
                </label>
                <select id={`gate-${departure.uuid}`} name="gate" required>
                  <option value="">Gate …</option>
                  {gates.map((gate) => (
                    <option value={gate.uuid}>{gate.name}</option>
                  ))}
                </select>
                <Submit quiet label={`Give ${departure.externalIdentifier} this gate`}>
                  Assign
                </Submit>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
