import type { Database } from '../../core/lib/database.ts';
import type { StoredEvent } from '../../log/event/present.ts';
import type { TestedType } from './schema.ts';
import type { WebhookFormat } from './table.ts';

/** A requested test. */
export interface Tested {
  eventIdentifier: string;
  eventType: TestedType;
  /** Epoch milliseconds. */
  eventDate: number;
  organizationUuid: string;
  webhook: { uuid: string; name: string };
}

/** Makes the bodies of deliveries in a format. */
export interface Format {
  /** The bodies of events, by their numbers. They lack events without a counterpart in the format. */
  bodies(database: Database, links: string, events: readonly StoredEvent[]): Promise<Map<number, string>>;
  /** The body of a test. */
  test(tested: Tested): string;
}

export type Formats = Readonly<Record<WebhookFormat, Format>>;

/** The test for a delivery without a number. */
export const testOf = (
  organizationUuid: string,
  { uuid, name }: Tested['webhook'],
  { eventUuid, eventType, createDate }: { eventUuid: string; eventType: TestedType; createDate: number },
): Tested => ({
  eventIdentifier: eventUuid,
  eventType,
  eventDate: createDate,
  organizationUuid,
  webhook: { uuid, name },
});
