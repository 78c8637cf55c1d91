import type { Database } from '../../core/lib/database.ts';
import type { StoredEvent } from '../../log/event/present.ts';
import type { DeliveredType } from './schema.ts';
import type { WebhookFormat } from './table.ts';

/** A requested test, or a confirmation e-mail. */
export interface Tested {
  eventIdentifier: string;
  eventType: DeliveredType;
  /** Epoch milliseconds. */
  eventDate: number;
  organizationUuid: string;
  webhook: {
    uuid: string;
    name: string;
    linkOrigin: string;
    /** The name of the organization. */
    sender: string;
  };
}

/** The parts of a webhook that bodies depend on. */
export interface Receiver {
  uuid: string;
  /** The origin of links. */
  linkOrigin: string;
}

/** Makes the bodies of deliveries in a format. */
export interface Format {
  /** The bodies of events, by their numbers. They lack events without a counterpart in the format. */
  bodies(
    database: Database,
    receiver: Receiver,
    events: readonly StoredEvent[],
  ): Promise<Map<number, string>>;
  /** The body of a test. */
  test(tested: Tested): string;
}

export type Formats = Readonly<Record<WebhookFormat, Format>>;

/** The test for a delivery without a number. */
export const testOf = (
  organizationUuid: string,
  { uuid, name, linkOrigin, sender }: Tested['webhook'],
  { eventUuid, eventType, createDate }: { eventUuid: string; eventType: DeliveredType; createDate: number },
): Tested => ({
  eventIdentifier: eventUuid,
  eventType,
  eventDate: createDate,
  organizationUuid,
  webhook: { uuid, name, linkOrigin, sender },
});
