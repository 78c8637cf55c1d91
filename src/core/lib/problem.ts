/** All problem codes of the API with their HTTP status and title. Errors are made from this table only. */
export const PROBLEMS = {
  malformedJson: [400, 'The body is not well-formed JSON'],
  validationFailed: [400, 'The request is not valid'],
  unknownField: [400, 'The body has a field that is not part of this operation'],
  unknownParameter: [400, 'The query has a parameter that is not part of this operation'],
  unknownStatus: [400, 'The status is not one of the known values'],
  transitionNotAllowed: [400, 'The status cannot be reached from the current one'],
  gateRequired: [400, 'A gate has to be assigned first'],
  exportInvalid: [400, 'The body is no export, or not all of one as it was made'],
  exportVersionUnsupported: [400, 'The export is of a version that is not known here'],
  identifierImmutable: [400, 'An identifier that is in use cannot be changed'],
  manifestsEmpty: [400, 'At least one manifest has to be named'],
  customFieldNotConfigured: [400, 'The organization has no such custom field'],
  customFieldNotNumeric: [400, 'The custom field takes a number'],
  customFieldNotDateTime: [400, 'The custom field takes a date and time with an offset'],
  authorityNotFound: [400, 'The authority does not exist'],
  unauthorized: [401, 'The credential is absent or not valid here'],
  signInFailed: [401, 'The sign-in failed'],
  permissionRequired: [403, 'The user may not do this'],
  tabletRevoked: [403, 'The tablet is revoked'],
  workerRequired: [403, 'Nobody has said who works at the tablet'],
  workerGone: [403, 'The worker was deleted or has another badge or PIN'],
  crossOriginRefused: [403, 'A form is taken from the service itself only'],
  formExpired: [403, 'The form is no longer valid'],
  scopeRequired: [403, 'The access token or operator lacks the scope'],
  shipmentStrategyRequired: [403, 'The organization does not dispatch by shipment'],
  clientFeatureRequired: [403, 'The organization does not have clients'],
  organizationSuspended: [403, 'The organization is suspended'],
  sandboxRequired: [403, 'The organization is not a sandbox'],
  prefetchRefused: [403, 'A request that is sent ahead changes nothing'],
  notFound: [404, 'There is nothing at this path'],
  databaseNotFound: [400, 'The database does not exist'],
  organizationNotFound: [404, 'The organization does not exist'],
  apiKeyNotFound: [404, 'The API key does not exist'],
  accessTokenNotFound: [404, 'The access token does not exist'],
  operatorNotFound: [404, 'The operator does not exist'],
  manifestNotFound: [404, 'The manifest does not exist'],
  shipmentNotFound: [404, 'The shipment does not exist'],
  archiveNotFound: [404, 'The archive has no such manifest or shipment'],
  assetLoadingNotFound: [404, 'The shipment or manifest has no such loading record'],
  trackNotFound: [404, 'The track does not exist'],
  trackRecordNotFound: [404, 'The track is not associated with the manifest'],
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
  methodNotAllowed: [405, 'The path does not take this method'],
  externalIdentifierInUse: [409, 'The external identifier is in use'],
  slugInUse: [409, 'The slug is in use'],
  authorityNameInUse: [409, 'Another authority has the name, but for its case'],
  emailInUse: [409, 'The e-mail address is in use'],
  authorityLimitReached: [409, 'The organization holds as many authorities as it can'],
  tabletLinkUsed: [409, 'The link was used already'],
  tabletLimitReached: [409, 'There are as many tablets as there can be'],
  workerNameInUse: [409, 'Another worker has the name'],
  workerCodeInUse: [409, 'Another worker has the badge or PIN'],
  workerLimitReached: [409, 'The organization has as many workers as it can'],
  gateInUse: [409, 'An open manifest or shipment is assigned to the gate'],
  organizationExists: [409, 'The organization, or one with its slug, is there already'],
  organizationNotSuspended: [409, 'The organization has to be suspended first'],
  moveUnderWay: [409, 'The organization is being moved'],
  databaseClosed: [409, 'The database takes no organizations'],
  databaseFull: [409, 'The database has no room'],
  openShipments: [409, 'The organization has shipments that are not closed'],
  manifestsNotAttachable: [409, 'Some of the manifests cannot be attached'],
  manifestNotPlanned: [409, 'The manifest is not PLANNED'],
  manifestInAnotherShipment: [409, 'The manifest is in another shipment'],
  manifestRepeated: [409, 'The manifest is named twice'],
  manifestsNotAttached: [409, 'Some of the manifests are not attached to the shipment'],
  manifestBelongsToShipment: [409, 'The manifest is attached to a shipment'],
  manifestLimitReached: [409, 'The shipment has as many manifests as it can'],
  shipmentClosed: [409, 'The shipment is completed or cancelled'],
  invalidLoadingRecord: [409, 'The record is of an invalid loading'],
  recordNotInvalidLoading: [409, 'The record is not of an invalid loading'],
  displayNameInUse: [409, 'The display name is in use'],
  externalIdInUse: [409, 'The external id is in use'],
  manifestClosed: [409, 'The manifest is completed or cancelled'],
  assetLimitReached: [409, 'The manifest holds as many assets as it can'],
  customFieldLimitReached: [409, 'The resource holds as many custom fields as it can'],
  webhookLimitReached: [409, 'The organization holds as many webhooks as it can'],
  markerAlreadyCoupled: [409, 'The marker is coupled to another track'],
  wmsIdAlreadyCoupled: [409, 'The WMS id has a live track'],
  markerNotAllocated: [409, 'The marker code is not allocated to the organization'],
  markerCodesExhausted: [409, 'There are no marker codes left'],
  trackOnOpenManifest: [409, 'The track is on an open manifest'],
  clientHasAssignedPallets: [409, 'Pallets are assigned to the client'],
  rolledBack: [409, 'Another item was at fault, and all or none were to take effect'],
  batchClosed: [409, 'The printing batch is completed or cancelled'],
  credentialRevoked: [409, 'The credential is revoked or expired'],
  preconditionFailed: [412, 'The resource has changed since it was read'],
  payloadTooLarge: [413, 'The body is too large'],
  upgradeRequired: [426, 'The path takes WebSockets'],
  unsupportedMediaType: [415, 'The body has to be of the media type of the operation'],
  idempotencyKeyReused: [422, 'The Idempotency-Key was used for another request'],
  rateLimited: [429, 'The organization has used up its requests for this minute'],
  internalError: [500, 'The service failed'],
  temporarilyUnavailable: [503, 'The service cannot answer right now'],
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

/** A refusal that the caller can act on. It is a plain value, so that it survives Durable Object RPC. */
export interface Refusal {
  code: ProblemCode;
  /** Set where a code has another status than usual: a missing gate is 400 in a body, 404 in a path. */
  status?: number;
  detail: string;
  errors?: ProblemItem[];
  allowedValues?: readonly string[];
}

/** The most items that one refusal lists. */
export const ERRORS_MAXIMUM = 100;

/** Make a refusal; `errors` are all failing items, of which the first `ERRORS_MAXIMUM` are listed. */
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
    detail: `${detail} Of the items at fault the first ${ERRORS_MAXIMUM} are named.`,
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
