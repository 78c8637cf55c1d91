import { expect, it } from 'vitest';
import { JOINER, messageOf, slackBody, teamsBody } from '../../../../src/delivery/event-format/chat.ts';
import { lineOf } from '../../../../src/delivery/event-format/formats.ts';

/** The name of a shipment that looks like a date. */
const NAME = '2026-07-01T10:00:00.000Z';

const late = (planned: string) => ({
  eventType: 'ALERT_RAISED' as const,
  data: JSON.stringify({
    alertType: 'DEPARTURE_LATE',
    params: { plannedDate: Date.parse(planned) },
    gate: null,
    shipmentExternalId: NAME,
    ...{ createDate: 0, updateDate: 0, resolvedDate: null },
  }),
});

it.each([
  ['Europe/Berlin', 'before clocks go back', '2026-10-25T00:30:00Z', '25 Oct 2026, 02:30 UTC+02:00'],
  ['Europe/Berlin', 'after clocks went back', '2026-10-25T01:30:00Z', '25 Oct 2026, 02:30 UTC+01:00'],
  ['America/New_York', 'before clocks go forward', '2026-03-08T06:59:00Z', '8 Mar 2026, 01:59 UTC-05:00'],
  ['America/New_York', 'after clocks went forward', '2026-03-08T07:00:00Z', '8 Mar 2026, 03:00 UTC-04:00'],
  ['Pacific/Auckland', 'on another day than UTC', '2026-11-26T14:30:00Z', '27 Nov 2026, 03:30 UTC+13:00'],
  ['Asia/Kathmandu', 'with an offset of minutes', '2026-11-26T14:30:00Z', '26 Nov 2026, 20:15 UTC+05:45'],
  ['UTC', 'without an offset', '2026-11-26T14:30:00Z', '26 Nov 2026, 14:30 UTC'],
])(
  'a chat shows a departure in the zone %s %s, and names with dates unchanged',
  (zone, _, planned, shown) => {
    const message = messageOf(lineOf({ links: 'https://dispatch.example.com', zone }, late(planned))!);
    for (const body of [slackBody(message), teamsBody(message)]) {
      const text = body.replaceAll(JOINER, '').replaceAll('\\', '');
      expect(text).toContain(`${NAME} has not left. Its planned departure was at ${shown}.`);
    }
  },
);
