/** By how much something may grow from 10 things to 1,000. */
export interface Growth {
  /** Bytes of an answer. */
  bytes?: number;
  /** Rows that D1 reads. */
  rows?: number;
  /** Bytes that are kept: answer, events, audit records. */
  stored?: number;
}

/** What does not grow: identifiers and numbers are longer among many. */
export const FLAT: Required<Growth> = { bytes: 2_000, rows: 60, stored: 2_000 };

/** Requests that come before others, as they find nothing after them. */
export const EARLY = [
  'recordScan',
  'changePrintingBatchStatus',
  'changePrintingBatchStatusByGet',
  'deletePrintingBatch',
  'removeManifestField',
  'resetPassword',
];
/** Requests that have a world of their own, as others find nothing after them. */
export const ALONE = [
  'createShipment',
  'attachManifests',
  'detachManifests',
  'replaceShipment',
  'changeShipmentStatus',
  'deleteShipment',
  'updateOrganization',
  'deleteGate',
  'removeInvalidLoadingByTrack',
  'removeInvalidLoadingByMarker',
  'removeInvalidManifestLoadingByTrack',
  'removeInvalidManifestLoadingByMarker',
  'replaceManifest',
  'upsertAssets',
  'detachTrack',
];

/** A page of 20 where there were half as many, and its count, which reads up to three rows of each. */
const PAGE: Growth = { bytes: 30_000, rows: 3_300 };
/** A manifest is looked through as far as its first 200 assets, for the answer and the event. */
const OF_MANIFEST: Growth = { rows: 500 };
/** The first 100 manifests of a shipment; all its members are read, and counted. */
const OF_SHIPMENT: Growth = { bytes: 9_000, rows: 7_500, stored: 9_000 };
/** Each open manifest of a pallet changes with it. */
const OF_PALLET: Growth = { rows: 7_000 };

const each = (operationIds: string[], growth: Growth): Record<string, Growth> =>
  Object.fromEntries(operationIds.map((operationId) => [operationId, growth]));

/** Every operation, with what it may grow by beyond `FLAT`. */
export const BOUNDS: Record<string, Growth> = {
  // Organizations are counted.
  updateDatabase: { rows: 3_300 },
  getOperatorOperation: {},
  moveOrganization: {},
  suspendOrganization: {},
  resumeOrganization: {},
  importOrganization: {},
  eraseOrganization: {},
  // All that there is of it.
  exportOrganization: { bytes: 10_000_000, rows: 200_000 },
  getMetrics: {},
  ...each(
    [
      'listApiKeys',
      'listCalibrations',
      'listAccessTokens',
      'listGates',
      'listScanners',
      'listPrintingBatches',
      'listClients',
      'listTracks',
      'listActivity',
      'listManifests',
      'listShipments',
      'listArchive',
      'listAlertEvents',
      'listOperatorAuditLog',
      'listAuditLog',
      'listDeadLetters',
      'listUsers',
      'listOrganizations',
      'listDatabases',
    ],
    PAGE,
  ),
  ...each(
    [
      'attachTrack',
      'markManifestLoading',
      'markManifestLoadingByMarker',
      'markManifestLoadingByTrack',
      'removeInvalidManifestLoading',
      'removeInvalidManifestLoadingByMarker',
      'removeInvalidManifestLoadingByTrack',
      'changeManifestStatus',
      'assignManifestGate',
      'putManifestField',
      'removeManifestField',
      'detachTrack',
      'createShipment',
    ],
    OF_MANIFEST,
  ),
  ...each(
    [
      'putShipmentField',
      'removeShipmentField',
      'removeInvalidLoading',
      'removeInvalidLoadingByTrack',
      'removeInvalidLoadingByMarker',
      'attachManifests',
      'detachManifests',
    ],
    OF_SHIPMENT,
  ),
  ...each(['retireTrack', 'revertRetirement', 'flagTrack', 'unflagTrack', 'createComment'], OF_PALLET),
  // All that was asked for, up to what one answer holds.
  listComments: { bytes: 360_000, rows: 5_600 },
  listAssets: { bytes: 560_000, rows: 10_500 },
  listAssetLoadings: { bytes: 780_000, rows: 10_500 },
  getOperation: { bytes: 90_000, rows: 1_200 },
  listShipmentAssets: { bytes: 2_900_000, rows: 220_000 },
  listShipmentAssetLoadings: { bytes: 3_600_000, rows: 220_000 },
  getShipment: { bytes: 90_000, rows: 6_200 },
  validateShipment: { bytes: 330_000, rows: 145_000 },
  listEvents: { bytes: 110_000, rows: 300 },
  // A page of 100, of which there were fewer.
  // Pallets that are to be read are looked for among those that were.
  simulateGate: { rows: 8_000 },
  listEpcisEvents: { bytes: 60_000, rows: 3_000 },
  // Up to 100 of what stands in it.
  getGate: { bytes: 12_000, rows: 1_400 },
  getTrack: { bytes: 12_000, rows: 2_000 },
  getMarker: { bytes: 12_000, rows: 2_000 },
  getManifest: { bytes: 9_500, rows: 3_700 },
  // Each manifest, record or asset that changes is told and kept.
  assignShipmentGate: { bytes: 9_000, rows: 155_000, stored: 870_000 },
  replaceShipment: { bytes: 2_000, rows: 155_000, stored: 870_000 },
  changeShipmentStatus: { bytes: 2_000, rows: 155_000, stored: 870_000 },
  deleteShipment: { bytes: 2_000, rows: 155_000, stored: 870_000 },
  markLoadingByTrack: { bytes: 290_000, rows: 140_000, stored: 2_500_000 },
  markLoadingByMarker: { bytes: 290_000, rows: 140_000, stored: 2_500_000 },
  recordScan: { bytes: 2_000, rows: 140_000, stored: 2_500_000 },
  recordScans: { bytes: 2_000, rows: 140_000, stored: 2_500_000 },
  deleteManifest: { bytes: 2_000, rows: 14_000, stored: 2_000 },
  replaceManifest: { bytes: 2_000, rows: 10_500, stored: 20_000 },
  upsertAssets: { bytes: 2_000, rows: 10_500, stored: 20_000 },
  ...each(
    [
      'getAgent',
      'getAlertEvent',
      'getAuditRecord',
      'getAuthority',
      'getLocalManager',
      'getScanner',
      'allocateMarkers',
      'bulkUpsertShipments',
      'changePrintingBatchStatus',
      'changePrintingBatchStatusByGet',
      'coupleTrack',
      'createAccessToken',
      'createAgent',
      'createApiKey',
      'createClient',
      'createLocalManager',
      'createManifest',
      'createOrganization',
      'createPrintingBatch',
      'createScanner',
      'createUser',
      'createWebhook',
      'deleteAgent',
      'deleteCalibration',
      'deleteClient',
      'updateOrganization',
      'deleteGate',
      'deleteLocalManager',
      'deletePrintingBatch',
      'deleteScanner',
      'deleteTrack',
      'deleteUser',
      'deleteWebhook',
      'getAndCoupleTrack',
      'getCalibration',
      'getClient',
      'getArchived',
      'getHealth',
      'getMarkerImage',
      'getOrganization',
      'getPrintingBatch',
      'getPrintingSheetPdf',
      'getPrintingSheetZpl',
      'getProofOfShipment',
      'getProofOfShipmentData',
      'getShipmentSummary',
      'getUser',
      'getWebhook',
      'listAgents',
      'listAuthorities',
      'listLocalManagers',
      'listWebhookDeliveries',
      'listWebhooks',
      'markLoading',
      'putAuthority',
      'putGate',
      'recordHeartbeat',
      'replayWebhook',
      'resendDeadLetter',
      'resetPassword',
      'revokeAccessToken',
      'revokeApiKey',
      'rotateAccessToken',
      'rotateApiKey',
      'rotateWebhookSecret',
      'testWebhook',
      'updateClient',
      'updateOrganization',
      'updateUser',
      'updateWebhook',
      'uploadCalibration',
    ],
    FLAT,
  ),
};
