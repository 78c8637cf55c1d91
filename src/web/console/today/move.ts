import { z } from '@hono/zod-openapi';
import { dateFilter } from '../../../core/http/dates.ts';
import { uuid } from '../../../core/http/schema.ts';
import { write } from '../../../core/http/write.ts';
import { isDateNumber } from '../../../core/lib/time.ts';
import { clockIn, isDay, zonedIn } from '../../../core/lib/zone.ts';
import { planShipment } from '../../../dispatch/shipment/change-commands.ts';
import { roleKey } from '../../../dispatch/shipment/rules.ts';
import { action } from '../kit/action.ts';
import type { Departure } from './rules.ts';

/** The choice for no gate. */
export const NO_GATE = 'none';

/** The place of a shipment before a move. Forms send it, so that the move can be undone. */
const slot = z
  .string()
  .regex(/^[0-9a-f-]{36} ([0-9a-f-]{36})? \d{1,16}$/)
  .transform((text) => {
    const [shipment = '', gate, departs] = text.split(' ');
    return { shipment, gate: gate || null, departs: Number(departs) };
  });
export type SlotInput = z.output<typeof slot>;

/** A shipment and its place in a form. */
export const slotText = ({ shipment, gate, departs }: SlotInput): string =>
  `${shipment} ${gate ?? ''} ${departs}`;
export const slotOf = ({ uuid: shipment, gate, departureDate: departs }: Departure): string =>
  slotText({ shipment, gate: gate?.uuid ?? null, departs });

/**
 * The attributes that make a shipment draggable: its place and its departure. Empty if the user may not move
 * it, or it has left.
 */
export const movable = (departure: Departure, mayMove: boolean): Record<string, string | number> =>
  mayMove && departure.status !== 'COMPLETED'
    ? { 'data-place': slotOf(departure), 'data-departs': departure.departureDate, 'aria-keyshortcuts': 'M' }
    : {};

/** The shipment that was moved last, with its previous place. */
export const undoQuery = slot.optional().catch(undefined);

/** A date and time in the site's time zone, or epoch milliseconds. '' leaves the departure unchanged. */
const departure = z
  .union([z.literal(''), dateFilter.refine(isDateNumber)], 'A time is written as 2026-11-22T14:30.')
  .default('');

/** The action that moves a shipment to another gate, another departure, or both. It sends one command. */
export const todayActions = {
  move: action(
    'operate',
    z.object({
      shipment: slot,
      gate: z.union([z.literal(''), z.literal(NO_GATE), uuid]).default(''),
      departure,
    }),
    async ({ c, session, words: { t }, submission }, _, form) => {
      const { timeZone: zone, shipmentCustomFields } = session.organization;
      const departs = form.departure === '' ? form.shipment.departs : form.departure;
      const key = roleKey(shipmentCustomFields, 'PLANNED_DEPARTURE');
      const stays = key === null || departs === form.shipment.departs;
      const { body } = await write(c, submission, planShipment, {
        identifier: form.shipment.shipment,
        gateIdentifier: form.gate === '' ? null : form.gate === NO_GATE ? '' : form.gate,
        fields: stays ? [] : [{ fieldKey: key, fieldValue: zonedIn(zone, departs) }],
      });
      const said = { name: body.externalIdentifier, time: clockIn(zone, departs) };
      const day = c.req.query('day');
      const next = new URLSearchParams({
        ...(day !== undefined && isDay(day) ? { day } : {}),
        undo: slotText(form.shipment),
      });
      return {
        done: body.gate ? t('day.moved', { ...said, gate: body.gate.name }) : t('day.movedNoGate', said),
        to: `/app/today?${next}`,
      };
    },
  ),
};

export type TodayActions = typeof todayActions;
