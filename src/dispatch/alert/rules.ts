import { z } from '@hono/zod-openapi';
import type { Sign } from '../../core/lib/signs.ts';
import { isoDate } from '../../core/lib/time.ts';
import { type Words, wordsIn } from '../../messages/words.ts';

/** The parts of an alert that its message needs. */
export interface AlertFacts {
  alertType: AlertType;
  params: AlertParams[AlertType];
  gate: { name: string } | null;
  trackIdentifier: string | null;
  markerCode: number | null;
  manifestExternalId: string | null;
  shipmentExternalId: string | null;
  count: number;
}

/** The parts of the sentence of an alert. `time` writes a date (epoch milliseconds). */
interface Sentence {
  words: Words;
  time: (date: number) => string;
  alert: AlertFacts;
  /** The name of its gate, and of the shipment or manifest that it is about. */
  gate: string;
  load: string;
}

/** How a type of alerts is declared. */
interface Declared<S extends z.ZodRawShape> {
  /**
   * What its alerts are about. RECORD: the loading record of a wrong pallet or unknown marker. DEPARTURE: the departure of a
   * shipment. LOAD: a shipment, or a manifest in no shipment.
   */
  about: 'RECORD' | 'GATE' | 'DEVICE' | 'WEBHOOK' | 'TABLET' | 'DEPARTURE' | 'LOAD';
  /** CRITICAL: a pallet may leave on the wrong truck. */
  severity: 'WARNING' | 'CRITICAL';
  icon: Sign;
  /**
   * How a gate shows its alerts, if it does not list them. HIDDEN: records show wrong pallets, and a load that has left is
   * not there. LATENESS: a load that is shown says how late it is.
   */
  atGate?: 'HIDDEN' | 'LATENESS';
  /** The facts that no other column has. Dates are epoch milliseconds. */
  params: S;
  sentence: (sentence: Sentence, params: z.output<z.ZodObject<S>>) => string;
}

const type = <S extends z.ZodRawShape>({ params, ...declared }: Declared<S>) => ({
  ...declared,
  params: z.strictObject(params),
});

/** The maximum number of pallets that an alert names. */
export const NAMED_MAXIMUM = 10;

const date = z.int().min(0).max(Date.parse('9999-12-31'));
const count = z.int().min(0);

function palletIn({ words: { t }, alert }: Sentence, isUnknown: boolean): string {
  const { trackIdentifier: pallet, markerCode } = alert;
  if (pallet === null) return t('alert.unknownMarker', { code: String(markerCode ?? '?') });
  return t(isUnknown ? 'alert.unknownPallet' : 'gate.pallet', { pallet });
}

/** A pallet that does not belong to the load at a gate. */
const stray = (isUnknown: boolean) =>
  type({
    about: 'RECORD',
    severity: 'CRITICAL',
    icon: 'camera',
    atGate: 'HIDDEN',
    params: {
      /** The other load on which it is LOADED. */
      elsewhere: z.strictObject({ load: z.string(), gate: z.string().nullable() }).optional(),
      /** It was LOADED, and then the order that has it left the load. */
      isLeftBehind: z.literal(true).optional(),
    },
    sentence(sentence, { elsewhere, isLeftBehind }) {
      const { t } = sentence.words;
      const facts = { pallet: palletIn(sentence, isUnknown), gate: sentence.gate };
      if (isLeftBehind) return t('alert.leftBehind', facts);
      if (!elsewhere) return t('alert.stray', facts);
      return t('alert.elsewhere', { ...facts, load: elsewhere.load, other: elsewhere.gate ?? '?' });
    },
  });

/** The types of alerts. Everything else that depends on the type is derived from this table. */
export const ALERTS = {
  WRONGLY_LOADED: stray(false),
  UNKNOWN_LOADING: stray(true),
  SCAN_WITHOUT_ACTIVE_MANIFEST: type({
    about: 'GATE',
    severity: 'WARNING',
    icon: 'camera',
    params: { isUnknown: z.boolean() },
    sentence(sentence, { isUnknown }) {
      const { words, gate, alert } = sentence;
      if (alert.count > 1) return words.t('alert.unattendedCount', { gate, count: alert.count });
      return words.t('alert.unattended', { gate, pallet: palletIn(sentence, isUnknown) });
    },
  }),
  DEVICE_OFFLINE: type({
    about: 'DEVICE',
    severity: 'WARNING',
    icon: 'camera',
    params: {
      deviceType: z.enum(['SCANNER', 'LOCAL_MANAGER', 'AGENT']),
      device: z.string(),
      heardDate: date,
    },
    sentence: ({ words, time }, { deviceType, device, heardDate }) =>
      words.t('alert.silent', { deviceType, device, time: time(heardDate) }),
  }),
  WEBHOOK_DISABLED: type({
    about: 'WEBHOOK',
    severity: 'WARNING',
    icon: 'camera',
    params: { webhook: z.string(), reason: z.string() },
    sentence: ({ words: { t } }, { webhook, reason }) =>
      t('alert.webhook', { webhook, reason: t('hook.reasons', { reason }) }),
  }),
  SIGN_IN_LIMIT_REACHED: type({
    about: 'TABLET',
    severity: 'WARNING',
    icon: 'camera',
    params: { tablet: z.string() },
    sentence: ({ words, gate }, { tablet }) => words.t('alert.guessed', { gate, tablet }),
  }),
  DEPARTURE_LATE: type({
    about: 'DEPARTURE',
    severity: 'WARNING',
    icon: 'clock',
    atGate: 'LATENESS',
    params: { plannedDate: date },
    sentence: ({ words, time, load }, { plannedDate }) =>
      words.t('alert.late', { shipment: load, planned: time(plannedDate) }),
  }),
  DEPARTURE_AT_RISK: type({
    about: 'DEPARTURE',
    severity: 'WARNING',
    icon: 'clock',
    params: { plannedDate: date, readyDate: date },
    sentence: ({ words, time, load }, { plannedDate, readyDate }) =>
      words.t('alert.atRisk', { shipment: load, planned: time(plannedDate), ready: time(readyDate) }),
  }),
  COMPLETED_SHORT: type({
    about: 'LOAD',
    severity: 'WARNING',
    icon: 'warn',
    atGate: 'HIDDEN',
    params: { missing: count, total: count },
    sentence: ({ words, load }, params) => words.t('alert.short', { load, ...params }),
  }),
  PALLETS_ABOARD: type({
    about: 'LOAD',
    severity: 'CRITICAL',
    icon: 'warn',
    params: { count, wmsIds: z.array(z.string()).max(NAMED_MAXIMUM) },
    sentence({ words: { t, list }, load }, { count, wmsIds }) {
      const more = count - wmsIds.length;
      const pallets = list([...wmsIds, ...(more > 0 ? [t('alert.moreNamed', { count: more })] : [])]);
      return t('alert.aboard', { load, count, pallets, named: wmsIds.length > 0 ? 'yes' : 'no' });
    },
  }),
};

export type AlertType = keyof typeof ALERTS;
/** The declaration of a type, except its facts and its sentence. */
export type AlertKind = Omit<Declared<z.ZodRawShape>, 'params' | 'sentence'>;
/** The declaration of the type of an alert. */
export const kindOf = ({ alertType }: { alertType: AlertType }): AlertKind => ALERTS[alertType];
/** The facts of each type of alerts that no other column has. */
export type AlertParams = { [T in AlertType]: z.output<(typeof ALERTS)[T]['params']> };

/** Whether an alert from a file may have this type and these facts. */
export const isAlert = (type: unknown, params: unknown): type is AlertType =>
  Object.hasOwn(ALERTS, String(type)) && ALERTS[type as AlertType].params.safeParse(params).success;

/** The message of an alert in a language. */
export function alertMessage(words: Words, alert: AlertFacts, time: Sentence['time']): string {
  const { gate, shipmentExternalId, manifestExternalId, alertType, params } = alert;
  const load = shipmentExternalId ?? manifestExternalId ?? '?';
  const { sentence }: { sentence: (sentence: Sentence, params: never) => string } = ALERTS[alertType];
  return sentence({ words, time, alert, gate: gate?.name ?? '?', load }, params as never);
}

/** The message of an alert in English. Programs get its dates in UTC. */
export const englishMessage = (alert: AlertFacts, time: Sentence['time'] = isoDate): string =>
  alertMessage(wordsIn('en'), alert, time);

/** The types of alerts that cover pallets. */
export type AlertOfPallets = Extract<AlertType, 'PALLETS_ABOARD' | 'SCAN_WITHOUT_ACTIVE_MANIFEST'>;

/** A pallet or an unknown marker. */
interface PalletOrMarker {
  /** Null for an unknown marker. */
  wmsId: string | null;
  /** Null for a pallet without a marker. */
  markerCode: number | null;
}

/** Whether a row of an alert is about a pallet or marker: it has the same code or the same WMS id. */
export const isSame = (row: PalletOrMarker, read: PalletOrMarker): boolean =>
  (row.markerCode !== null && row.markerCode === read.markerCode) ||
  (row.wmsId !== null && row.wmsId === read.wmsId);

/** A reading of a pallet. A mark by hand counts as a reading with the same outcome. */
interface Reading {
  direction: 'LOAD' | 'UNLOAD' | 'OFFLOAD';
  outcome: string;
}

const ON_A_LOAD = ['LOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING'];

/**
 * Whether a reading accounts for a pallet that an alert covers. A pallet that was read at a gate without work must
 * become LOADED. A pallet that may still be aboard must be read again: anywhere by an UNLOAD or OFFLOAD, or on a load by
 * a LOAD. A late reading accounts for nothing.
 */
export const accountsFor = (alertType: AlertOfPallets, { direction, outcome }: Reading): boolean => {
  if (alertType === 'SCAN_WITHOUT_ACTIVE_MANIFEST') return outcome === 'LOADED';
  return direction === 'LOAD' ? ON_A_LOAD.includes(outcome) : outcome !== 'SUPERSEDED';
};

/** The pallets of a PALLETS_ABOARD alert that were not read again yet: their number, and the first WMS ids. */
export interface StillAboard {
  count: number;
  wmsIds: string[];
}
