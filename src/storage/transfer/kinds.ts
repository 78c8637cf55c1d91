import { z } from '@hono/zod-openapi';
import { apiKeyCreateSchema, SCOPES } from '../../access/credential/schema.ts';
import { isIssuer } from '../../access/oidc/rules.ts';
import { ISSUER_MAXIMUM, providerShape } from '../../access/oidc/schema.ts';
import { PASSKEY_NAME_MAXIMUM, passkeyHost } from '../../access/passkey/rules.ts';
import { VIEW_NAME_MAXIMUM, VIEW_QUERY_MAXIMUM } from '../../access/saved-view/store.ts';
import { USER_AGENT_MAXIMUM } from '../../access/session/rules.ts';
import { emailKey } from '../../access/user/email-rules.ts';
import { isPasswordHash } from '../../access/user/password.ts';
import { authorityNameSchema, authorityPutSchema, userCreateSchema } from '../../access/user/schema.ts';
import { REQUEST_ID } from '../../core/http/middleware.ts';
import { identifier, nameText, newIdentifier, text } from '../../core/http/schema.ts';
import { canonicalAddress } from '../../core/lib/address.ts';
import { isDots } from '../../core/lib/dots.ts';
import { isUuid7 } from '../../core/lib/id.ts';
import { urlFault } from '../../core/lib/outgoing-url.ts';
import { fold, foldedBeyondAscii, isStorable } from '../../core/lib/text.ts';
import { isDateNumber } from '../../core/lib/time.ts';
import { traceparentOf } from '../../core/lib/trace.ts';
import { ACTOR_TYPES, ENTITY_TYPES } from '../../core/writer/audit-table.ts';
import { RECORDS_MAXIMUM } from '../../core/writer/log.ts';
import { NUMBER_MAXIMUM } from '../../core/writer/numbers.ts';
import { isMailto, recipientOf } from '../../delivery/webhook/mail-rules.ts';
import {
  ATTEMPTS_KEPT,
  FAULT_CODES,
  isCustomHeader,
  MESSAGE_DELIVERIES,
  refuseAddress,
  refuseSubscription,
} from '../../delivery/webhook/rules.ts';
import { DELIVERED_TYPES, HEADERS_MAXIMUM, webhookCreateSchema } from '../../delivery/webhook/schema.ts';
import { SECRETS_MAXIMUM } from '../../delivery/webhook/secret.ts';
import type { WebhookFormat } from '../../delivery/webhook/table.ts';
import { isAlert } from '../../dispatch/alert/rules.ts';
import { CALIBRATION_BYTES_MAXIMUM, hardwareId } from '../../dispatch/calibration/schema.ts';
import { clientWriteSchema } from '../../dispatch/client/schema.ts';
import { isBlank } from '../../dispatch/custom-field/rules.ts';
import { customFieldSchema } from '../../dispatch/custom-field/schema.ts';
import {
  heartbeatSchema,
  localManagerCreateSchema,
  scannerCreateSchema,
} from '../../dispatch/device/schema.ts';
import { GATE_STATUSES, gateUpsertSchema } from '../../dispatch/gate/schema.ts';
import { STROKES_BYTES_MAXIMUM } from '../../dispatch/load/shared/signature-rules.ts';
import { signatureCreateSchema, strokesSchema } from '../../dispatch/load/shared/signature-schema.ts';
import {
  shipmentArrivalSchema,
  shipmentCreateSchema,
  shipmentStatusQuery,
} from '../../dispatch/load/shipment/schema.ts';
import { isReusedId } from '../../dispatch/loading/scan-rules.ts';
import { scanSchema } from '../../dispatch/loading/schema.ts';
import { SCAN_OUTCOMES } from '../../dispatch/loading/table.ts';
import { MARKER_CODE_MAXIMUM } from '../../dispatch/marker/rules.ts';
import { PHOTO_BYTES_MAXIMUM } from '../../dispatch/photo/rules.ts';
import { CODE_KINDS, tabletName, workerName } from '../../dispatch/tablet/rules.ts';
import { ACTIVITY_TYPES, type DetailCode, TIMELINE_DETAILS } from '../../dispatch/track/rules.ts';
import { commentCreateSchema } from '../../dispatch/track/schema.ts';
import { PART_ITEMS_MAXIMUM } from '../../log/operation/rules.ts';
import { QUEUES } from '../dead-letter/queues.ts';
import { type LineBudget, parseCell } from './line.ts';

/** The values of a row by column. */
export type Values = Record<string, string | number | null>;

/** The deployment that imports, and the budget of the line. */
export interface Reading {
  /** Whether webhooks may have a loopback address. */
  allowLoopback: boolean;
  /** The origins at which the deployment serves the organization. */
  origins: readonly string[];
  budget: LineBudget;
}

/** The rule for the values of a column. It is asked for values that are not null. */
export interface Kind {
  /** The fault of a value; undefined if the service may have written it. @throws `OverBudget` */
  fault(value: unknown, row: Values, reading: Reading): string | undefined;
}

type Holds = (value: unknown, row: Values, reading: Reading) => boolean;

const kind = (what: string, holds: Holds): Kind => ({
  fault: (...given) => (holds(...given) ? undefined : `is not ${what}`),
});
/** A value that the API accepts in a member of a body. */
const accepted = (schema: z.ZodType): Kind => ({
  fault(value) {
    const { error } = schema.safeParse(value);
    return error && `is not what the API accepts: ${error.issues[0]!.message.replace(/\.$/, '')}`;
  },
});
const both = (first: Kind, second: Kind): Kind => ({
  fault: (...given) => first.fault(...given) ?? second.fault(...given),
});
/** An identifier that the API accepts, and that is part of paths. */
const pathName = (schema: z.ZodType): Kind =>
  both(
    accepted(schema),
    kind('a name that can be part of a path', (value) => !isDots(String(value))),
  );
const matching = (what: string, pattern: RegExp): Kind =>
  kind(what, (value) => typeof value === 'string' && pattern.test(value));
const integer = (what: string, minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Kind =>
  kind(what, (value) => Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum);
export const oneOf = (values: readonly (string | number)[]): Kind =>
  kind(`one of ${values.join(', ')}`, (value) => values.includes(value as string));
/** The folded form of another column. */
const foldOf = (column: string, folded: (text: string) => string | null = fold): Kind =>
  kind(`the folded ${column}`, (value, row) => value === folded(String(row[column] ?? '')));

/** The largest value that D1 stores, in bytes. */
const VALUE_BYTES_MAXIMUM = 2_000_000;

const json = (what: string, holds: (content: unknown, row: Values) => boolean): Kind =>
  kind(
    what,
    (value, row, { budget }) =>
      typeof value === 'string' &&
      Buffer.byteLength(value) <= VALUE_BYTES_MAXIMUM &&
      isStorable(value) &&
      holds(parseCell(value, budget), row),
  );
const isObject = (content: unknown): content is Record<string, unknown> =>
  typeof content === 'object' && content !== null && !Array.isArray(content);
const jsonList = (what: string, schema: z.ZodType): Kind =>
  json(what, (content) => Array.isArray(content) && schema.safeParse(content).success);

/** Text that the service composes, such as messages. It has at most this many UTF-16 units. */
const COMPOSED_MAXIMUM = 100_000;
const composed = kind(
  `text of 1 to ${COMPOSED_MAXIMUM} characters`,
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= COMPOSED_MAXIMUM && isStorable(value),
);

const uuid = kind('a UUID version 7 in lower case', (value) => typeof value === 'string' && isUuid7(value));
const date = kind('a date of the years 0 to 9999', isDateNumber);
const [SHA256, SALT] = [/^[0-9a-f]{64}$/, /^[0-9a-f]{32}$/];
const hash = matching('a SHA-256 in lower-case hexadecimal', SHA256);
const flag = oneOf([0, 1]);
const count = integer('an integer of 0 or more', 0);
const ordinal = integer('an integer of 1 or more', 1);
const markerCode = integer('a marker code', 1, MARKER_CODE_MAXIMUM);
const token = matching('a token', /^[A-Za-z0-9_-]{16,128}$/);
const base64url = matching('base64url', /^[A-Za-z0-9_-]{1,20000}$/);
const requestId = matching('the id of a request', REQUEST_ID);
const ipAddress = kind(
  'an IP address in its canonical form',
  (value) => typeof value === 'string' && canonicalAddress(value) === value,
);
const issuer = both(
  // The provider itself may have a slash behind the issuer that was entered.
  accepted(text(1, ISSUER_MAXIMUM + 1)),
  kind(
    'the issuer of an identity provider',
    (value, _row, { allowLoopback }) =>
      isIssuer(String(value)) && urlFault(String(value), { allowLoopback }) === undefined,
  ),
);
/** RFC 1035 section 2.3.4. */
const HOST_LENGTH_MAXIMUM = 253;
const isHost = (value: string): boolean =>
  value.length <= HOST_LENGTH_MAXIMUM &&
  passkeyHost(value) === value &&
  URL.parse(`https://${value}`)?.hostname === value;
/** The name of the author, or an empty text for a user. */
const author = accepted(text(0, 255));
const cameraDates = json(
  'dates by camera',
  (content) => isObject(content) && Object.values(content).every(isDateNumber),
);
/** The key of an object in the bucket, which `ObjectKeys` validates. */
export const objectKey: Kind = { ...composed };

const { firstName, lastName, email, phoneNumber } = userCreateSchema.shape;
const { serialNumber } = scannerCreateSchema.shape;
const { attachments, additionalInfo } = commentCreateSchema.shape;
const webhookShape = webhookCreateSchema.shape;

const webhookUrl = kind('an address that a webhook may have', (value, row, { allowLoopback }) => {
  const [url, format] = [String(value), row['format'] as WebhookFormat];
  const isAllowed = isMailto(url) || urlFault(url, { allowLoopback }) === undefined;
  return isAllowed && refuseAddress({ url, format }) === undefined;
});
const subscribed = kind('a list of event types that the format has messages for', (value, row) => {
  const subscription = { eventTypes: JSON.parse(String(value)) as string[], alertTypes: undefined };
  return refuseSubscription({ ...subscription, format: row['format'] as WebhookFormat }) === undefined;
});
/** Of a developer machine. */
const LOCAL = /^http:\/\/(127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)*localhost)(:\d+)?$/;
const linkOrigin = kind('an origin with https', (value, _row, { origins }) => {
  const link = String(value);
  const isOrigin = URL.parse(link)?.origin === link;
  return origins.includes(link) || (isOrigin && (link.startsWith('https:') || LOCAL.test(link)));
});

const permissionList = jsonList('a list of permissions', authorityPutSchema.shape.permissions);
const dateNumber = z.number().refine(isDateNumber);
const sealed = z.string().min(1);
const headers = z
  .array(z.strictObject({ name: z.string().refine(isCustomHeader), value: sealed }))
  .max(HEADERS_MAXIMUM);
const secrets = z
  .array(z.strictObject({ sealed, validUntilDate: dateNumber.nullable() }))
  .min(1)
  .max(SECRETS_MAXIMUM);
const attempt = z.looseObject({
  attemptDate: dateNumber,
  durationMs: z.number(),
  error: z.enum(FAULT_CODES).nullable(),
});
const attempts = z.array(attempt).max(ATTEMPTS_KEPT);
const messageDelivery = z.strictObject({
  sequenceNumber: z.int().min(1),
  eventUuid: z.string().refine(isUuid7),
  eventType: z.enum(DELIVERED_TYPES),
});
const settledDeliveries = z
  .array(messageDelivery.extend({ attempt: attempt.nullable() }))
  .min(1)
  .max(MESSAGE_DELIVERIES);
const openMessage = z.strictObject({
  claim: z.string().refine(isUuid7),
  dueDate: dateNumber,
  openedDate: dateNumber.nullable(),
  createDate: dateNumber,
  deliveries: z.array(messageDelivery).min(1).max(MESSAGE_DELIVERIES),
});
const operationItems = z
  .array(
    z.union([
      z.strictObject({
        identifier: text(0, 255),
        input: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
      }),
      z.strictObject({
        identifier: text(0, 255),
        error: z
          .strictObject({ code: z.string().regex(/^\w{1,100}$/), message: z.string().min(1) })
          .nullable(),
      }),
    ]),
  )
  .min(1)
  .max(PART_ITEMS_MAXIMUM);

const isText = (value: unknown): value is string => typeof value === 'string';
const isChange = (change: unknown): boolean =>
  Array.isArray(change)
    ? change.length === 3 && isText(change[0])
    : isObject(change) && isText(change['field']);
const isPerson = (content: unknown): boolean =>
  isObject(content) &&
  SHA256.test(String(content['commitment'])) &&
  (content['salt'] === null || SALT.test(String(content['salt']))) &&
  Array.isArray(content['fields']) &&
  content['fields'].every(isText) &&
  Object.keys(content).length === 3;

/** A list of any length. It is refused at its first wrong item, because `z.array` would collect a fault for each one. */
const all = <T>(isRight: (item: unknown) => boolean) =>
  z.custom<T[]>((list) => Array.isArray(list) && list.every(isRight));

/** The length of a hash in hexadecimal. */
export const HASH_LENGTH = 64;
const logNumber = integer('the number of a record or event', 1, NUMBER_MAXIMUM);
const logRecords = z
  .array(
    z.tuple([
      z.string().regex(/^[A-Z][A-Z_]{0,99}$/),
      z.enum(ENTITY_TYPES),
      // Not a uuid, because some audited things have no row. A database, for example, is named by its name.
      identifier,
      text(0, 500).nullable(),
      all(isChange),
      z.unknown().refine(isPerson).optional(),
    ]),
  )
  .min(1)
  .max(RECORDS_MAXIMUM);
const detail = z.union([
  z.strictObject({ code: z.enum(Object.keys(TIMELINE_DETAILS) as DetailCode[]) }),
  z.strictObject({ markerCode: z.int().min(1).max(MARKER_CODE_MAXIMUM) }),
  z.strictObject({ outcome: z.enum(SCAN_OUTCOMES) }),
  z.strictObject({ note: text(0, 1_000) }),
]);
const logEntry = z.tuple([
  z.enum(ACTIVITY_TYPES),
  identifier.nullable(),
  identifier.nullable(),
  z.string().refine(isUuid7).nullable(),
  all((item) => detail.safeParse(item).success).nullable(),
  z.int().refine(isDateNumber).nullable(),
  z.union([z.literal(0), z.literal(1)]),
  all<string>((item) => isText(item) && isUuid7(item)).refine(({ length }) => length > 0),
  z.int().min(0),
]);
const logEntries = all<z.infer<typeof logEntry>>((item) => logEntry.safeParse(item).success)
  .refine(({ length }) => length > 0)
  // Each group begins after the entries before it.
  .refine((groups) => {
    let before = 0;
    return groups.every(([, , , , , , , tracks, place]) => {
      const isNext = place === before;
      before += tracks.length;
      return isNext;
    });
  });
const isError = (content: unknown): boolean =>
  isObject(content) && isText(content['code']) && isText(content['message']);
const isActor = (content: unknown): boolean =>
  isObject(content) &&
  ACTOR_TYPES.some((type) => type === content['actorType']) &&
  (content['uuid'] == null || isText(content['uuid'])) &&
  isText(content['displayName']);

/** A blank value removes the field. */
const fieldValue = both(
  accepted(customFieldSchema.shape.fieldValue),
  kind('a value that is not blank', (value) => !isBlank(String(value))),
);
const scanId: Kind = {
  fault(value, row, reading) {
    const given = accepted(scanSchema.shape.scanId).fault(value, row, reading);
    return given !== undefined && isReusedId(String(value)) ? undefined : given;
  },
};

const mailbox = kind(
  'an e-mail address in lower case without a tag',
  (value) => value !== '' && recipientOf(`mailto:${value}`) === value,
);

/** The kinds of columns, by table and column. */
const OF_TABLES: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  command_log: {
    sequence_number: logNumber,
    actor_display_name: accepted(text(1, 255)),
    actor_salt: matching('128 bits in lower-case hexadecimal', SALT),
    hashes: kind(
      `1 to ${RECORDS_MAXIMUM} SHA-256 in lower-case hexadecimal`,
      (value) =>
        typeof value === 'string' &&
        value.length <= RECORDS_MAXIMUM * HASH_LENGTH &&
        value.length % HASH_LENGTH === 0 &&
        /^[0-9a-f]+$/.test(value),
    ),
    records: jsonList('a list of audit records', logRecords),
    entries: jsonList('a list of timeline entries', logEntries),
  },
  idempotency: {
    // Keys of pages have the owner of the form before them, and the row behind them.
    key: accepted(text(1, 500)),
    // A uuid for a command of the service.
    fingerprint: matching('a fingerprint', /^[0-9a-f-]{0,64}$/),
    command_id: uuid,
    body: json('JSON', (content) => content !== undefined),
    refusal: json('a refusal', (content) => isObject(content) && isText(content['code'])),
  },
  event_log: {
    sequence_number: logNumber,
    entity_external_id: accepted(identifier),
    data: json('a JSON object', isObject),
    error: json('an error', isError),
    traceparent: kind('a traceparent', (value) => traceparentOf(String(value)) === value),
  },
  authority: { authority_name: pathName(authorityNameSchema), permissions: permissionList },
  user: {
    first_name: accepted(firstName),
    last_name: accepted(lastName),
    // An erased user has no e-mail address.
    email: {
      fault: (value, row, reading) =>
        value === '' && row['deleted_date'] != null ? undefined : accepted(email).fault(value, row, reading),
    },
    phone_number: accepted(phoneNumber),
    password_hash: kind('a hash of a password', (value) => isText(value) && isPasswordHash(value)),
    folded_first_name: foldOf('first_name'),
    folded_last_name: foldOf('last_name'),
    folded_email: foldOf('email', emailKey),
  },
  session: { user_agent: accepted(text(0, USER_AGENT_MAXIMUM)) },
  saved_view: {
    list: matching('the path of a page', /^\/app(\/[a-z-]{1,50}){1,5}$/),
    name: accepted(text(1, VIEW_NAME_MAXIMUM)),
    query: accepted(text(1, VIEW_QUERY_MAXIMUM)),
  },
  identity_provider: { issuer, client_id: accepted(providerShape.clientId), client_secret: composed },
  identity: { issuer, subject: composed },
  passkey: {
    credential_id: base64url,
    public_key: base64url,
    host: kind('a host that may have passkeys', (value) => isText(value) && isHost(value)),
    name: accepted(nameText(PASSKEY_NAME_MAXIMUM)),
  },
  credential: {
    kind: oneOf(['API_KEY', 'ACCESS_TOKEN']),
    name: accepted(apiKeyCreateSchema.shape.name),
    prefix: matching('the beginning of a secret', /^wd[kt]_(live|test)_[0-9A-Za-z]{1,40}$/),
    scopes: jsonList('a list of scopes', z.array(z.enum(SCOPES)).max(SCOPES.length)),
  },
  gate: {
    external_identifier: accepted(newIdentifier),
    name: accepted(gateUpsertSchema.shape.name),
    gln: accepted(gateUpsertSchema.shape.gln),
    told_status: oneOf(GATE_STATUSES),
    folded_identifier: foldOf('external_identifier'),
    folded_name: foldOf('name'),
  },
  gate_tablet: { name: accepted(tabletName) },
  gate_worker: {
    name: accepted(workerName),
    folded_name: foldOf('name'),
    offline_key: hash,
    code_kind: oneOf(CODE_KINDS),
  },
  gate_turn: { worker_name: accepted(workerName) },
  device: {
    name: accepted(scannerCreateSchema.shape.name),
    serial_number: accepted(serialNumber),
    hostname: accepted(localManagerCreateSchema.shape.hostname),
    software_version: accepted(heartbeatSchema.shape.softwareVersion),
    last_error: accepted(heartbeatSchema.shape.lastError),
    folded_name: foldOf('name'),
    folded_serial_number: foldOf('serial_number'),
    folded_hostname: foldOf('hostname'),
  },
  calibration: {
    hardware_id: accepted(hardwareId),
    object_key: objectKey,
    size_bytes: integer('the size of a calibration file', 1, CALIBRATION_BYTES_MAXIMUM),
  },
  client: {
    display_name: accepted(clientWriteSchema.shape.displayName),
    external_id: pathName(clientWriteSchema.shape.externalId),
    folded_display_name: foldOf('display_name'),
    folded_external_id: foldOf('external_id'),
  },
  printing_batch: {
    external_identifier: accepted(newIdentifier),
    folded_identifier: foldOf('external_identifier'),
  },
  track: {
    wms_id: accepted(newIdentifier),
    camera_dates: cameraDates,
    folded_wms_id: foldOf('wms_id'),
  },
  track_comment: {
    additional_info: accepted(additionalInfo),
    attachments: jsonList('a list of attachments', attachments),
    author,
  },
  custom_field: {
    field_key: pathName(customFieldSchema.shape.fieldKey),
    field_value: fieldValue,
    folded_value: foldOf('field_value', foldedBeyondAscii),
  },
  asset_loading: { wms_id: accepted(newIdentifier), camera_dates: cameraDates },
  manifest: {
    external_identifier: accepted(newIdentifier),
    proof_names: json('a JSON object', isObject),
    public_token: token,
    folded_identifier: foldOf('external_identifier'),
  },
  shipment: {
    external_identifier: accepted(newIdentifier),
    proof_names: json('a JSON object', isObject),
    notes: accepted(shipmentCreateSchema.shape.notes),
    public_token: token,
    folded_identifier: foldOf('external_identifier'),
    folded_notes: foldOf('notes'),
    short_reason: accepted(shipmentStatusQuery.shape.shortReason),
    driver_name: accepted(shipmentArrivalSchema.shape.driverName),
    driver_token: token,
  },
  photo: {
    owner_identifier: accepted(identifier),
    public_token: token,
    size_bytes: integer('the size of a photo', 1, PHOTO_BYTES_MAXIMUM),
    author,
  },
  shipment_figures: {
    carrier: fieldValue,
    short_reason: accepted(shipmentStatusQuery.shape.shortReason),
  },
  signature: {
    signer_name: accepted(signatureCreateSchema.shape.name),
    strokes: both(
      kind(
        `JSON of at most ${STROKES_BYTES_MAXIMUM} bytes`,
        (value) => isText(value) && value.length <= STROKES_BYTES_MAXIMUM,
      ),
      json('the lines of a signature', (content) => strokesSchema.safeParse(content).success),
    ),
    signed_for: json('a JSON object', isObject),
    author,
  },
  archive_entry: {
    external_identifier: accepted(newIdentifier),
    folded_identifier: foldOf('external_identifier'),
    public_token: token,
  },
  archive_object: { object_key: objectKey },
  scan: {
    scan_id: scanId,
    identifier: accepted(scanSchema.shape.identifier),
    camera_hardware_id: accepted(identifier),
    manifest_external_id: accepted(identifier),
    track_identifier: accepted(identifier),
  },
  alert: {
    count: ordinal,
    params: json('the facts of an alert of its type', (content, row) => isAlert(row['alert_type'], content)),
    track_identifier: accepted(identifier),
    manifest_external_id: accepted(identifier),
    shipment_external_id: accepted(identifier),
  },
  alert_pallet: {
    // Empty for an unknown marker.
    wms_id: accepted(identifier.or(z.literal(''))),
    // 0 for a pallet without a marker.
    marker_code: integer('a marker code or 0', 0, MARKER_CODE_MAXIMUM),
  },
  webhook: {
    name: accepted(webhookShape.name),
    folded_name: foldOf('name', foldedBeyondAscii),
    url: both(accepted(webhookShape.url), webhookUrl),
    event_types: both(jsonList('a list of event types', webhookShape.eventTypes), subscribed),
    alert_types: jsonList('a list of alert types', webhookShape.alertTypes),
    custom_headers: jsonList('a list of headers', headers),
    secrets: jsonList('a list of secrets', secrets),
    link_origin: linkOrigin,
    open_messages: json(
      'messages by uuid',
      (content) =>
        isObject(content) && z.record(z.string().refine(isUuid7), openMessage).safeParse(content).success,
    ),
    mailbox: kind(
      'the mailbox of its address',
      (value, row) => value === recipientOf(String(row['url'])) && row['format'] === 'EMAIL',
    ),
  },
  mail_recipient: { address: mailbox },
  webhook_message: { deliveries: jsonList('a list of deliveries', settledDeliveries) },
  webhook_delivery: {
    event_type: oneOf(DELIVERED_TYPES),
    claim: uuid,
    attempts: jsonList('a list of attempts', attempts),
  },
  operation: {
    input: json('a JSON object', isObject),
    actor: json('an actor', isActor),
  },
  operation_part: { items: jsonList('a list of items', operationItems) },
  dead_letter: {
    queue: oneOf(Object.keys(QUEUES)),
    message_id: composed,
    // Operators send it again, and its consumer works for the organization that it names.
    body: json(
      'a message of this organization',
      (content, row) => isObject(content) && content['organization'] === row['organization_uuid'],
    ),
    reason: composed,
  },
};

/** The kinds of columns that have the same name in several tables. */
const OF_NAMES: Readonly<Record<string, Kind>> = {
  ...named(uuid, 'uuid'),
  ...named(date, 'failing_since'),
  ...named(hash, 'hash sha256 actor_commitment'),
  ...named(requestId, 'request_id'),
  ...named(ipAddress, 'ip_address'),
  ...named(
    flag,
    'internal password_change_required erasing password_sign_in flagged damaged closed cleared active awaits_confirmation after_close',
  ),
  ...named(
    count,
    'skipped_count session_epoch counter size_bytes thumbnail_bytes assets_count loaded_count place ' +
      'first_record position queued_count failures_count attempts_count total_count succeeded_count failed_count sent_count test_count ask_count messages_count resend_count first_index ' +
      'loading_minutes dwell_minutes gate_minutes pallets_loaded pallets_missing pallets_wrong pallets_caught caught_count record_changes',
  ),
  ...named(ordinal, 'sequence_number number width height'),
  ...named(markerCode, 'marker_code'),
};

function named(one: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, one]));
}

/** The kinds of columns whose names end like this. */
const ENDINGS: readonly [ending: string, kind: Kind][] = [
  ['_uuid', uuid],
  ['_date', date],
  ['_hash', hash],
  ['_marker_code', markerCode],
];

/** The kind of the values of a column; undefined for an undeclared column. Texts have to be declared with their table. */
export const columnKind = (table: string, column: string): Kind | undefined =>
  OF_TABLES[table]?.[column] ?? OF_NAMES[column] ?? ENDINGS.find(([ending]) => column.endsWith(ending))?.[1];
