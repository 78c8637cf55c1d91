import { isoDate } from '../../core/lib/time.ts';

/**
 * The facts that only the stored message of an alert has. Dates are epoch milliseconds. `load` is the name of the shipment
 * or manifest as `quoted` writes it.
 */
export interface AlertFacts {
  DEPARTURE_LATE: { load: string; plannedDate: number };
  DEPARTURE_AT_RISK: { load: string; plannedDate: number; readyDate: number };
  COMPLETED_SHORT: { kind: string; load: string; missing: number; total: number };
  DEVICE_OFFLINE: { kind: string; device: string; heardDate: number };
  /** `pallets` are the first WMS ids of `count` pallets, as `quoted` writes them. */
  PALLETS_ABOARD: { kind: string; load: string; count: number; pallets: readonly string[] };
}
type FactualType = keyof AlertFacts;
type Time = (date: number) => string;

/** The maximum number of pallets that a message names. */
export const NAMED_MAXIMUM = 10;

/** Writers of messages in one language. `time` writes a date. */
export type AlertTexts = { readonly [T in FactualType]: (facts: AlertFacts[T], time: Time) => string };

/** The messages in English. Rows have messages of earlier versions, so `PATTERNS` must keep matching them. */
export const ENGLISH: AlertTexts = {
  DEPARTURE_LATE: ({ load, plannedDate }, time) =>
    `Shipment ${load} has not left. Its planned departure was at ${time(plannedDate)}.`,
  DEPARTURE_AT_RISK: ({ load, plannedDate, readyDate }, time) =>
    `Shipment ${load} is planned to leave at ${time(plannedDate)}. ` +
    `At the pace so far, its last pallet is loaded at ${time(readyDate)}.`,
  COMPLETED_SHORT: ({ kind, load, missing, total }) =>
    `${kind} ${load} was completed without ${missing} of ${total} pallets.`,
  DEVICE_OFFLINE: ({ kind, device, heardDate }, time) =>
    `${kind} ${device} has sent no heartbeat since ${time(heardDate)}.`,
  PALLETS_ABOARD({ kind, load, count, pallets }) {
    const more = count - pallets.length;
    const named = pallets.length === 0 ? '' : `: ${pallets.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const said =
      count === 1
        ? '1 pallet is still aboard. Take it off'
        : `${count} pallets are still aboard. Take them off`;
    return `${kind} ${load} is no longer being loaded. ${said}${named}.`;
  },
};

/** The texts of the alert about readings at a gate without work. The second one follows the number of pallets. */
export const READ_WITHOUT_WORK = {
  one: (pallet: string, gate: string) => `${pallet} was read at ${gate}, where nothing is being loaded.`,
  several: (gate: string) => ` pallets were read at ${gate}, where nothing is being loaded.`,
};

const [QUOTED, DATE] = [String.raw`"(?:[^"\\]|\\.)*"`, String.raw`(\d{4}-\d\d-\d\dT[\d:.]+Z)`];
const NAME = `(${QUOTED})`;
const pattern = (text: string): RegExp => new RegExp(`^${text}$`, 's');

/** Matches exactly the messages with dates as `isoDate` writes them. A date in a name cannot be taken for a fact. */
const PATTERNS: Record<FactualType, RegExp> = {
  DEPARTURE_LATE: pattern(`Shipment ${NAME} has not left\\. Its planned departure was at ${DATE}\\.`),
  DEPARTURE_AT_RISK: pattern(
    `Shipment ${NAME} is planned to leave at ${DATE}\\. ` +
      `At the pace so far, its last pallet is loaded at ${DATE}\\.`,
  ),
  COMPLETED_SHORT: pattern(`(Shipment|Manifest) ${NAME} was completed without (\\d+) of (\\d+) pallets\\.`),
  PALLETS_ABOARD: pattern(
    `(Shipment|Manifest) ${NAME} is no longer being loaded\\. (\\d+) pallets? (?:is|are) still aboard\\. ` +
      `Take (?:it|them) off(?:: (${QUOTED}(?:, ${QUOTED})*)(?: and \\d+ more)?)?\\.`,
  ),
  DEVICE_OFFLINE: pattern(`(Scanner|Local manager|Agent) (.+) has sent no heartbeat since ${DATE}\\.`),
};

/** The facts from the parts of a message that its pattern matches. */
const READ: { [T in FactualType]: (...parts: string[]) => AlertFacts[T] } = {
  DEPARTURE_LATE: (load = '', planned = '') => ({ load, plannedDate: Date.parse(planned) }),
  DEPARTURE_AT_RISK: (load = '', planned = '', ready = '') => ({
    load,
    plannedDate: Date.parse(planned),
    readyDate: Date.parse(ready),
  }),
  COMPLETED_SHORT: (kind = '', load = '', missing = '', total = '') => ({
    kind,
    load,
    missing: Number(missing),
    total: Number(total),
  }),
  PALLETS_ABOARD: (kind = '', load = '', count = '', pallets = '') => ({
    kind,
    load,
    count: Number(count),
    pallets: pallets.match(new RegExp(QUOTED, 'gs')) ?? [],
  }),
  DEVICE_OFFLINE: (kind = '', device = '', heard = '') => ({ kind, device, heardDate: Date.parse(heard) }),
};

/** The message of a new alert. Its dates are in UTC. */
export const alertMessage = <T extends FactualType>(type: T, facts: AlertFacts[T]): string =>
  ENGLISH[type](facts, isoDate);

function textWith<T extends FactualType>(texts: AlertTexts, type: T, message: string, time: Time) {
  const parts = PATTERNS[type].exec(message);
  return parts ? texts[type](READ[type](...parts.slice(1)), time) : undefined;
}

const isFactual = (type: string): type is FactualType => Object.hasOwn(PATTERNS, type);

/** An alert in other words or with other texts for its dates; undefined if its stored message has no facts. */
export const textOf = (
  texts: AlertTexts,
  { alertType, message }: { alertType: string; message: string },
  time: Time,
): string | undefined => (isFactual(alertType) ? textWith(texts, alertType, message, time) : undefined);
