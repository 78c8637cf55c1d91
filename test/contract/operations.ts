import { png } from '../images.ts';
import type { Operation } from './document.ts';
import { emptyExport } from './export.ts';
import type { Names } from './world.ts';

/** One date for all examples, so that a repeat is the same request. */
const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();
const LATELY = new Date(Date.now() - 60_000).toISOString();

/** A valid request of an operation. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  json?: unknown;
  /** The raw body and its media type, if it is not JSON. */
  raw?: string | Uint8Array<ArrayBuffer>;
  type?: string;
  /** Another valid body. */
  other?: unknown;
  /** The status of the answer in a new world. */
  status: number;
}

/** Some days around the completion of the world's shipments. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const IMAGE = { raw: Uint8Array.from(png()), type: 'image/png' };

const MARKED = ({ gate }: Names) => ({
  json: { status: 'UNLOADED', gateExternalId: gate, comment: 'Off again' },
  other: { status: 'LOADED' },
});

const SIGNED = {
  json: {
    role: 'DRIVER',
    name: 'Ben Kraft',
    strokes: [
      [
        [10, 20],
        [500.5, 380],
      ],
    ],
    signDate: LATELY,
  },
  other: { role: 'LOADER', name: 'Eva Meier', strokes: [[[1, 2]]], signDate: LATELY },
};

/** An example for each operation. Add new operations here. */
export const EXAMPLES: Record<string, (names: Names) => Example> = {
  getHealth: () => ({ status: 200 }),

  getDriverPage: ({ driverToken }) => ({ params: { token: driverToken }, status: 200 }),
  getShipmentSummary: (names) => ({ params: ofPublished(names), status: 200 }),
  getProofOfShipment: (names) => ({ params: ofPublished(names), status: 200 }),
  getPhotoBytes: ({ photoToken }) => ({ params: { token: photoToken }, status: 200 }),
  getProofOfShipmentData: (names) => ({ params: ofPublished(names), status: 200 }),

  createOrganization: ({ unused }) => ({
    json: {
      ...organization(unused),
      markerCodeStart: 1,
      shipmentCustomFields: [{ fieldKey: 'k', fieldType: 'TEXT' }],
    },
    other: organization(`${unused}-2`),
    status: 201,
  }),
  listOrganizations: () => ({ status: 200 }),
  getOrganization: (names) => ({ params: ofOrganization(names), status: 200 }),
  getOrganizationVersion: (names) => ({ params: ofOrganization(names), status: 200 }),
  updateOrganization: (names) => ({
    params: ofOrganization(names),
    json: {
      ...organization(names.unused),
      markerCodeStart: names.markerCodeStart,
      shipmentCustomFields: [{ fieldKey: 'k', fieldType: 'NUMBER' }],
    },
    other: { name: 'Other' },
    status: 200,
  }),
  // It is already suspended or not suspended, so nothing changes.
  suspendOrganization: ({ suspended }) => ({ params: { organizationUuid: suspended }, status: 200 }),
  resumeOrganization: (names) => ({ params: ofOrganization(names), status: 200 }),
  eraseOrganization: ({ suspended, suspendedSlug }) => ({
    params: { organizationUuid: suspended },
    query: { slug: suspendedSlug },
    status: 202,
  }),
  exportOrganization: (names) => ({ params: ofOrganization(names), status: 200 }),
  importOrganization: ({ unused }) => ({
    raw: emptyExport(unused),
    type: 'application/x-ndjson',
    status: 202,
  }),
  getMetrics: () => ({ status: 200 }),
  listDatabases: () => ({ status: 200 }),
  updateDatabase: () => ({
    params: { databaseName: 'DB_1' },
    json: { open: true },
    other: { open: false },
    status: 200,
  }),
  moveOrganization: (names) => ({
    params: ofOrganization(names),
    // The database in which it already lives, so the move is done at once.
    json: { databaseName: 'DB' },
    other: { databaseName: 'DB_1' },
    status: 202,
  }),
  restoreOrganization: ({ suspended }) => ({
    params: { organizationUuid: suspended },
    json: { dryRun: true, databaseName: 'DB_1' },
    other: { dryRun: false, databaseName: 'DB_1' },
    status: 202,
  }),
  getOperatorOperation: ({ move }) => ({ params: { operationId: move }, status: 200 }),
  createOperator: () => ({
    json: { name: 'On call', scopes: ['READ'], expiresDate: IN_AN_HOUR },
    other: { name: 'On call', scopes: ['READ', 'OPERATE'] },
    status: 201,
  }),
  listOperators: () => ({ status: 200 }),
  rotateOperator: (names) => ({ ...rotation(names), params: { uuid: names.operator } }),
  revokeOperator: (names) => ({ params: { uuid: names.operator }, status: 204 }),
  createApiKey: (names) => ({
    params: ofOrganization(names),
    json: { name: 'WMS 2', expiresDate: '2099-01-01T00:00:00Z' },
    other: { name: 'WMS 3' },
    status: 201,
  }),
  listApiKeys: (names) => ({ params: ofOrganization(names), status: 200 }),
  rotateApiKey: (names) => ({ ...rotation(names), params: { ...ofOrganization(names), uuid: names.apiKey } }),
  revokeApiKey: (names) => ({ params: { ...ofOrganization(names), uuid: names.apiKey }, status: 204 }),
  createAccessToken: (names) => ({
    params: ofOrganization(names),
    json: { name: 'Camera', scopes: ['CAMERA_READ'], expiresDate: IN_AN_HOUR },
    other: { name: 'Camera', scopes: ['CAMERA_WRITE'] },
    status: 201,
  }),
  listAccessTokens: (names) => ({ params: ofOrganization(names), status: 200 }),
  rotateAccessToken: (names) => ({
    ...rotation(names),
    params: { ...ofOrganization(names), uuid: names.accessToken },
  }),
  revokeAccessToken: (names) => ({
    params: { ...ofOrganization(names), uuid: names.accessToken },
    status: 204,
  }),
  putGate: (names) => ({
    params: { ...ofOrganization(names), externalIdentifier: names.unused },
    json: { name: 'New gate', localManagerUuid: names.localManager },
    other: { name: 'Newer gate' },
    status: 201,
  }),
  deleteGate: (names) => ({
    params: { ...ofOrganization(names), externalIdentifier: names.freeGate },
    status: 204,
  }),
  putAuthority: (names) => ({
    params: { ...ofOrganization(names), authorityName: names.unused },
    json: { permissions: ['APP_LOGIN', 'USER_MANAGEMENT_READ'] },
    other: { permissions: [] },
    status: 201,
  }),

  listAuthorities: () => ({ status: 200 }),
  getAuthority: ({ authority }) => ({ params: { uuid: authority }, status: 200 }),
  listUsers: () => ({ status: 200 }),
  createUser: ({ unused, authority }) => ({
    json: {
      ...person(unused, authority),
      passwordPolicyMode: 'TEMP_PASSWORD',
      password: 'correct horse',
    },
    other: { ...person(unused, authority), passwordPolicyMode: 'INVITE_LINK' },
    status: 201,
  }),
  getUser: ({ user }) => ({ params: { uuid: user }, status: 200 }),
  updateUser: ({ user, unused, authority }) => ({
    params: { uuid: user },
    json: person(unused, authority),
    other: { ...person(unused, authority), firstName: 'Joan' },
    status: 200,
  }),
  deleteUser: ({ user }) => ({ params: { uuid: user }, status: 200 }),
  resetPassword: ({ user }) => ({ params: { uuid: user }, status: 200 }),

  listWebhooks: () => ({ status: 200 }),
  createWebhook: () => ({
    json: {
      name: 'WMS',
      url: 'https://hooks.example.com/in',
      eventTypes: ['MANIFEST_STATUS_CHANGED'],
      active: false,
      customHeaders: [{ name: 'Authorization', value: 'Bearer token' }],
    },
    other: { name: 'WMS', url: 'https://hooks.example.com/other', active: false },
    status: 201,
  }),
  getWebhook: ({ webhook }) => ({ params: { uuid: webhook }, status: 200 }),
  updateWebhook: ({ webhook }) => ({
    params: { uuid: webhook },
    json: {
      name: 'Renamed',
      url: 'https://hooks.example.com/new',
      eventTypes: [],
      active: false,
      customHeaders: [{ name: 'X-Key', value: 'k' }],
    },
    other: { name: 'Other' },
    status: 200,
  }),
  deleteWebhook: ({ webhook }) => ({ params: { uuid: webhook }, status: 204 }),
  rotateWebhookSecret: ({ webhook }) => ({
    params: { uuid: webhook },
    json: { overlapSeconds: 60 },
    other: { overlapSeconds: 0 },
    status: 200,
  }),
  listWebhookDeliveries: ({ webhook }) => ({ params: { uuid: webhook }, status: 200 }),
  testWebhook: ({ webhook }) => ({
    params: { uuid: webhook },
    json: { eventType: 'ALERT_RAISED' },
    status: 200,
  }),
  resendWebhookDelivery: ({ webhook, delivery }) => ({
    params: { uuid: webhook, deliveryUuid: delivery },
    status: 200,
  }),
  replayWebhook: ({ webhook }) => ({
    params: { uuid: webhook },
    json: { sequenceNumberFrom: 1, sequenceNumberTo: 2 },
    other: { sequenceNumberFrom: 1, sequenceNumberTo: 1 },
    status: 200,
  }),

  createScanner: (names) => ({
    params: ofOrganization(names),
    json: {
      name: 'Scanner 2',
      softwareVersion: '2.1.0',
      serialNumber: 'SN-2',
      scannerType: 'FIXED',
      gateExternalId: names.gate,
      localManagerUuid: names.localManager,
    },
    other: { name: 'Scanner 3' },
    status: 201,
  }),
  createLocalManager: (names) => ({
    params: ofOrganization(names),
    json: { name: 'Local manager 2', softwareVersion: '2.1.0', hostname: 'lm-2.example' },
    other: { name: 'Local manager 3' },
    status: 201,
  }),
  createAgent: (names) => ({
    params: ofOrganization(names),
    json: {
      name: 'Agent 2',
      softwareVersion: '2.1.0',
      agentType: 'PRINTER',
      localManagerUuid: names.localManager,
    },
    other: { name: 'Agent 3' },
    status: 201,
  }),
  deleteScanner: (names) => ({ params: { ...ofOrganization(names), uuid: names.scanner }, status: 204 }),
  deleteLocalManager: (names) => ({
    params: { ...ofOrganization(names), uuid: names.localManager },
    status: 204,
  }),
  deleteAgent: (names) => ({ params: { ...ofOrganization(names), uuid: names.agent }, status: 204 }),

  listScanners: () => ({ status: 200 }),
  listLocalManagers: () => ({ status: 200 }),
  listAgents: () => ({ status: 200 }),
  getScanner: ({ scanner }) => ({ params: { uuid: scanner }, status: 200 }),
  getLocalManager: ({ localManager }) => ({ params: { uuid: localManager }, status: 200 }),
  getAgent: ({ agent }) => ({ params: { uuid: agent }, status: 200 }),
  recordHeartbeat: ({ agent }) => ({
    json: {
      deviceType: 'AGENT',
      uuid: agent,
      status: 'ERROR',
      softwareVersion: '2.1.0',
      lastError: 'Out of paper',
    },
    other: { deviceType: 'AGENT', uuid: agent, status: 'ONLINE' },
    status: 200,
  }),

  listGates: () => ({ status: 200 }),
  getGate: ({ gate }) => ({ params: { gateExternalId: gate }, status: 200 }),
  allocateMarkers: () => ({ query: { quantity: '2' }, status: 200 }),
  getMarkerImage: ({ markerCode }) => ({ params: { code: markerCode }, status: 200 }),
  getMarker: ({ markerCode }) => ({ params: { code: markerCode }, status: 200 }),

  listCalibrations: () => ({ status: 200 }),
  getCalibration: ({ camera }) => ({ params: { hardwareId: camera, type: 'INTRINSIC' }, status: 200 }),
  uploadCalibration: ({ camera }) => ({
    params: { hardwareId: camera, type: 'HAND_EYE' },
    json: { anything: [1, null, { deeper: true }] },
    other: [2],
    status: 201,
  }),
  deleteCalibration: ({ camera }) => ({ params: { hardwareId: camera, type: 'INTRINSIC' }, status: 200 }),
  listPhotos: () => ({ status: 200 }),
  getPhoto: ({ photo }) => ({ params: { uuid: photo }, status: 200 }),
  addPhoto: ({ manifest }) => ({
    query: { kind: 'LOAD', manifestExternalId: manifest },
    ...IMAGE,
    status: 201,
  }),
  addPhotoAtGate: ({ shipmentGate, shipment }) => ({
    params: { gateExternalId: shipmentGate },
    query: { kind: 'SEAL', shipmentExternalId: shipment },
    ...IMAGE,
    status: 201,
  }),
  deletePhoto: ({ photo }) => ({ params: { uuid: photo }, status: 200 }),
  listPrintingBatches: ({ scanner }) => ({ params: { scannerUuid: scanner }, status: 200 }),
  createPrintingBatch: ({ scanner, unused }) => ({
    params: { scannerUuid: scanner },
    json: { quantity: 2, externalIdentifier: unused, labelFormat: 'ZPL' },
    other: { quantity: 3 },
    status: 201,
  }),
  getPrintingBatch: ofPrintingBatch(),
  deletePrintingBatch: ofPrintingBatch(),
  changePrintingBatchStatus: ofPrintingBatch({ status: 'IN_PROGRESS' }),
  changePrintingBatchStatusByGet: ofPrintingBatch({ status: 'COMPLETED' }),
  getPrintingSheetPdf: ofPrintingBatch(),
  getPrintingSheetZpl: ofPrintingBatch(),

  listTracks: () => ({ status: 200 }),
  getTrack: ofTrack(),
  getTrackLabel: ofTrack(),
  deleteTrack: ({ freeTrack }) => ({ params: { trackId: freeTrack }, status: 200 }),
  coupleTrack: ({ freeMarkerCode, unused }) => ({
    json: { markerCode: Number(freeMarkerCode), wmsId: unused, customFields: fields('lot'), clientId: null },
    other: { markerCode: Number(freeMarkerCode), wmsId: `${unused}-2` },
    status: 200,
  }),
  getAndCoupleTrack: ({ unused, client }) => ({
    json: { wmsId: unused, customFields: fields('lot'), clientId: client },
    other: { wmsId: `${unused}-2` },
    status: 200,
  }),
  retireTrack: ofTrack(),
  revertRetirement: ofTrack(),
  flagTrack: ofTrack({ json: { damaged: true, reason: 'broken' }, other: { reason: 'wet' } }),
  unflagTrack: ofTrack(),
  listComments: ofTrack(),
  createComment: ofTrack({
    json: {
      additionalInfo: 'Fell off',
      attachments: [{ link: 'https://example.com/1.jpg', fileName: '1.jpg', description: 'A photo' }],
    },
    other: { additionalInfo: 'Fell off again' },
  }),
  listActivity: ofTrack(),

  listClients: () => ({ status: 200 }),
  createClient: ({ unused }) => ({
    json: { displayName: unused, externalId: unused },
    other: { displayName: unused, externalId: `${unused}-2` },
    status: 201,
  }),
  getClient: ({ client }) => ({ params: { clientId: client }, status: 200 }),
  updateClient: ({ client, unused }) => ({
    params: { clientId: client },
    json: { displayName: unused, externalId: client },
    other: { displayName: `${unused}-2`, externalId: client },
    status: 200,
  }),
  deleteClient: ({ freeClient }) => ({ params: { clientId: freeClient }, status: 200 }),

  listManifests: () => ({ status: 200 }),
  createManifest: ({ unused, gate }) => ({
    json: {
      externalIdentifier: unused,
      manifestStatus: 'TO_DO',
      gateExternalId: gate,
      priority: 'HIGH',
      customFields: fields('carrier'),
      assets: ['P1'],
    },
    other: { externalIdentifier: `${unused}-2` },
    status: 201,
  }),
  createBackorder: ({ short, unused }) => ({
    params: { manifestExternalId: short },
    json: { externalIdentifier: unused },
    other: { externalIdentifier: `${unused}-2` },
    status: 201,
  }),
  getManifest: ofManifest(),
  getManifestLabels: ofManifest(),
  replaceManifest: ofManifest({
    json: { assets: ['P1', 'P7'], customFields: fields('lane') },
    other: { assets: [] },
  }),
  deleteManifest: ofManifest(),
  upsertAssets: ofManifest({
    json: { assets: ['P1', 'P7'], customFields: fields('lane') },
    other: { assets: [] },
  }),
  attachTrack: ({ manifest }) => ({
    params: { manifestExternalId: manifest, trackIdentifier: 'P/7' },
    status: 200,
  }),
  detachTrack: ({ manifest, wmsId }) => ({
    params: { manifestExternalId: manifest, trackIdentifier: wmsId },
    status: 200,
  }),
  changeManifestStatus: ({ manifest }) => ({
    params: { manifestExternalId: manifest, manifestStatus: 'TO_DO' },
    status: 200,
  }),
  assignManifestGate: ({ manifest, freeGate }) => ({
    params: { manifestExternalId: manifest, gateExternalId: freeGate },
    status: 200,
  }),
  putManifestField: ofManifest({ json: fields('lane')[0], other: fields('carrier')[0] }),
  removeManifestField: ({ manifest, fieldKey }) => ({
    params: { manifestExternalId: manifest, fieldKey },
    status: 200,
  }),
  listAssets: ofManifest(),
  listAssetLoadings: ofManifest(),

  listArchive: () => ({ status: 200 }),
  getArchived: ({ archived }) => ({ params: { archiveUuid: archived }, status: 200 }),

  listShipments: () => ({ status: 200 }),
  createShipment: ({ unused, gate, manifest, shipmentFieldKey }) => ({
    json: {
      identifier: unused,
      gateIdentifier: gate,
      notes: 'A note',
      manifests: [reference(manifest)],
      customFields: fields(shipmentFieldKey),
    },
    other: { identifier: `${unused}-2`, manifests: [reference(manifest)] },
    status: 201,
  }),
  getReport: () => ({ query: { from: dayIn(-30), to: dayIn(1), groupBy: 'GATE' }, status: 200 }),
  getShipment: ofShipment(),
  replaceShipment: ({ shipment, freeGate, member, shipmentFieldKey }) => ({
    params: { shipmentExternalId: shipment },
    json: {
      identifier: null,
      gateIdentifier: freeGate,
      notes: 'Another note',
      manifests: [reference(member)],
      customFields: fields(shipmentFieldKey),
    },
    other: { notes: 'Yet another note' },
    status: 200,
  }),
  deleteShipment: ofShipment({ status: 204 }),
  changeShipmentStatus: ({ shipment }) => ({
    params: { shipmentExternalId: shipment, shipmentStatus: 'COMPLETED' },
    status: 204,
  }),
  attachManifests: ({ shipment, manifest }) => ({
    params: { shipmentExternalId: shipment },
    json: { manifests: [reference(manifest)] },
    other: { manifests: [reference(manifest, '')] },
    status: 200,
  }),
  detachManifests: ({ shipment, member }) => ({
    params: { shipmentExternalId: shipment },
    json: { manifests: [reference(member)] },
    other: { manifests: [reference(member, '')] },
    status: 200,
  }),
  detachManifestsByPost: ({ shipment, member }) => ({
    params: { shipmentExternalId: shipment },
    json: { manifests: [reference(member)] },
    other: { manifests: [reference(member, '')] },
    status: 200,
  }),
  recordShipmentArrival: ofShipment({
    json: { arrivalDate: LATELY, vehicle: 'AB 123', driverName: 'Ann Lee' },
    other: { arrivalDate: LATELY.replace('Z', '+00:00'), driverName: 'Eva' },
    status: 200,
  }),
  assignShipmentGate: ({ shipment, freeGate }) => ({
    params: { shipmentExternalId: shipment, gateExternalId: freeGate },
    status: 200,
  }),
  putShipmentField: ({ shipment, shipmentFieldKey }) => ({
    params: { shipmentExternalId: shipment },
    json: fields(shipmentFieldKey)[0],
    other: { fieldKey: shipmentFieldKey, fieldValue: '' },
    status: 200,
  }),
  removeShipmentField: ({ shipment, shipmentFieldKey }) => ({
    params: { shipmentExternalId: shipment, fieldKey: shipmentFieldKey },
    status: 200,
  }),
  addSignature: ofShipment({ ...SIGNED, status: 201 }),
  listSignatures: ofShipment(),
  addManifestSignature: ofAlone(
    () => ({}),
    () => ({ ...SIGNED, status: 201 }),
  ),
  listManifestSignatures: ofAlone(() => ({})),
  validateShipment: ofShipment(),
  listShipmentAssets: ofShipment(),
  listShipmentAssetLoadings: ofShipment(),
  markLoading: ofRecord(({ record }) => ({ recordUuid: record }), MARKED),
  markLoadingByTrack: ofRecord(({ memberTrack }) => ({ trackIdentifier: memberTrack }), MARKED),
  markLoadingByMarker: ofRecord(({ memberCode }) => ({ markerValue: memberCode }), MARKED),
  removeInvalidLoading: ofRecord(({ invalidRecord }) => ({ recordUuid: invalidRecord })),
  removeInvalidLoadingByTrack: ofRecord(({ invalidTrack }) => ({ trackIdentifier: invalidTrack })),
  removeInvalidLoadingByMarker: ofRecord(({ invalidCode }) => ({ markerValue: invalidCode })),
  markManifestLoading: ofAlone(({ aloneRecord }) => ({ recordUuid: aloneRecord }), MARKED),
  markManifestLoadingByTrack: ofAlone(({ aloneTrack }) => ({ trackIdentifier: aloneTrack }), MARKED),
  markManifestLoadingByMarker: ofAlone(({ aloneCode }) => ({ markerValue: aloneCode }), MARKED),
  removeInvalidManifestLoading: ofAlone(({ aloneInvalidRecord }) => ({ recordUuid: aloneInvalidRecord })),
  removeInvalidManifestLoadingByTrack: ofAlone(({ aloneInvalidTrack }) => ({
    trackIdentifier: aloneInvalidTrack,
  })),
  removeInvalidManifestLoadingByMarker: ofAlone(({ aloneInvalidCode }) => ({
    markerValue: aloneInvalidCode,
  })),
  recordScan: ({ shipmentGate, memberCode }) => ({
    params: { gateExternalId: shipmentGate },
    json: scan(memberCode),
    other: { ...scan(memberCode), direction: 'UNLOAD' },
    status: 200,
  }),
  recordScans: ({ shipmentGate, memberCode }) => ({
    params: { gateExternalId: shipmentGate },
    json: { scans: [scan(memberCode)] },
    other: { scans: [{ ...scan(memberCode), damaged: false }] },
    status: 200,
  }),
  simulateGate: ({ shipmentGate }) => ({
    params: { gateExternalId: shipmentGate },
    json: { loadPallets: 1, unknownMarkers: 1 },
    other: { loadPallets: 1, unknownMarkers: 2 },
    status: 202,
  }),
  listAlertEvents: () => ({ status: 200 }),
  getAlertEvent: ({ alertEvent }) => ({ params: { uuid: alertEvent }, status: 200 }),
  listAuditLog: () => ({ status: 200 }),
  getAuditRecord: ({ auditRecord }) => ({ params: { uuid: auditRecord }, status: 200 }),
  listOperatorAuditLog: () => ({ status: 200 }),
  listEvents: () => ({ status: 200 }),
  listEpcisEvents: () => ({ status: 200 }),

  getOperation: ({ operation }) => ({ params: { operationId: operation }, status: 200 }),
  bulkUpsertShipments: ({ shipment, shipmentFieldKey }) => ({
    json: {
      items: [{ shipmentExternalId: shipment, customFields: fields(shipmentFieldKey) }],
      errorBehaviour: 'ROLLBACK',
    },
    other: { items: [{ shipmentExternalId: shipment, customFields: [] }] },
    status: 202,
  }),
  listDeadLetters: () => ({ status: 200 }),
  resendDeadLetter: ({ deadLetter }) => ({ params: { uuid: deadLetter }, status: 200 }),
};

/** A reference to a manifest by uuid or external identifier. */
function reference(name: string, unset: string | null = null) {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name)
    ? { manifestExternalId: unset, manifestUuid: name }
    : { manifestExternalId: name, manifestUuid: unset };
}

function ofPrintingBatch(more: Record<string, string> = {}) {
  return ({ scanner, printingBatch }: Names): Example => ({
    params: { scannerUuid: scanner, batchUuid: printingBatch, ...more },
    status: 200,
  });
}

function ofShipment(more: Partial<Example> = {}) {
  return ({ shipment }: Names): Example => ({
    params: { shipmentExternalId: shipment },
    status: 200,
    ...more,
  });
}

type OfNames<T> = (names: Names) => T;

function ofRecord(named: OfNames<Record<string, string>>, more: OfNames<object> = () => ({})) {
  return (names: Names): Example => ({
    params: { shipmentExternalId: names.shipment, ...named(names) },
    status: 200,
    ...more(names),
  });
}

/** The same for a manifest without shipment. */
function ofAlone(named: OfNames<Record<string, string>>, more?: OfNames<object>) {
  return (names: Names): Example => ({
    ...ofRecord(named, more)(names),
    params: { manifestExternalId: names.alone, ...named(names) },
  });
}

function scan(markerCode: string) {
  return {
    scanId: 'scan-1',
    markerCode: Number(markerCode),
    direction: 'LOAD',
    damaged: true,
    scanDate: LATELY,
    cameraHardwareId: 'CAM-1',
  };
}

function ofTrack(more: Partial<Example> = {}) {
  return ({ track }: Names): Example => ({ params: { trackId: track }, status: 200, ...more });
}

function ofManifest(more: Partial<Example> = {}) {
  return ({ manifest }: Names): Example => ({
    params: { manifestExternalId: manifest },
    status: 200,
    ...more,
  });
}

const ofPublished = ({ publicToken }: Names) => ({ token: publicToken });

function ofOrganization(names: Names): Record<string, string> {
  return { organizationUuid: names.organization };
}

function rotation(_names: Names): Example {
  return { json: { overlapSeconds: 60 }, other: { overlapSeconds: 0 }, status: 200 };
}

function organization(slug: string) {
  return {
    name: 'Acme',
    slug,
    dispatchStrategy: 'SHIPMENT',
    clientFeatureEnabled: true,
    markerAllocationMaximum: 10,
    requestsPerMinute: 1_000_000,
  };
}

function person(name: string, authority: string) {
  return {
    firstName: 'Jane',
    lastName: 'Doe',
    email: `${name}@example.com`,
    phoneNumber: '+31 20 123 45 67',
    authority: { uuid: authority, authorityName: 'VIEWER' },
  };
}

function fields(fieldKey: string) {
  return [{ fieldKey, fieldValue: 'A value' }];
}

/** Operations that change no organization's log. Their records are in the operator's own log. */
export const OF_SERVICE = [
  'createOrganization',
  'updateDatabase',
  'moveOrganization',
  'restoreOrganization',
  'importOrganization',
  'eraseOrganization',
  'createOperator',
  'rotateOperator',
  'revokeOperator',
];

export function exampleOf({ operationId }: Operation, names: Names): Example {
  const example = EXAMPLES[operationId];
  if (!example) throw new Error(`add an example for ${operationId} to test/contract/operations.ts`);
  return example(names);
}
