/** How much a cost may grow from 10 items to 1,000. */
export interface Growth {
  /** Bytes of an answer. */
  bytes?: number;
  /** Rows that D1 reads. */
  rows?: number;
  /** Bytes that are stored: answer, events, audit records. */
  stored?: number;
}

/** The bound for costs that do not grow. Identifiers and numbers are longer in a larger world. */
export const FLAT: Required<Growth> = { bytes: 2_000, rows: 60, stored: 2_000 };

/** Operations that run first, because they find nothing after the others. */
export const EARLY = [
  'recordScan',
  'changePrintingBatchStatus',
  'changePrintingBatchStatusByGet',
  'deletePrintingBatch',
  'removeManifestField',
  'resetPassword',
];
/** Operations that run in a world of their own, because the others find nothing after them. */
export const ALONE = [
  'createShipment',
  'attachManifests',
  'detachManifests',
  'detachManifestsByPost',
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

/** A page of 20 instead of 10 rows, and its count. The count reads up to three rows for each item. */
const PAGE: Growth = { bytes: 30_000, rows: 3_300 };
/** The first 200 assets of a manifest are read, for the answer and the event, and where else each of them is. */
const OF_MANIFEST: Growth = { rows: 900 };
/** The first 100 manifests of a shipment are shown. All its members are read and counted. */
const OF_SHIPMENT: Growth = { bytes: 9_000, rows: 7_700, stored: 9_000 };
/** The operation changes every open manifest of the pallet. */
const OF_PALLET: Growth = { rows: 7_000 };
/** All signatures of a load, at most 20, and the load that each was given for. */
const OF_SIGNATURES: Growth = { bytes: 5_000 };

const each = (operationIds: string[], growth: Growth): Record<string, Growth> =>
  Object.fromEntries(operationIds.map((operationId) => [operationId, growth]));

/** The growth of every operation beyond `FLAT`. */
export const BOUNDS: Record<string, Growth> = {
  // It counts organizations.
  updateDatabase: { rows: 3_300 },
  getOperatorOperation: {},
  moveOrganization: {},
  restoreOrganization: {},
  suspendOrganization: {},
  resumeOrganization: {},
  importOrganization: {},
  eraseOrganization: {},
  // It returns the whole organization.
  exportOrganization: { bytes: 11_000_000, rows: 200_000 },
  getMetrics: {},
  getReport: {},
  ...each(
    [
      'listOperators',
      'listApiKeys',
      'listCalibrations',
      'listPhotos',
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
      'addManifestSignature',
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
    ],
    OF_SHIPMENT,
  ),
  // The signature has the digest of the whole load.
  addSignature: { bytes: 9_000, rows: 16_000, stored: 9_000 },
  // A pallet that comes to a load in progress may be on another load. A pallet that leaves starts again, with an event.
  attachManifests: { bytes: 9_000, rows: 22_000, stored: 9_000 },
  ...each(['detachManifests', 'detachManifestsByPost'], { bytes: 9_000, rows: 47_000, stored: 720_000 }),
  // It is a correction of each completed load of the pallet.
  ...each(['addPhoto', 'addPhotoAtGate'], { rows: 1_000 }),
  deletePhoto: { rows: 4_000 },
  // Its event has the shipment, too.
  recordShipmentArrival: { bytes: 9_000, rows: 15_000, stored: 18_000 },
  ...each(['retireTrack', 'revertRetirement', 'flagTrack', 'unflagTrack', 'createComment'], OF_PALLET),
  ...each(['listSignatures', 'listManifestSignatures'], OF_SIGNATURES),
  // They return all items, up to the limit of one answer.
  listComments: { bytes: 360_000, rows: 5_600 },
  listAssets: { bytes: 560_000, rows: 10_500 },
  listAssetLoadings: { bytes: 780_000, rows: 10_500 },
  getOperation: { bytes: 90_000, rows: 1_200 },
  // 500 labels.
  getManifestLabels: { bytes: 600_000, rows: 30_000 },
  listShipmentAssets: { bytes: 2_900_000, rows: 220_000 },
  listShipmentAssetLoadings: { bytes: 3_600_000, rows: 220_000 },
  getShipment: { bytes: 90_000, rows: 7_300 },
  validateShipment: { bytes: 330_000, rows: 145_000 },
  listEvents: { bytes: 110_000, rows: 300 },
  // `listEpcisEvents` returns a page of 100, but there were fewer items. `simulateGate` compares the
  // pallets to read with the pallets already read.
  simulateGate: { rows: 8_000 },
  listEpcisEvents: { bytes: 60_000, rows: 3_000 },
  // They contain up to 100 items.
  getGate: { bytes: 12_000, rows: 1_400 },
  getTrack: { bytes: 12_000, rows: 2_000 },
  getMarker: { bytes: 12_000, rows: 2_000 },
  getManifest: { bytes: 9_500, rows: 4_600 },
  // Each changed manifest, loading record or asset gets a record and an event.
  assignShipmentGate: { bytes: 9_000, rows: 155_000, stored: 870_000 },
  replaceShipment: { bytes: 2_000, rows: 183_000, stored: 870_000 },
  changeShipmentStatus: { bytes: 2_000, rows: 155_000, stored: 870_000 },
  deleteShipment: { bytes: 2_000, rows: 200_000, stored: 1_700_000 },
  markLoadingByTrack: { bytes: 290_000, rows: 140_000, stored: 2_500_000 },
  markLoadingByMarker: { bytes: 290_000, rows: 140_000, stored: 2_500_000 },
  recordScan: { bytes: 2_000, rows: 140_000, stored: 2_500_000 },
  recordScans: { bytes: 2_000, rows: 140_000, stored: 2_500_000 },
  deleteManifest: { bytes: 2_000, rows: 14_000, stored: 2_000 },
  replaceManifest: { bytes: 2_000, rows: 12_500, stored: 20_000 },
  upsertAssets: { bytes: 2_000, rows: 12_500, stored: 20_000 },
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
      'createBackorder',
      'createOperator',
      'rotateOperator',
      'revokeOperator',
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
      'getDriverPage',
      'getArchived',
      'getHealth',
      'getMarkerImage',
      'getOrganization',
      'getOrganizationVersion',
      'getPrintingBatch',
      'getPrintingSheetPdf',
      'getTrackLabel',
      'getPrintingSheetZpl',
      'getPhoto',
      'getPhotoBytes',
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
      'resendWebhookDelivery',
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
