/** The parts of the service's answers that the demo reads. */

/** A custom field. */
export interface CustomFieldValue {
  fieldKey: string;
  fieldValue: string;
}

/** A gate as other resources name it. */
export type GateRef = { externalIdentifier: string } | null;

/** A manifest as other resources name it. */
export interface ManifestRef {
  manifestExternalId: string;
  manifestUuid: string;
}

/** Assets planned, assets to be loaded, and assets loaded. */
export interface Counts {
  tracksCount: number;
  totalAssetsCount: number;
  loadedAssetsCount: number;
}

/** The pages of a manifest or shipment. */
interface Pages {
  deepLink: string;
  shipmentSummaryUrl?: string;
  proofOfShipmentUrl: string | null;
}

export interface Manifest extends Counts, Pages {
  externalIdentifier: string;
  manifestStatus: string;
  activateDate: string | null;
  closeDate: string | null;
  gate: GateRef;
  customFields: CustomFieldValue[];
  validationErrors: { nonExistingTracks: unknown[] } | null;
}

export interface Shipment extends Counts, Pages {
  externalIdentifier: string;
  status: string;
  activateDate: string | null;
  closeDate: string | null;
  gate: GateRef;
  manifests: ManifestRef[];
  customFields: CustomFieldValue[];
}

/** Answer of …/validate. */
export interface Validation {
  valid: boolean;
  cancelledManifests: ManifestRef[];
  manifests: (ManifestRef & {
    duplicatedTracks: unknown[];
    nonExistingTracks: { trackIdentifier: string }[];
    deactivatedTracks: unknown[];
  })[];
}

export interface Track {
  uuid: string;
  wmsId: string;
  markerCode: number;
  markerImageUrl: string;
  trackStatus: string;
  deepLink: string;
  customFields: CustomFieldValue[];
  manifests: { manifestExternalId: string; loadingStatus: string }[];
}

export interface Asset {
  trackIdentifier: string;
  track: { wmsId: string; markerCode: number } | null;
  loadingStatus: string;
  gate: GateRef;
}

/** A loading record: a pallet on a manifest, which may expect it or not. */
export interface LoadingRecord {
  recordUuid: string;
  trackIdentifier: string | null;
  loadingStatus: string;
  gate: GateRef;
  manifest: ManifestRef;
}

/** The result of a scan. */
export interface ScanResult {
  scanId: string;
  outcome: string;
  recordUuid: string | null;
  manifestExternalId: string | null;
  trackIdentifier: string | null;
}

export interface AlertEvent {
  alertType: string;
  status: string;
  message: string;
  trackIdentifier: string | null;
  markerCode: number | null;
  shipmentExternalId: string | null;
}

export interface GateListing {
  externalIdentifier: string;
  status: string;
  openAlertsCount: number;
}
