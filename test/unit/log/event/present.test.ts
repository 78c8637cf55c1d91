import { expect, it } from 'vitest';
import type { Json } from '../../../../src/core/lib/json.ts';
import { eventPresenter, type Presenters, type StoredEvent } from '../../../../src/log/event/present.ts';

it('an event about a thing that this version does not know is shown without its data', () => {
  const present = eventPresenter({
    TRACK: (_, stored) => ({ shown: stored }),
  } as Partial<Presenters> as Presenters);
  const stored = (entityType: string): StoredEvent => ({
    uuid: 'u',
    eventType: 'PHOTO_ADDED',
    eventDate: 0,
    sequenceNumber: 1,
    operationUuid: null,
    entityType: entityType as StoredEvent['entityType'],
    entityUuid: 'e',
    entityExternalId: null,
    data: '{"a":1}' as Json<never>,
    error: null,
    traceparent: null,
  });
  expect(present('https://x.example', 'o', stored('TRACK')).data).toEqual({ shown: { a: 1 } });
  expect(present('https://x.example', 'o', stored('LATER')).data).toBeNull();
});
