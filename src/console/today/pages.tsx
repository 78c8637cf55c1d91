import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { AppEnv } from '../../http/types.ts';
import { beginOf, dayAfter, dayIn, formatIn, isDay } from '../../lib/zone.ts';
import { roleKey } from '../../shipment/rules.ts';
import { boardActions } from '../board/actions.ts';
import { inOrder } from '../board/rules.ts';
import { type At, page } from '../kit/page.tsx';
import { gridOf, lanesOf } from './rules.ts';
import { DAY_LIMITS, readDay } from './store.ts';
import { Figures, Gates, Legend, WithoutGate } from './view.tsx';

/** What leaves on a day, gate by gate. */
export function todayPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/today',
    right: 'see',
    feature: 'SHIPMENT',
    query: z.object({ day: z.string().refine(isDay, 'A day is written as 2026-11-22.').optional() }),
    view: todayPage,
    actions: { assign: boardActions()['assign']! },
  });
}

async function todayPage(at: At, _: unknown, { day: asked }: { day?: string | undefined }) {
  const { timeZone: zone, shipmentCustomFields: fields } = at.session.organization;
  const now = Date.now();
  const today = dayIn(zone, now);
  const day = asked ?? today;
  const [begin, end] = [beginOf(zone, day), beginOf(zone, dayAfter(day, 1))];
  const title = formatIn(zone, 'en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(day.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }),
  }).format(begin);
  if (roleKey(fields, 'PLANNED_DEPARTURE') === null) return { title, body: <Unplanned /> };
  const read = await readDay(at.database, fields, { begin, end, late: day === today });
  const departures = read.departures.slice(0, DAY_LIMITS.shipments);
  const gates = inOrder(read.gates.slice(0, DAY_LIMITS.gates));
  const placed = departures.filter(({ gate }) => gate !== null);
  const grid = gridOf(placed, begin, end, now);
  const shown = { zone, now };
  const to = (days: number) => `/app/today?day=${dayAfter(day, days)}`;
  return {
    title,
    tab: day === today ? 'Today' : title,
    styles: ['today.css'],
    aside: (
      <p class="days actions">
        <a class="button quiet" href={to(-1)} rel="prev">
          Day before
        </a>
        {day !== today && (
          <a class="button quiet" href="/app/today">
            Today
          </a>
        )}
        <a class="button quiet" href={to(1)} rel="next">
          Day after
        </a>
      </p>
    ),
    body: (
      <>
        <Figures departures={departures} shown={shown} />
        <Gates lanes={lanesOf(gates, placed, grid, now)} grid={grid} shown={shown} />
        <Legend />
        <WithoutGate
          departures={departures.filter(({ gate, status }) => gate === null && status !== 'COMPLETED')}
          gates={gates}
          mayAssign={at.may('operate')}
          shown={shown}
        />
        {(read.departures.length > departures.length || read.gates.length > gates.length) && (
          <p class="hint">
            The first {DAY_LIMITS.shipments} shipments and {DAY_LIMITS.gates} gates are shown.
          </p>
        )}
      </>
    ),
  };
}

const Unplanned = () => (
  <section class="card">
    <p>No field of shipments says when they are to leave.</p>
    <p class="hint">
      Configure a custom field with the role PLANNED_DEPARTURE: its values are planned departures, which this
      page, the gates and the lists go by.
    </p>
  </section>
);
