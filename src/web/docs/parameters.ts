const EITHER = 'External identifier, or else UUID';

const DATE = 'epoch milliseconds or ISO 8601; without an offset, in the time zone of the organization';

/** Descriptions of both ends of a date range; `note` is added to both. */
const range = (name: string, note = ''): Record<string, string> => ({
  [`${name}After`]: `From this time on: ${DATE}${note}`,
  [`${name}Before`]: `Before this time: ${DATE}${note}`,
});
const WITHOUT = '. Leaves out items without the date';

/** Default descriptions of filters. A filter means the same in every list that has it. */
const IN_QUERY: Record<string, string> = {
  pageSize: 'Limits each page of the list to this number of items',
  'sort.sortBy': 'Field to sort by; ties are broken by UUID',
  'sort.direction': 'ASC if only `sort.sortBy` is given',
  status: 'Only items with any of these statuses',
  ...range('createDate'),
  ...range('updateDate'),
  ...range('raisedDate'),
  ...range('eventDate'),
  ...range('activateDate', WITHOUT),
  ...range('closeDate', WITHOUT),
  scannerType: 'Only items of any of these types',
  agentType: 'Only items of any of these types',
  kind: 'Only items of any of these kinds',
  alertType: 'Only items of any of these types',
  severity: 'Only items of any of these severities',
  eventType: 'Only items of any of these types',
  trackStatus: 'Only items with any of these statuses',
  entityType: 'Only items of any of these entity types',
  entityUuid: 'Only records about the entity with this UUID',
  action: 'Only records of any of these actions, such as `SHIPMENT_STATUS_CHANGED`',
  actorType: 'Only records of actors of any of these types',
  requestId: 'Only records of this request',
  active: 'true: only active items; false: only items that are not active',
  GE_eventTime: `Events that happened from this time on: ${DATE}`,
  LT_eventTime: `Events that happened before this time: ${DATE}`,
  GE_recordTime: `Events that were committed from this time on: ${DATE}`,
  LT_recordTime: `Events that were committed before this time: ${DATE}`,
  EQ_bizStep:
    'Any of these steps of the Core Business Vocabulary, as bare words or as URIs. Events have ' +
    '`loading`, `unloading`, `inspecting` or `shipping`. Another spelling, such as `Loading`, is 400',
  MATCH_epc:
    'Events about any of these pallets, also as children: `https://id.gs1.org/00/{sscc}`, ' +
    '`urn:epc:id:sscc:…`, or the URI in an event. A text that is no URI is 400. Pallets with a deleted or ' +
    'replaced track are included',
  perPage: 'Maximum number of events',
  nextPageToken: 'Opaque, from the `Link: <…>; rel="next"` header',
  limit: 'Maximum number of events',
  manifestStatus: 'Only items with any of these statuses',
  manifestExternalId: 'Only items of any of these manifests, by external identifier',
  shipmentExternalId: 'Only items of any of these shipments, by external identifier',
  trackIdentifier: 'Only items of any of these WMS ids',
  force: 'Retire at once, even if the track is on an open manifest',
  paper: 'Paper size',
};

/** Default descriptions of path parameters. */
const IN_PATH: Record<string, string> = {
  manifestExternalId: EITHER,
  shipmentExternalId: EITHER,
  gateExternalId: EITHER,
  externalIdentifier: 'External identifier, compared exactly',
  trackIdentifier: 'WMS id of the pallet',
  trackId: 'UUID, or else WMS id: the live track, or else the retired track that was coupled last',
  deliveryUuid: 'UUID of the delivery',
  recordUuid: 'UUID of the loading record',
  markerValue: 'Decimal marker code',
  manifestStatus: 'New status of the manifest',
  shipmentStatus: 'New status: IN_PROGRESS, COMPLETED or CANCELLED',
  fieldKey: 'Key of the custom field',
  code: 'Canonical decimal, 1 to 2^53−1',
  organizationUuid: 'UUID of the organization',
  uuid: 'UUID of the resource',
  scannerUuid: 'UUID of the scanner',
  batchUuid: 'UUID of the printing batch',
  token: 'Token in the link of the manifest or shipment',
  operationId: '`operationId` of the 202 response',
  authorityName: 'Name of the authority, compared exactly',
  hardwareId: 'Hardware identifier of the camera: 1..128 characters of `[A-Za-z0-9._:-]`',
  type: 'Type of the calibration',
  status: 'New status',
};

/** The description of a parameter by its location and name. */
export const PARAMETERS: Record<string, Record<string, string>> = { query: IN_QUERY, path: IN_PATH };
