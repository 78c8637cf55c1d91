const EITHER = 'External identifier, else uuid';

/** Descriptions of both ends of a date range; `note` is added to both. */
const range = (name: string, note = ''): Record<string, string> => ({
  [`${name}After`]: `From this instant on: epoch milliseconds or ISO 8601${note}`,
  [`${name}Before`]: `Before this instant: epoch milliseconds or ISO 8601${note}`,
});
const WITHOUT = '. Leaves out those without the date';

/** Default descriptions of filters. A filter means the same in every list that has it. */
const IN_QUERY: Record<string, string> = {
  pageSize: 'Items of a page',
  'sort.sortBy': 'What to sort by; ties are broken by uuid',
  'sort.direction': 'ASC where only `sort.sortBy` is given',
  status: 'Only those with any of these statuses',
  ...range('createDate'),
  ...range('updateDate'),
  ...range('raisedDate'),
  ...range('eventDate'),
  ...range('activateDate', WITHOUT),
  ...range('closeDate', WITHOUT),
  scannerType: 'Only those of any of these types',
  agentType: 'Only those of any of these types',
  alertType: 'Only those of any of these types',
  severity: 'Only those of any of these severities',
  eventType: 'Only those of any of these types',
  trackStatus: 'Only those with any of these statuses',
  entityType: 'Only records about these kinds of things',
  entityUuid: 'Only records about this one',
  action: 'Only any of these actions, such as `SHIPMENT_COMPLETED`',
  actorType: 'Only what any of these kinds of callers did',
  requestId: 'Only what this request did',
  active: 'Only those that are active, or only those that are not',
  GE_eventTime: 'What happened from this instant on: epoch milliseconds or ISO 8601',
  LT_eventTime: 'What happened before this instant: epoch milliseconds or ISO 8601',
  GE_recordTime: 'What was committed from this instant on: epoch milliseconds or ISO 8601',
  LT_recordTime: 'What was committed before this instant: epoch milliseconds or ISO 8601',
  EQ_bizStep:
    'Any of these steps: `loading`, `unloading`, `inspecting`, `shipping`, bare or as URIs of the vocabulary',
  MATCH_epc:
    'Events about any of these pallets, also as children: `https://id.gs1.org/00/{sscc}`, `urn:epc:id:sscc:…`, or as events name them. Not of tracks that are deleted',
  perPage: 'How many events at most',
  nextPageToken: 'Opaque, from the `Link: <…>; rel="next"` header',
  limit: 'How many events at most',
  manifestStatus: 'Only those with any of these statuses',
  manifestExternalId: 'Only those of any of these manifests, by external identifier',
  shipmentExternalId: 'Only those of any of these shipments, by external identifier',
  trackIdentifier: 'Only those of any of these WMS ids',
  force: 'Retire at once, also while it is on an open manifest',
  paper: 'Size of the sheet',
};

/** Default descriptions of path parameters. */
const IN_PATH: Record<string, string> = {
  manifestExternalId: EITHER,
  shipmentExternalId: EITHER,
  gateExternalId: EITHER,
  externalIdentifier: 'External identifier, compared exactly',
  trackIdentifier: 'WMS id of the pallet',
  trackId: 'Uuid, else WMS id: the live track, else the one coupled last that is not deleted',
  deliveryUuid: 'Uuid of the delivery',
  recordUuid: 'Uuid of the loading record',
  markerValue: 'The decimal marker code',
  manifestStatus: 'A manifest status',
  shipmentStatus: 'The status to move to: IN_PROGRESS, COMPLETED or CANCELLED',
  fieldKey: 'Key of the custom field',
  code: 'Canonical decimal, 1 to 2^53−1',
  organizationUuid: 'Uuid of the organization',
  uuid: 'Uuid of the resource',
  scannerUuid: 'Uuid of the scanner',
  batchUuid: 'Uuid of the printing batch',
  token: 'The token in the link of the manifest or shipment',
  operationId: 'The `operationId` of the answer 202',
  authorityName: 'Name of the authority, compared exactly',
  hardwareId: 'Hardware identifier of the camera: 1..128 of `[A-Za-z0-9._:-]`',
  type: 'What was calibrated',
  status: 'The status to move to',
};

/** The description of a parameter by its location and name. */
export const PARAMETERS: Record<string, Record<string, string>> = { query: IN_QUERY, path: IN_PATH };
