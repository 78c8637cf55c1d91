import { z } from '@hono/zod-openapi';
import { text, uuid } from '../../../core/http/schema.ts';
import { write } from '../../../core/http/write.ts';
import { isDateNumber } from '../../../core/lib/time.ts';
import { clockIn, isDay, zonedIn } from '../../../core/lib/zone.ts';
import { planShipment } from '../../../dispatch/load/shipment/commands.ts';
import { roleKey } from '../../../dispatch/load/shipment/rules.ts';
import type { Words } from '../../../messages/words.ts';
import { readTypedDate } from '../../../pallet/typed-date.ts';
import { action, type PageContext } from '../../ui/confirm/action.ts';
import { changeNotice, faultText } from '../../ui/form/typed-fields.ts';
import { refuseInWords } from '../../ui/parts/language.ts';
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

/**
 * The departure of a form (`at`, epoch milliseconds): as typed in the time zone of the site, or as a script has sent it.
 * '' leaves the departure unchanged. A notice if the clocks of the site change at that time.
 * @throws 400 for other texts
 */
function departureIn({ session, words }: PageContext, typed: string, before: number) {
  if (typed === '') return { at: before, notice: '' };
  const { timeZone } = session.organization;
  const at = /^\d{1,16}$/.test(typed) ? Number(typed) : Number.NaN;
  if (isDateNumber(at)) return { at, notice: '' };
  const read = readTypedDate(typed, { zone: timeZone, now: Date.now() });
  const label = words.t('day.departure');
  if (!('fault' in read)) return { at: read.at, notice: changeNotice(words, label, timeZone, read) };
  const message = faultText(words, read.fault);
  const errors = [{ field: 'departure', code: 'validationFailed' as const, message, rejectedValue: typed }];
  return refuseInWords('validationFailed', message, { errors });
}

/** The text about a moved shipment: its gate and its departure. */
export const movedText = (
  { t }: Words,
  {
    externalIdentifier: name,
    gate,
    departureDate,
  }: Pick<Departure, 'externalIdentifier' | 'departureDate'> & {
    gate: { name: string } | null;
  },
  zone: string,
): string => {
  const said = { name, time: clockIn(zone, departureDate) };
  return gate ? t('day.moved', { ...said, gate: gate.name }) : t('day.movedNoGate', said);
};

/** The action that moves a shipment to another gate, another departure, or both. It sends one command. */
export const todayActions = {
  move: action(
    'operate',
    z.object({
      shipment: slot,
      gate: z.union([z.literal(''), z.literal(NO_GATE), uuid]).default(''),
      departure: text(0, 100).default(''),
    }),
    async (at, _, form) => {
      const { c, session, submission, words } = at;
      const { timeZone: zone, shipmentCustomFields } = session.organization;
      const { at: departs, notice } = departureIn(at, form.departure, form.shipment.departs);
      const key = roleKey(shipmentCustomFields, 'PLANNED_DEPARTURE');
      const stays = key === null || departs === form.shipment.departs;
      const { body } = await write(c, submission, planShipment, {
        identifier: form.shipment.shipment,
        gateIdentifier: form.gate === '' ? null : form.gate === NO_GATE ? '' : form.gate,
        fields: stays ? [] : [{ fieldKey: key, fieldValue: zonedIn(zone, departs) }],
      });
      const day = c.req.query('day');
      const next = new URLSearchParams({
        ...(day !== undefined && isDay(day) ? { day } : {}),
        undo: slotText(form.shipment),
      });
      return {
        done: [movedText(words, { ...body, departureDate: departs }, zone), notice].filter(Boolean).join(' '),
        to: `/app/today?${next}`,
      };
    },
  ),
};

export type TodayActions = typeof todayActions;
