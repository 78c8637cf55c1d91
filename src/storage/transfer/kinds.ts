import { z } from '@hono/zod-openapi';
import { SCOPES } from '../../access/credential/schema.ts';
import { isPasswordHash } from '../../access/user/password.ts';
import { PERMISSIONS } from '../../access/user/table.ts';
import { isUuid7 } from '../../core/lib/id.ts';
import { isStorable } from '../../core/lib/text.ts';
import { isDateNumber } from '../../core/lib/time.ts';
import { ACTOR_TYPES } from '../../core/writer/audit-table.ts';
import { TEST_EVENT_TYPE } from '../../delivery/webhook/schema.ts';
import { ALERT_TYPES } from '../../dispatch/alert/table.ts';
import { GATE_STATUSES } from '../../dispatch/gate/schema.ts';
import { strokesSchema } from '../../dispatch/signature/schema.ts';
import { ACTIVITY_TYPES } from '../../dispatch/track/rules.ts';
import { EVENT_TYPES } from '../../log/event/table.ts';

/** A kind of values: its name, and whether a value that is not null belongs to it. */
export interface Kind {
  what: string;
  holds(value: unknown): boolean;
}

/** The longest text that is not JSON, in UTF-16 units. The API takes at most 5,000 characters; folding makes more. */
const TEXT_LENGTH_MAXIMUM = 100_000;

const integer = (what: string, minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Kind => ({
  what,
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
});
const matching = (what: string, pattern: RegExp): Kind => ({
  what,
  holds: (value) => typeof value === 'string' && pattern.test(value),
});
export const oneOf = (values: readonly (string | number)[]): Kind => ({
  what: `one of ${values.join(', ')}`,
  holds: (value) => values.includes(value as string),
});
const json = (what: string, schema: z.ZodType): Kind => ({
  what,
  holds: (value) => typeof value === 'string' && isStorable(value) && parses(value, schema),
});

function parses(text: string, schema: z.ZodType): boolean {
  try {
    return schema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

const text: Kind = {
  what: 'well-formed text',
  holds: (value) => typeof value === 'string' && value.length <= TEXT_LENGTH_MAXIMUM && isStorable(value),
};
const uuid: Kind = {
  what: 'a UUID version 7 in lower case',
  holds: (value) => typeof value === 'string' && isUuid7(value),
};
const date: Kind = { what: 'a date of the years 0 to 9999', holds: isDateNumber };
const hash = matching('a SHA-256 in lower-case hexadecimal', /^[0-9a-f]{64}$/);
const flag = oneOf([0, 1]);
const count = integer('an integer of 0 or more', 0);
const ordinal = integer('an integer of 1 or more', 1);
const token = matching('a token', /^[A-Za-z0-9_-]{16,128}$/);
/** The key of an object in the bucket, which `ObjectKeys` validates. */
export const objectKey: Kind = { ...text, what: 'the key of an object' };

const someJson = json('JSON', z.unknown());
const someObject = json('a JSON object', z.record(z.string(), z.unknown()));
const change = z.union([
  z.tuple([z.string(), z.unknown(), z.unknown()]),
  z.looseObject({ field: z.string() }),
]);
const nullableText = z.string().nullish();

/** The kinds of columns, by the name of the column or of table and column. */
const KINDS: Readonly<Record<string, Kind>> = {
  ...named(uuid, 'uuid'),
  ...named(date, 'failing_since'),
  ...named(hash, 'hash sha256 actor_commitment'),
  ...named(
    flag,
    'internal password_change_required password_sign_in flagged damaged closed cleared active own_callback after_close',
  ),
  ...named(
    count,
    'skipped_count session_epoch erasing_position counter size_bytes assets_count loaded_count place first_record position ' +
      'queued_count failures_count attempts_count total_count succeeded_count failed_count sent_count resend_count item_index ' +
      'loading_minutes dwell_minutes gate_minutes pallets_loaded pallets_missing pallets_wrong',
  ),
  ...named(ordinal, 'sequence_number number marker_code first_marker_code last_marker_code width height'),
  ...named(token, 'public_token driver_token'),
  ...named(
    text,
    'actor_display_name entity_external_id ip_address key fingerprint command_id traceparent authority_name first_name last_name email ' +
      'phone_number folded_first_name folded_last_name folded_email user_agent list name query issuer client_id client_secret ' +
      'subject credential_id public_key host prefix external_identifier folded_identifier folded_name gln worker_name ' +
      'serial_number hostname software_version last_error folded_serial_number folded_hostname hardware_id display_name ' +
      'external_id folded_display_name folded_external_id wms_id folded_wms_id additional_info author manifest_external_id ' +
      'details shipment_external_id field_key field_value folded_value notes folded_notes scan_id camera_hardware_id ' +
      'track_identifier owner_identifier message url link_origin signer_name claim request_id identifier error_code error_message queue message_id reason ' +
      'short_reason driver_name carrier',
  ),
  'audit_log.action': matching('an action', /^[A-Z][A-Z_]{0,99}$/),
  // Not a uuid, because some audited things have no row. A database, for example, is named by its name.
  'audit_log.entity_uuid': text,
  'audit_log.actor_salt': matching('128 bits in lower-case hexadecimal', /^[0-9a-f]{32}$/),
  'audit_log.short_changes': json('a list of changes', z.array(change)),
  'audit_log.person': json(
    'the commitment of a person',
    z.strictObject({
      commitment: z.hex().length(64),
      salt: z.hex().length(32).nullable(),
      fields: z.array(z.string()),
    }),
  ),
  'idempotency.body': someJson,
  'idempotency.refusal': json('a refusal', z.looseObject({ code: z.string() })),
  'event.data': someObject,
  'event.error': json('an error', z.looseObject({ code: z.string(), message: z.string() })),
  'authority.permissions': json('a list of permissions', z.array(z.enum(PERMISSIONS))),
  'user.password_hash': {
    what: 'a hash of a password',
    holds: (value) => typeof value === 'string' && isPasswordHash(value),
  },
  'credential.kind': oneOf(['API_KEY', 'ACCESS_TOKEN']),
  'credential.scopes': json('a list of scopes', z.array(z.enum(SCOPES))),
  'gate.told_status': oneOf(GATE_STATUSES),
  'calibration.object_key': objectKey,
  'archive_object.object_key': objectKey,
  'track.camera_dates': json('dates by camera', z.record(z.string(), z.number().refine(isDateNumber))),
  'track_activity.activity_type': oneOf(ACTIVITY_TYPES),
  'track_comment.attachments': json(
    'a list of attachments',
    z.array(z.looseObject({ link: z.string(), fileName: nullableText, description: nullableText })),
  ),
  'signature.strokes': json('the lines of a signature', strokesSchema),
  'webhook.event_types': json('a list of event types', z.array(z.enum(EVENT_TYPES))),
  'webhook.alert_types': json('a list of alert types', z.array(z.enum(ALERT_TYPES))),
  'webhook.custom_headers': json(
    'a list of headers',
    z.array(z.strictObject({ name: z.string(), value: z.string() })),
  ),
  'webhook.secrets': json(
    'a list of secrets',
    z
      .array(
        z.strictObject({ sealed: z.string(), validUntilDate: z.number().refine(isDateNumber).nullable() }),
      )
      .min(1),
  ),
  'mail_recipient.address': matching(
    'an e-mail address in lower case',
    /^[^\s@A-Z]{1,320}@[^\s@A-Z]{1,255}$/,
  ),
  'webhook_delivery.event_type': oneOf([...EVENT_TYPES, TEST_EVENT_TYPE]),
  'webhook_delivery.attempts': json(
    'a list of attempts',
    z.array(z.looseObject({ attemptDate: z.number().refine(isDateNumber), durationMs: z.number() })),
  ),
  // Newer types are in the column `kind`.
  'operation.operation_type': oneOf(['COUPLE', 'GET_AND_COUPLE', 'SHIPMENT_BULK_UPSERT']),
  'operation.input': someJson,
  'operation.actor': json(
    'an actor',
    z.looseObject({ actorType: z.enum(ACTOR_TYPES), uuid: nullableText, displayName: z.string() }),
  ),
  'operation_item.input': someJson,
  'dead_letter.body': someJson,
};

function named(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** The kinds of columns whose names end like this. */
const ENDINGS: readonly [ending: string, kind: Kind][] = [
  ['_uuid', uuid],
  ['_date', date],
  ['_hash', hash],
  ['_marker_code', ordinal],
];

/**
 * The kind of the values of a column; undefined for an undeclared column. A column with keys of objects in the bucket
 * is not found by its column name alone. Declare it as `table.column`.
 */
export const columnKind = (table: string, column: string): Kind | undefined =>
  KINDS[`${table}.${column}`] ?? KINDS[column] ?? ENDINGS.find(([ending]) => column.endsWith(ending))?.[1];
