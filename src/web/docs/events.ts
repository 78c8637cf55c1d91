import type { EVENT_ENTITY_TYPES, EVENT_TYPES } from '../../log/event/table.ts';

type EventType = (typeof EVENT_TYPES)[number];
type EntityType = (typeof EVENT_ENTITY_TYPES)[number];

/** The documentation of an event type. */
export interface EventDoc {
  summary: string;
  description: string;
  entityType: EntityType;
  /** The schema of `data`; null for an event without `data`. */
  data: string | null;
  failed?: true;
}

/** The documentation of each event type: when it is sent, and the schema of its `data`. */
export const EVENTS: Record<EventType, EventDoc> = {
  COUPLING_SUCCEEDED: {
    summary: 'A coupling in the background succeeded',
    description:
      'Of `couple` and `get-and-couple` with `async=true`; `operationId` is that of their answer 202.',
    entityType: 'TRACK',
    data: 'Track',
  },
  COUPLING_FAILED: {
    summary: 'A coupling in the background failed',
    description:
      'Meanwhile something else was coupled to the pallet or the marker: `error` says which. A code that was allocated ' +
      'for it stays allocated.',
    entityType: 'TRACK',
    data: null,
    failed: true,
  },
  OPERATION_COMPLETED: {
    summary: 'An operation in the background has ended',
    description: 'Whatever came of it; `results` is null where there are more than 500 of them.',
    entityType: 'OPERATION',
    data: 'OperationEnded',
  },
  MANIFEST_STATUS_CHANGED: {
    summary: 'A manifest has another status',
    description: 'By itself or with its shipment; also when it was created.',
    entityType: 'MANIFEST',
    data: 'Manifest',
  },
  MANIFEST_UPDATED: {
    summary: 'A manifest was changed',
    description: 'Its assets, gate, custom fields or shipment; also when it was deleted.',
    entityType: 'MANIFEST',
    data: 'Manifest',
  },
  SHIPMENT_STATUS_CHANGED: {
    summary: 'A shipment has another status',
    description: 'Also when it was created (TO_DO) or deleted.',
    entityType: 'SHIPMENT',
    data: 'Shipment',
  },
  ASSET_LOADING_STATUS_CHANGED: {
    summary: 'A pallet was loaded, unloaded or taken off',
    description: 'By a scan or by hand; one event for each loading record.',
    entityType: 'ASSET_LOADING',
    data: 'AssetLoading',
  },
  UNAUTHORIZED_LOADING_ADDED: {
    summary: 'A pallet was loaded that does not belong there',
    description: 'Its record is WRONGLY_LOADED, or UNKNOWN_LOADING where nobody knows the marker.',
    entityType: 'ASSET_LOADING',
    data: 'AssetLoading',
  },
  UNAUTHORIZED_LOADING_RESOLVED: {
    summary: 'The record of such a pallet was removed',
    description: '`data` is the record as it was before.',
    entityType: 'ASSET_LOADING',
    data: 'AssetLoading',
  },
  GATE_STATUS_CHANGED: {
    summary: 'A gate has another status',
    description: 'LOADING from the first manifest that is in progress there until the last one is closed.',
    entityType: 'GATE',
    data: 'Gate',
  },
  ALERT_RAISED: {
    summary: 'An alert was raised',
    description: 'Somebody has to look at something.',
    entityType: 'ALERT',
    data: 'AlertEvent',
  },
  STORE_REWOUND: {
    summary: 'The store was put back to an earlier state',
    description:
      'What was written after that state is lost, and numbers go on behind it: `data` has the last number of the audit ' +
      'log that there is (`lastSequenceNumber`), the last that there was (`lostSequenceNumber`, or a later one) and the ' +
      'code that is handed out next (`nextMarkerCode`).',
    entityType: 'ORGANIZATION',
    data: 'StoreRewind',
  },
};

/** The documentation of a test event. */
export const TEST: Omit<EventDoc, 'entityType'> = {
  summary: 'A test',
  description:
    'Asked for by `POST …/webhook/{uuid}/test`: signed like every delivery; nothing happened. Of another type that was ' +
    'asked for it has an example of the `data`; its `sequenceNumber` is null, as of no event.',
  data: null,
};

/** The documentation of a delivery to a webhook with the format EPCIS_2_0. */
export const EPCIS: Omit<EventDoc, 'entityType'> = {
  summary: 'What happened to pallets, as EPCIS',
  description:
    'To webhooks of the format EPCIS_2_0, in the place of events: what `GET …/epcis/events` tells of one event of the log, ' +
    'by the same `eventID`s. A test has no events.',
  data: null,
};

/** Convert an event type to Pascal case: `MANIFEST_UPDATED` to `ManifestUpdated`. */
export const sentenceOf = (eventType: string): string =>
  eventType.replace(/_?([A-Z])([A-Z]*)/g, (_, first, rest) => first + rest.toLowerCase());
