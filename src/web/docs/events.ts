import type { EVENT_ENTITY_TYPES, EVENT_TYPES } from '../../log/event/table.ts';

type EventType = (typeof EVENT_TYPES)[number];
type EntityType = (typeof EVENT_ENTITY_TYPES)[number];

/** The documentation of an event type. */
export interface EventDoc {
  summary: string;
  description: string;
  /** Where an event is about one of two kinds of things, both. */
  entityType: EntityType | readonly EntityType[];
  /** The schema of `data`, or one for each kind of thing; null for an event without `data`. */
  data: string | readonly string[] | null;
  failed?: true;
}

/** The documentation of each event type: when it is sent, and the schema of its `data`. */
export const EVENT_DOCS: Record<EventType, EventDoc> = {
  COUPLING_SUCCEEDED: {
    summary: 'A background coupling succeeded',
    description:
      'Sent for `couple` and `get-and-couple` with `async=true`. Their 202 response has the same ' +
      '`operationId`.',
    entityType: 'TRACK',
    data: 'Track',
  },
  COUPLING_FAILED: {
    summary: 'A background coupling failed',
    description:
      'Something else was coupled to the pallet or the marker first; `error` says which. A marker ' +
      'code that was allocated for the coupling stays allocated.',
    entityType: 'TRACK',
    data: null,
    failed: true,
  },
  OPERATION_COMPLETED: {
    summary: 'A background operation ended',
    description:
      'Sent when the operation ends, whether it succeeded or failed. `results` is null if there are more than 500.',
    entityType: 'OPERATION',
    data: 'OperationEnded',
  },
  MANIFEST_STATUS_CHANGED: {
    summary: 'The status of a manifest changed',
    description:
      'The status in the example is COMPLETED: the truck has left. The manifest changed by itself or with its shipment. Also sent when it is created.',
    entityType: 'MANIFEST',
    data: 'Manifest',
  },
  MANIFEST_UPDATED: {
    summary: 'A manifest changed',
    description: 'Its assets, gate, custom fields or shipment changed. Also sent when it is deleted.',
    entityType: 'MANIFEST',
    data: 'Manifest',
  },
  SHIPMENT_STATUS_CHANGED: {
    summary: 'The status of a shipment changed',
    description:
      'The status in the example is COMPLETED: the truck has left. Also sent when it is created (TO_DO) or deleted.',
    entityType: 'SHIPMENT',
    data: 'Shipment',
  },
  SHIPMENT_ARRIVED: {
    summary: 'The truck of a shipment arrived',
    description:
      'It arrived at the warehouse to be loaded. Also sent when the arrival changes. `arrivalDate` and `driverName` are in `data`; the vehicle is a custom field.',
    entityType: 'SHIPMENT',
    data: 'Shipment',
  },
  ASSET_LOADING_STATUS_CHANGED: {
    summary: 'A pallet was loaded, unloaded or taken off',
    description: 'By a scan or by hand. There is one event for each loading record.',
    entityType: 'ASSET_LOADING',
    data: 'AssetLoading',
  },
  UNAUTHORIZED_LOADING_ADDED: {
    summary: 'A pallet that does not belong there was loaded',
    description: 'Its record is WRONGLY_LOADED, or UNKNOWN_LOADING if the marker is unknown.',
    entityType: 'ASSET_LOADING',
    data: 'AssetLoading',
  },
  UNAUTHORIZED_LOADING_RESOLVED: {
    summary: 'The record of a pallet that does not belong there was removed',
    description:
      'By a scan with UNLOAD or OFFLOAD, or by hand. Its alert is resolved. `data` is the record before its removal.',
    entityType: 'ASSET_LOADING',
    data: 'AssetLoading',
  },
  GATE_STATUS_CHANGED: {
    summary: 'The status of a gate changed',
    description:
      'The gate is LOADING from the first manifest that is in progress there until the last one is closed.',
    entityType: 'GATE',
    data: 'Gate',
  },
  SIGNATURE_ADDED: {
    summary: 'A shipment or manifest was signed',
    description: 'Its `signatures` have the latest signature of each role.',
    entityType: ['SHIPMENT', 'MANIFEST'],
    data: ['Shipment', 'Manifest'],
  },
  ALERT_RAISED: {
    summary: 'An alert was raised',
    description:
      'A person has to look at it. Readings at a gate without work send one event. Later readings only increase the `count` of the alert.',
    entityType: 'ALERT',
    data: 'AlertEvent',
  },
  PHOTO_ADDED: {
    summary: 'A photo was added',
    description:
      'Of a pallet, a manifest or a shipment. The bytes are at the `link` in `data`, which needs no key.',
    entityType: 'PHOTO',
    data: 'Photo',
  },
  STORE_REWOUND: {
    summary: 'The store was restored to an earlier state',
    description:
      'Writes after that state are lost, and numbering continues after the lost numbers. In `data`, ' +
      '`lastSequenceNumber` is the last number that the audit log still has. The ' +
      '`lostSequenceNumber` is the last number of the log before the restore, or a higher number to ' +
      'be safe. The `nextMarkerCode` is the next marker code to allocate.',
    entityType: 'ORGANIZATION',
    data: 'StoreRewind',
  },
};

/** The documentation of a test event. */
export const TEST: Omit<EventDoc, 'entityType'> = {
  summary: 'A test of a webhook',
  description:
    'Requested with `POST /integration/rest/api/v1/webhook/{uuid}/test`. It is signed like every delivery, but nothing ' +
    'happened. If the request named an `eventType`, the test has an example of the `data` of this ' +
    'type. Its `sequenceNumber` is null, because there is no event.',
  data: null,
};

/** The documentation of a delivery to a webhook with the format EPCIS_2_0. */
export const EPCIS: Omit<EventDoc, 'entityType'> = {
  summary: 'Events of pallets as EPCIS',
  description:
    'Sent to webhooks with the format EPCIS_2_0 instead of events. It has the content of `GET ' +
    '/integration/rest/api/v1/epcis/events` for one event of the log, with the same `eventID`s. A test has no events.',
  data: null,
};

/** Convert an event type to Pascal case: `MANIFEST_UPDATED` to `ManifestUpdated`. */
export const sentenceOf = (eventType: string): string =>
  eventType.replace(/_?([A-Z])([A-Z]*)/g, (_, first, rest) => first + rest.toLowerCase());
