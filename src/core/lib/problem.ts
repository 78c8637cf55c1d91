/**
 * All problem codes of the API with their HTTP status and title. Errors are made from this table only. A title says the
 * kind of problem in at most eight words; the `detail` of a refusal names the resource.
 */
export const PROBLEMS = {
  malformedJson: [400, 'The body is not well-formed JSON'],
  validationFailed: [400, 'The request is not valid'],
  bodyNotAllowed: [400, 'The operation takes no body'],
  unknownField: [400, 'The body has an unknown field'],
  unknownParameter: [400, 'The query has an unknown parameter'],
  unknownStatus: [400, 'The status is unknown'],
  transitionNotAllowed: [400, 'The status change is not allowed'],
  gateRequired: [400, 'A gate is required'],
  imageInvalid: [400, 'The image is not valid'],
  exportInvalid: [400, 'The export is not valid'],
  exportVersionUnsupported: [400, 'The version of the export is not supported'],
  identifierImmutable: [400, 'The identifier cannot be changed'],
  manifestsEmpty: [400, 'At least one manifest is required'],
  customFieldNotConfigured: [400, 'The custom field is not configured'],
  customFieldNotNumeric: [400, 'The custom field requires a number'],
  customFieldNotDateTime: [400, 'The custom field requires a date and time'],
  authorityNotFound: [400, 'The authority does not exist'],
  unauthorized: [401, 'The credential is missing or not valid'],
  signInFailed: [401, 'The sign-in failed'],
  permissionRequired: [403, 'The permission is missing'],
  tabletRevoked: [403, 'The tablet is revoked'],
  workerRequired: [403, 'A worker has to sign in first'],
  workerGone: [403, 'The worker is not valid any more'],
  crossOriginRefused: [403, 'The form comes from another site'],
  formExpired: [403, 'The form is no longer valid'],
  scopeRequired: [403, 'The scope is missing'],
  shipmentStrategyRequired: [403, 'The organization does not dispatch by shipment'],
  clientFeatureRequired: [403, 'The organization does not use clients'],
  organizationSuspended: [403, 'The organization is suspended'],
  sandboxRequired: [403, 'The organization is not a sandbox'],
  prefetchRefused: [403, 'The request must not be prefetched'],
  notFound: [404, 'The address does not exist'],
  databaseNotFound: [400, 'The database does not exist'],
  organizationNotFound: [404, 'The organization does not exist'],
  apiKeyNotFound: [404, 'The API key does not exist'],
  accessTokenNotFound: [404, 'The access token does not exist'],
  operatorNotFound: [404, 'The operator does not exist'],
  manifestNotFound: [404, 'The manifest does not exist'],
  shipmentNotFound: [404, 'The shipment does not exist'],
  archiveNotFound: [404, 'The archived resource does not exist'],
  assetLoadingNotFound: [404, 'The loading record does not exist'],
  trackNotFound: [404, 'The track does not exist'],
  trackRecordNotFound: [404, 'The track is not on the manifest'],
  customFieldNotFound: [404, 'The custom field does not exist'],
  gateNotFound: [404, 'The gate does not exist'],
  scannerNotFound: [404, 'The scanner does not exist'],
  localManagerNotFound: [404, 'The local manager does not exist'],
  agentNotFound: [404, 'The agent does not exist'],
  clientNotFound: [404, 'The client does not exist'],
  userNotFound: [404, 'The user does not exist'],
  inviteNotFound: [404, 'The link is not valid'],
  tabletNotFound: [404, 'The tablet does not exist'],
  workerNotFound: [404, 'The worker does not exist'],
  webhookNotFound: [404, 'The webhook does not exist'],
  webhookDeliveryNotFound: [404, 'The delivery does not exist'],
  operationNotFound: [404, 'The operation does not exist'],
  deadLetterNotFound: [404, 'The dead letter does not exist'],
  markerCodeNotFound: [404, 'The marker code is not allocated'],
  calibrationNotFound: [404, 'The calibration file does not exist'],
  alertEventNotFound: [404, 'The alert does not exist'],
  auditLogNotFound: [404, 'The audit record does not exist'],
  printingBatchNotFound: [404, 'The printing batch does not exist'],
  photoNotFound: [404, 'The photo does not exist'],
  methodNotAllowed: [405, 'The method is not allowed'],
  externalIdentifierInUse: [409, 'The external identifier is in use'],
  slugInUse: [409, 'The slug is in use'],
  authorityNameInUse: [409, 'The name of the authority is in use'],
  emailInUse: [409, 'The e-mail address is in use'],
  authorityLimitReached: [409, 'The limit of authorities is reached'],
  tabletLinkUsed: [409, 'The link has been used'],
  tabletLimitReached: [409, 'The limit of tablets is reached'],
  workerNameInUse: [409, 'The name of the worker is in use'],
  workerCodeInUse: [409, 'The badge or PIN is in use'],
  workerLimitReached: [409, 'The limit of workers is reached'],
  gateInUse: [409, 'The gate is in use'],
  organizationExists: [409, 'The organization or its slug exists already'],
  organizationNotSuspended: [409, 'The organization is not suspended'],
  moveUnderWay: [409, 'The organization is being moved or exported'],
  databaseClosed: [409, 'The database takes no new organizations'],
  databaseFull: [409, 'The database is full'],
  openShipments: [409, 'The organization has open shipments'],
  manifestsNotAttachable: [409, 'Some manifests cannot be attached'],
  manifestNotPlanned: [409, 'The manifest is not PLANNED'],
  manifestInAnotherShipment: [409, 'The manifest is in another shipment'],
  manifestRepeated: [409, 'The manifest is listed twice'],
  manifestsNotAttached: [409, 'Some manifests are not attached to the shipment'],
  manifestBelongsToShipment: [409, 'The manifest is attached to a shipment'],
  manifestLimitReached: [409, 'The limit of manifests is reached'],
  shipmentClosed: [409, 'The shipment is completed or cancelled'],
  invalidLoadingRecord: [409, 'The pallet does not belong to the load'],
  recordNotInvalidLoading: [409, 'The pallet belongs to the load'],
  displayNameInUse: [409, 'The display name is in use'],
  externalIdInUse: [409, 'The external id is in use'],
  manifestClosed: [409, 'The manifest is completed or cancelled'],
  manifestNotClosed: [409, 'The manifest is not completed or cancelled'],
  signingLinkUsed: [409, 'The signing link has another signature already'],
  signatureLimitReached: [409, 'The load has the maximum number of signatures'],
  backorderExists: [409, 'The manifest has a back order already'],
  nothingLeft: [409, 'No pallet of the manifest was left behind'],
  photoLimitReached: [409, 'The limit of photos is reached'],
  notAtGate: [409, 'Pallet or load is not at the gate'],
  assetLimitReached: [409, 'The limit of assets is reached'],
  customFieldLimitReached: [409, 'The limit of custom fields is reached'],
  emailNotConfigured: [409, 'E-mails are not configured'],
  emailStopped: [409, 'The recipient has stopped the e-mails'],
  webhookLimitReached: [409, 'The limit of webhooks is reached'],
  markerAlreadyCoupled: [409, 'The marker is coupled to another track'],
  wmsIdAlreadyCoupled: [409, 'The WMS id has a track already'],
  markerNotAllocated: [409, 'The marker code is not allocated'],
  markerCodesExhausted: [409, 'No marker codes are left'],
  trackOnOpenManifest: [409, 'The track is on an open manifest'],
  clientHasAssignedPallets: [409, 'The client has assigned pallets'],
  rolledBack: [409, 'Another item failed'],
  batchClosed: [409, 'The printing batch is completed or cancelled'],
  credentialRevoked: [409, 'The credential is revoked or expired'],
  preconditionFailed: [412, 'The resource has changed since it was read'],
  payloadTooLarge: [413, 'The body is too large'],
  upgradeRequired: [426, 'The path requires a WebSocket'],
  unsupportedMediaType: [415, 'The media type is not supported'],
  idempotencyKeyReused: [422, 'The Idempotency-Key belongs to another request'],
  rateLimited: [429, 'The limit of requests is reached'],
  internalError: [500, 'The service failed'],
  temporarilyUnavailable: [503, 'The service is temporarily unavailable'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One thing that is wrong with a request; `field` is a path such as `assets[2]` or `customFields[0].fieldKey`. */
export interface ProblemItem {
  field: string;
  code: ProblemCode;
  message: string;
  rejectedValue?: unknown;
  allowedValues?: readonly string[];
}

/** A refusal that the caller can act on. A refusal is a plain value, so that Durable Object RPC does not change it. */
export interface Refusal {
  code: ProblemCode;
  /** The subject of the refusal, for pages in any language. `detail` has the same for programs. */
  facts?: RefusalFacts;
  /** Set if a problem code has another status than usual: a missing gate in a body gets 400, in a path 404. */
  status?: number;
  detail: string;
  errors?: ProblemItem[];
  allowedValues?: readonly string[];
}

/** The subject of a refusal. */
export interface RefusalFacts {
  /** The name of the thing: an identifier, or the name that people gave it. */
  name?: string;
  /** The status of the thing, and the status that it cannot have. */
  status?: string;
  to?: string;
  /** The name of another thing: the shipment of a manifest, the gate of a pallet. */
  other?: string;
  /** A limit that is reached. */
  maximum?: number;
  /** Permissions that the user lacks. */
  permissions?: readonly string[];
}

/** The maximum number of items that one refusal lists. */
export const ERRORS_MAXIMUM = 100;

/** Make a refusal. `errors` are all failing items; the first `ERRORS_MAXIMUM` are listed. */
export function refusal(
  code: ProblemCode,
  detail: string,
  more: Omit<Refusal, 'code' | 'detail'> = {},
): Refusal {
  const { errors } = more;
  if (errors === undefined || errors.length <= ERRORS_MAXIMUM) return { code, detail, ...more };
  return {
    code,
    ...more,
    detail: `${detail} Only the first ${ERRORS_MAXIMUM} failing items are listed.`,
    errors: errors.slice(0, ERRORS_MAXIMUM),
  };
}

/** The HTTP status of a refusal. */
export function refusalStatus({ code, status }: Refusal): number {
  return status ?? PROBLEMS[code][0];
}

/** Thrown at the edge only; the error handler answers it as `application/problem+json`. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly refusal: Refusal;
  readonly headers: Record<string, string>;
  constructor(refused: Refusal, headers: Record<string, string> = {}) {
    super(refused.code);
    this.refusal = refused;
    this.headers = headers;
  }
}
