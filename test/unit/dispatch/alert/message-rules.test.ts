import { expect, it } from 'vitest';
import {
  ALERTS,
  type AlertFacts,
  type AlertType,
  alertMessage,
  englishMessage,
} from '../../../../src/dispatch/alert/rules.ts';
import { LANGUAGES } from '../../../../src/messages/languages.ts';
import { wordsIn } from '../../../messages.ts';

const [PLANNED, READY] = ['2026-11-26T14:30:00.000Z', '2026-11-26T15:00:00.000Z'];
const plannedDate = Date.parse(PLANNED);
/** A name that looks like a part of a message. */
const NAME = `S" has not left. Its planned departure was at ${READY}.`;
const facts = (alertType: AlertType, params: object, more: Partial<AlertFacts> = {}): AlertFacts => ({
  alertType,
  params: ALERTS[alertType].params.parse(params) as AlertFacts['params'],
  gate: { name: 'Tor 1' },
  trackIdentifier: 'P-1',
  markerCode: 7,
  manifestExternalId: null,
  shipmentExternalId: NAME,
  count: 1,
  ...more,
});
const unknown = { trackIdentifier: null };

/** Alerts, their messages in the API, and words that the German one must have. */
const ROWS: [AlertFacts, string, string][] = [
  [facts('WRONGLY_LOADED', {}), 'Tor 1: Pallet P-1 was scanned but belongs to no load there.', 'Palette P-1'],
  [
    facts('WRONGLY_LOADED', { elsewhere: { load: 'X', gate: 'H' } }),
    'Tor 1: Pallet P-1 was scanned, but is loaded on X (H). Check which truck it is on.',
    'auf X (H)',
  ],
  [
    facts('WRONGLY_LOADED', { isLeftBehind: true }),
    'Tor 1: Pallet P-1 is on the truck, but no order of the load has it any more. Take it off.',
    'keinem Auftrag',
  ],
  [
    facts('UNKNOWN_LOADING', {}),
    'Tor 1: Unknown pallet P-1 was scanned but belongs to no load there.',
    'Unbekannte Palette P-1',
  ],
  [
    facts('UNKNOWN_LOADING', {}, unknown),
    'Tor 1: Unknown marker 7 was scanned but belongs to no load there.',
    'Unbekannter Marker 7',
  ],
  [
    facts('SCAN_WITHOUT_ACTIVE_MANIFEST', { isUnknown: false }),
    'Tor 1: Pallet P-1 was scanned, but nothing is being loaded there.',
    'Palette P-1',
  ],
  [
    facts('SCAN_WITHOUT_ACTIVE_MANIFEST', { isUnknown: true }, { count: 3 }),
    'Tor 1: 3 pallets were scanned, but nothing is being loaded there.',
    '3 Paletten',
  ],
  [
    facts('DEVICE_OFFLINE', { deviceType: 'LOCAL_MANAGER', device: READY, heardDate: plannedDate }),
    `Local manager ${READY} has not reported since ${PLANNED}.`,
    `Lokaler Manager ${READY}: zuletzt gehört am 26.11.2026, 15:30.`,
  ],
  [
    facts('WEBHOOK_DISABLED', { webhook: 'ERP', reason: 'GONE' }),
    'Webhook ERP was disabled. The receiver is gone. Its events wait.',
    'Den Empfänger gibt es nicht mehr',
  ],
  [
    facts('SIGN_IN_LIMIT_REACHED', { tablet: 'T9' }),
    'Tor 1: too many unknown badges or PINs were tried at tablet T9.',
    'Am Tablet T9',
  ],
  [
    facts('DEPARTURE_LATE', { plannedDate }),
    `${NAME} has not left. Its planned departure was at ${PLANNED}.`,
    `${NAME} ist noch nicht abgefahren. Geplante Abfahrt: 26.11.2026, 15:30.`,
  ],
  [
    facts('DEPARTURE_AT_RISK', { plannedDate, readyDate: Date.parse(READY) }),
    `${NAME} may leave late. Planned departure: ${PLANNED}. At the current pace, the last pallet will be loaded at ${READY}.`,
    'voraussichtlich geladen: 26.11.2026, 16:00.',
  ],
  [
    facts(
      'COMPLETED_SHORT',
      { missing: 3, total: 40 },
      { shipmentExternalId: null, manifestExternalId: 'M' },
    ),
    'M was completed without 3 of 40 pallets.',
    'M wurde ohne 3 von 40 Paletten abgeschlossen.',
  ],
  [
    facts('PALLETS_ABOARD', { count: 3, wmsIds: ['A', 'B'] }, { shipmentExternalId: 'T' }),
    'T is no longer being loaded, but 3 pallets are still aboard. Take them off: A, B and 1 more.',
    'A, B und 1 weitere',
  ],
];

it.each(ROWS)(
  'an alert has the same facts in its message in English and in German: %j',
  (alert, message, german) => {
    expect(englishMessage(alert)).toBe(message);
    expect(alertMessage(wordsIn('de'), alert, (at) => wordsIn('de').time('Europe/Berlin', at))).toContain(
      german,
    );
  },
);

it('each type of alerts has a message in every language', () => {
  expect(new Set(ROWS.map(([{ alertType }]) => alertType))).toEqual(new Set(Object.keys(ALERTS)));
  for (const language of LANGUAGES)
    for (const [alert] of ROWS) expect(alertMessage(wordsIn(language), alert, String)).not.toContain('?');
});
