import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../../core/http/types.ts';
import { beginOf, capitalized, dayAfter, dayIn, formatIn, isDay } from '../../../core/lib/zone.ts';
import { topicOf, WAITING } from '../../../delivery/live/rules.ts';
import { type GateReference, gatesInOrder } from '../../../dispatch/gate/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { localeOf } from '../../../messages/languages.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { plansDay } from '../../ui/page/menu.tsx';
import { page } from '../../ui/page/page.tsx';
import { schemaText } from '../../ui/parts/form-rules.ts';
import type { View } from '../../ui/parts/view.ts';
import { Live, NoGates } from '../board/parts.tsx';
import { PlanForm } from '../start/checklist.tsx';
import { addressOf, DayBar } from './day-bar.tsx';
import { OpenList } from './departures.tsx';
import { Figures } from './figures.tsx';
import { Gates } from './grid.tsx';
import { Clashes, Legend } from './legend.tsx';
import { todayActions, undoQuery } from './move.ts';
import { clashesOf, commonStart, type Departure, gridOf, lanesOf } from './rules.ts';
import { DAY_LIMITS, readDay } from './store.ts';
import { MoveForm, Undo, WithoutGate } from './tray.tsx';

/** Minimum time between two refreshes of a live page, because each reads the whole day. */
const PAUSE_MS = 5_000;

const query = z.object({
  day: z.string().refine(isDay, schemaText('noDay')).optional(),
  undo: undoQuery,
});

/** The page of a day's departures, gate by gate. */
export function todayPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/today',
    right: 'see',
    query,
    view: todayPage,
    actions: todayActions,
  });
}

async function todayPage(
  at: PageContext,
  _: unknown,
  { day: asked, undo }: z.output<typeof query>,
): Promise<View> {
  const { t, language } = at.words;
  const { timeZone: zone, shipmentCustomFields: fields } = at.session.organization;
  const now = Date.now();
  const today = dayIn(zone, now);
  const day = asked ?? today;
  const [begin, end] = [beginOf(zone, day), beginOf(zone, dayAfter(day, 1))];
  const locale = localeOf(language);
  const named = formatIn(zone, locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(day.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }),
  }).format(begin);
  const title = capitalized(named, locale);
  if (!plansDay(at.session)) {
    return { title, body: <Unplanned mayChange={at.may('changeSettings')} /> };
  }
  const read = await readDay(at.database, fields, { begin, end, late: day === today });
  const departures = read.departures.slice(0, DAY_LIMITS.shipments);
  const gates = gatesInOrder(read.gates.slice(0, DAY_LIMITS.gates));
  const assigned = departures.filter(({ gate }) => gate !== null);
  // A shipment without a gate can be dragged to its time, so its time is shown, too.
  const upcoming = departures.filter(
    ({ gate, departureDate }) => gate === null && departureDate >= Math.max(begin, now),
  );
  const grid = gridOf([...assigned, ...upcoming], begin, end, now);
  const open = departures.filter(({ status }) => status !== 'COMPLETED');
  const clashes = clashesOf(departures, now);
  const lanes = lanesOf(gates, assigned, grid, now);
  const mayMove = at.may('operate');
  const here = addressOf(day);
  const moved = mayMove && undo && open.find(({ uuid }) => uuid === undo.shipment);
  const shown = { zone, now };
  const tab = day === today ? t('day.today') : title;
  const start = commonStart(assigned.map(({ externalIdentifier }) => externalIdentifier));
  return {
    title,
    tab,
    styles: ['today.css'],
    scripts: ['today.js'],
    words: ['live'],
    aside: <DayBar day={day} today={today} mayMove={mayMove} />,
    body: (
      <Live
        sequenceNumber={read.sequenceNumber}
        title={tab}
        topics={topicsOf(departures, gates)}
        class="planned"
        pauseMs={PAUSE_MS}
      >
        <Figures departures={departures} shown={shown} />
        <OpenList departures={open} shown={shown} />
        {gates.length === 0 && <NoGates mayCreate={at.may('changeSite')} />}
        <Gates lanes={lanes} grid={grid} shown={{ ...shown, clashes, mayMove, start }} />
        <Legend mayMove={mayMove} />
        <Clashes lanes={lanes} clashes={clashes} />
        <WithoutGate
          departures={open.filter(({ gate }) => gate === null)}
          gates={gates}
          here={here}
          mayMove={mayMove}
          shown={shown}
        />
        {mayMove && <MoveForm departures={open} gates={gates} here={here} shown={shown} />}
        {(read.departures.length > departures.length || read.gates.length > gates.length) && (
          <p class="hint">{t('day.limits', DAY_LIMITS)}</p>
        )}
        {moved && <Undo of={moved} before={undo} here={here} shown={shown} />}
      </Live>
    ),
  };
}

/** The topics of the page: its shipments, its gates, and loads without a gate. */
const topicsOf = (departures: readonly Departure[], gates: readonly GateReference[]): string[] => [
  WAITING,
  ...gates.map(({ externalIdentifier }) => topicOf('gate', externalIdentifier)),
  ...departures.map(({ externalIdentifier }) => topicOf('shipment', externalIdentifier)),
];

/** The page of an organization without departures: the switch to plan them. */
const Unplanned: FC<{ mayChange: boolean }> = ({ mayChange }) => {
  const { t } = useWords();
  return (
    <section class="card">
      <p>{t('day.unplanned')}</p>
      {mayChange ? (
        <PlanForm returnTo="/app/today" />
      ) : (
        <p class="hint">
          {t('start.ask')} <a href="/app/board">{t('menu.board')}</a>
        </p>
      )}
    </section>
  );
};
