import { API, type ErrorDoc, OPERATOR_API } from './error-doc.ts';

/** Codes of invalid requests, and codes of limits and failures of the service. */
export const REQUEST_ERRORS = {
  malformedJson: [
    'The body is not well-formed JSON in UTF-8, or is nested deeper than 64 levels.',
    'Build the body with a JSON library. `detail` names the line and column of the fault, or says that the body is empty, incomplete or nested too deep.',
  ],
  validationFailed: [
    'A value is missing, or has a wrong type, length or form. A request with several kinds of faults has this code, too.',
    'Correct every item of `errors[]`. Its `field` is the path of the value, and `message` names the rule.',
  ],
  bodyNotAllowed: [
    'The operation takes no body, but the request has one.',
    'Send the request without a body. An empty body, `null` and `{}` are accepted.',
  ],
  unknownField: [
    'The body has a field that the operation does not document, often a typing error.',
    'Remove or rename the field. `errors[].field` names it.',
  ],
  unknownParameter: [
    'The query has a parameter that the operation does not document.',
    'Use one of the names in `allowedValues`.',
  ],
  unknownStatus: ['The status in the path does not exist.', 'Use one of the values in `allowedValues`.'],
  transitionNotAllowed: [
    'The present status does not allow this change. For example, a completed manifest cannot start again.',
    'Read the resource. Change it to one of the statuses in `allowedValues`.',
  ],
  gateRequired: [
    'The manifest or shipment has no gate, so it cannot be in progress. Or the request changes a loading status without naming a gate.',
    `Assign a gate with \`POST ${API}/manifest/{manifestExternalId}/gate/{gateExternalId}\`. For a shipment, use the same path below \`${API}/shipment\`. To change a loading status, name the gate in \`gateExternalId\`. Then send the request again.`,
  ],
  imageInvalid: [
    'The body is not a complete image that browsers show, or it has more than 25 megapixels or 2,000 parts.',
    'Read `detail`. Then send a complete JPEG, PNG or WebP file of at most 25 megapixels.',
  ],
  exportInvalid: [
    'The file is not a complete and unmodified export of this service.',
    'Export the organization again. `detail` names the line and column of the fault.',
  ],
  exportVersionUnsupported: [
    'A newer version of the service made the export.',
    'Update this service to at least that version. Then import the file again.',
  ],
  identifierImmutable: [
    'The request changes an identifier that stays the same as long as the resource exists.',
    'Send the present identifier, or leave the field out. For another identifier, create another resource.',
  ],
  manifestsEmpty: [
    'The list `manifests` is missing or empty.',
    'Send at least one manifest with its external identifier.',
  ],
  customFieldNotConfigured: [
    'The organization has no custom field with this `fieldKey` for shipments.',
    'Use one of the keys in `allowedValues`. An administrator adds fields at `/app/settings`.',
  ],
  customFieldNotNumeric: [
    'The custom field takes numbers only, and the value is not a number.',
    'Send a decimal number as text, such as `"12.5"`.',
  ],
  customFieldNotDateTime: [
    'The custom field requires a date and time with an offset from UTC. The value has another form.',
    'Send ISO 8601 with an offset, such as `2026-11-22T14:30:00+01:00`.',
  ],
  databaseNotFound: [
    'The service has no database with this name.',
    `List the databases with \`GET ${OPERATOR_API}/database\`.`,
  ],
  authorityNotFound: [
    'The organization has no authority with this name or uuid.',
    `List the authorities with \`GET ${API}/authority\`.`,
  ],
  notFound: [
    'No operation has this path. It is wrong, or a placeholder in it was not replaced.',
    'Compare the path with the [reference](/docs). Percent-encode identifiers: write `/` as `%2F`.',
  ],
  methodNotAllowed: [
    'The path exists, but not for this method.',
    'Use a method of the `Allow` header. If a client cannot send PUT, PATCH or DELETE, send POST with `X-HTTP-Method-Override`.',
  ],
  preconditionFailed: [
    'The resource changed after you read it, so `If-Match` does not contain its present `ETag`.',
    'Read the resource again. Apply your change to it, and send it with the new `ETag`.',
  ],
  payloadTooLarge: [
    'The body is larger than the operation allows. For a compressed body, the uncompressed size counts.',
    'Send fewer items in one request, or a smaller file. The [limits](/docs/limits) list the sizes.',
  ],
  upgradeRequired: [
    'The path is for WebSockets of the operations pages only.',
    `Programs read events with \`GET ${API}/event\`, or receive [webhooks](/docs/webhooks).`,
  ],
  unsupportedMediaType: [
    'The `Content-Type`, its `charset` or the `Content-Encoding` is not supported.',
    'Send `Content-Type: application/json` in UTF-8, unless the operation names another type. The only encoding is `gzip`.',
  ],
  idempotencyKeyReused: [
    'This `Idempotency-Key` was used for a request with another method, path, query or body.',
    'Use a new key for each new action. A repeat has the same method, path, query and body.',
  ],
  rateLimited: [
    'The organization or the address has sent more requests than its quota allows.',
    'Wait as many seconds as `Retry-After` says. Then send the same request with the same `Idempotency-Key`. The `RateLimit` header shows the remaining quota.',
  ],
  internalError: [
    'An error in the service stopped the request.',
    'Send the request again later with the same `Idempotency-Key`, so that it takes effect once. If it fails again, report the `requestId` to the operator.',
  ],
  temporarilyUnavailable: [
    'The service or its database did not answer in time. The request may have taken effect.',
    'Wait as many seconds as `Retry-After` says. Then send the same request with the same `Idempotency-Key`. It takes effect once.',
  ],
} as const satisfies Record<string, ErrorDoc>;
