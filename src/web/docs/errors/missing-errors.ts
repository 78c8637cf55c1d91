import { API, type ErrorDoc, OPERATOR_API } from './error-doc.ts';

/** A resource that can be listed. Resources of other organizations look as if they did not exist. */
const listed = (kind: string, path: string): ErrorDoc => [
  `Your organization has no ${kind} with this identifier. It may be deleted, or belong to another organization.`,
  `Check upper and lower case of the identifier. Check whether the API key is for the sandbox or for production. \`GET ${path}\` lists all.`,
];

/** Codes of resources that do not exist. */
export const MISSING_ERRORS = {
  organizationNotFound: [
    'The service has no organization with this uuid.',
    `List the organizations with \`GET ${OPERATOR_API}/organization\`.`,
  ],
  apiKeyNotFound: [
    'The organization has no API key with this uuid.',
    `List its keys with \`GET ${OPERATOR_API}/organization/{organizationUuid}/api-key\`.`,
  ],
  accessTokenNotFound: [
    'The organization has no access token with this uuid.',
    `List its tokens with \`GET ${OPERATOR_API}/organization/{organizationUuid}/access-token\`.`,
  ],
  operatorNotFound: [
    'The service has no operator with this uuid.',
    `List the operators with \`GET ${OPERATOR_API}/operator\`.`,
  ],
  manifestNotFound: [
    'Your organization has no manifest with this external identifier. If it is in the archive, `detail` has its path.',
    `Create the manifest first, or check the identifier. \`GET ${API}/manifest\` lists all manifests that are not in the archive.`,
  ],
  shipmentNotFound: [
    'Your organization has no shipment with this external identifier. If it is in the archive, `detail` has its path.',
    `Create the shipment first, or check the identifier. \`GET ${API}/shipment\` lists all shipments that are not in the archive.`,
  ],
  archiveNotFound: [
    'The archive has no manifest or shipment with this uuid.',
    `Search for it with \`GET ${API}/archive?q=ORDER-10248\`.`,
  ],
  assetLoadingNotFound: [
    'The load has no loading record for this pallet. A wrong pallet that was taken off has no record any more.',
    `Read the records with \`GET ${API}/shipment/{shipmentExternalId}/asset-loading\`. For a manifest without a shipment, use the same path below \`${API}/manifest\`.`,
  ],
  trackNotFound: [
    'No active track has this WMS id, marker code or uuid. The pallet was not coupled, or it was deleted.',
    `Couple the pallet with \`POST ${API}/track/couple\`, or check the identifier. WMS ids are compared exactly.`,
  ],
  trackRecordNotFound: [
    'The manifest does not have this pallet.',
    'Read the manifest, and use an identifier of its `assets`.',
  ],
  customFieldNotFound: [
    'The manifest or shipment has no custom field with this key.',
    'Read the resource, and use a `fieldKey` of its `customFields`.',
  ],
  gateNotFound: listed('gate', `${API}/gate`),
  scannerNotFound: listed('scanner', `${API}/scanner`),
  localManagerNotFound: listed('local manager', `${API}/local-manager`),
  agentNotFound: listed('agent', `${API}/agent`),
  clientNotFound: listed('client', `${API}/client`),
  userNotFound: listed('user', `${API}/user`),
  inviteNotFound: [
    'The link to set a password was used, replaced, or has expired. Or the link to pair a tablet was revoked or has expired.',
    'Ask an administrator for a new link.',
  ],
  tabletNotFound: [
    'The tablet does not exist, or its link has expired.',
    'Pair the tablet again. Create a new link on the page of the gate, under `More`, `Tablets`.',
  ],
  workerNotFound: [
    'No worker has this badge, PIN or uuid.',
    'Try again. An administrator sees all workers at `/app/gate-worker`.',
  ],
  webhookNotFound: listed('webhook', `${API}/webhook`),
  webhookDeliveryNotFound: [
    'The webhook has no delivery with this uuid. The log keeps deliveries for a limited time.',
    `List the deliveries with \`GET ${API}/webhook/{uuid}/delivery\`. Send older events again with \`POST ${API}/webhook/{uuid}/replay\`.`,
  ],
  operationNotFound: [
    'No background operation has this id. Operations are kept for 90 days.',
    'Use the URL in `Location` of the 202 answer.',
  ],
  deadLetterNotFound: [
    'The service has no dead letter with this uuid.',
    `List the dead letters with \`GET ${OPERATOR_API}/dead-letter\`.`,
  ],
  markerCodeNotFound: [
    'The marker code was not allocated to this organization.',
    `Allocate codes with \`POST ${API}/marker-code/allocate\`. Check that the scanner reads the whole code.`,
  ],
  calibrationNotFound: [
    'The camera has no calibration file with this identifier.',
    'Upload the file first, or check the identifier of the camera.',
  ],
  alertEventNotFound: listed('alert', `${API}/alert-event`),
  auditLogNotFound: listed('audit record', `${API}/audit-log`),
  printingBatchNotFound: listed('printing batch', `${API}/scanner/{scannerUuid}/printing-batch`),
  photoNotFound: listed('photo', `${API}/photo`),
} as const satisfies Record<string, ErrorDoc>;
