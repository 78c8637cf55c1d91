import { describe, expect, it } from 'vitest';
import { messageIn } from '../../../../src/web/console/resources/alert/alerts.tsx';
import { wordsIn } from '../../../messages.ts';

const ZONE = 'Europe/Berlin';
const [PLANNED, READY] = ['2026-11-26T14:30:00.000Z', '2026-11-26T15:00:00.000Z'];
const german = (alertType: string, message: string) =>
  messageIn(wordsIn('de'), ZONE, {
    ...{ alertType, message, gate: null, trackIdentifier: null, markerCode: null, count: 1 },
    stillAboard: null,
  });

describe('the text of an alert with facts', () => {
  it.each([
    [
      'DEPARTURE_LATE',
      `Shipment "S" has not left. Its planned departure was at ${PLANNED}.`,
      'S ist noch nicht abgefahren. Geplante Abfahrt: 26.11.2026, 15:30.',
    ],
    [
      'DEPARTURE_AT_RISK',
      `Shipment "S" is planned to leave at ${PLANNED}. At the pace so far, its last pallet is loaded at ${READY}.`,
      'S fährt vielleicht zu spät ab. Geplante Abfahrt: 26.11.2026, 15:30. Beim bisherigen Tempo ist die letzte Palette voraussichtlich geladen: 26.11.2026, 16:00.',
    ],
    [
      'COMPLETED_SHORT',
      'Manifest "M 7 of 9 \\"x\\"" was completed without 3 of 40 pallets.',
      'M 7 of 9 "x" wurde ohne 3 von 40 Paletten abgeschlossen.',
    ],
    [
      'DEVICE_OFFLINE',
      `Scanner ${READY} has sent no heartbeat since ${PLANNED}.`,
      `${READY}: zuletzt gehört am 26.11.2026, 15:30.`,
    ],
    ['DEPARTURE_LATE', 'Another text.', 'Another text.'],
  ])('the text is in the language of the page, with times of the site: %s', (alertType, message, text) => {
    expect(german(alertType, message)).toBe(text);
  });

  it('a date in the name of a shipment is not its departure', () => {
    const message = `Shipment "${READY}" has not left. Its planned departure was at ${PLANNED}.`;
    expect(german('DEPARTURE_LATE', message)).toBe(
      `${READY} ist noch nicht abgefahren. Geplante Abfahrt: 26.11.2026, 15:30.`,
    );
  });
});
