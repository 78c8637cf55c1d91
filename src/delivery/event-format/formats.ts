import { isoDate } from '../../core/lib/time.ts';
import { epcisDocument, epcisOf } from '../epcis/document.ts';
import type { Formats, Tested } from '../webhook/format.ts';
import { CONFIRMATION_EVENT_TYPE, TEST_EVENT_TYPE } from '../webhook/schema.ts';
import { chatFormat } from './chat-format.ts';
import { confirmationBody, mailBody } from './mail.ts';
import { PAYLOADS } from './payloads.ts';
import { presentEvent } from './presenters.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';

/** The data of a test: none, or the recorded example of its type. */
function about({ eventType, webhook: { uuid, name } }: Tested): object {
  if (eventType !== TEST_EVENT_TYPE) return PAYLOADS[eventType]!;
  return { entityType: 'WEBHOOK', entityUuid: uuid, entityExternalId: name, data: null, error: null };
}

const mailFormat = chatFormat(mailBody);

/** Makers of delivery bodies by format. */
export const formats: Formats = {
  EVENT: {
    async bodies({ organization }, { linkOrigin }, events) {
      return new Map(
        events.map((event) => [
          event.sequenceNumber,
          JSON.stringify(presentEvent(linkOrigin, organization, event)),
        ]),
      );
    },
    test: (tested) =>
      JSON.stringify({
        ...about(tested),
        eventIdentifier: tested.eventIdentifier,
        eventType: tested.eventType,
        eventDate: isoDate(tested.eventDate),
        sequenceNumber: null,
        organizationUuid: tested.organizationUuid,
        operationId: null,
      }),
  },
  EPCIS_2_0: {
    async bodies(database, { linkOrigin }, events) {
      const documents = await epcisOf(database, linkOrigin, events);
      return new Map(
        events.flatMap(({ sequenceNumber, eventDate }): [number, string][] => {
          const shown = documents.get(sequenceNumber)!;
          return shown.length === 0 ? [] : [[sequenceNumber, epcisDocument(shown, eventDate)]];
        }),
      );
    },
    // An example would be taken for something that happened, as EPCIS cannot mark it as a test.
    test: ({ eventDate }) => epcisDocument([], eventDate),
  },
  SLACK: chatFormat(slackBody),
  TEAMS: chatFormat(teamsBody),
  EMAIL: {
    ...mailFormat,
    test: (tested) =>
      tested.eventType === CONFIRMATION_EVENT_TYPE
        ? confirmationBody(tested.webhook.sender)
        : mailFormat.test(tested),
  },
};
