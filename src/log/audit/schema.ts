import { z } from '@hono/zod-openapi';
import { common, dateTime } from '../../core/http/schema.ts';
import { ACTOR_TYPES, ENTITY_TYPES } from '../../core/writer/audit-table.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const commitment = {
  commitment: digest.describe(
    'SHA-256 (hex) over the canonical JSON of an array: `salt` and what it stands for',
  ),
  salt: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable()
    .describe('Null once the person was erased'),
};

/** A record of the audit log as the API shows it. */
export const auditRecordSchema = z
  .object({
    ...common,
    sequenceNumber: z
      .int()
      .describe('Place in the log: from 1, without gaps but those that a STORE_REWOUND record declares'),
    eventDate: dateTime,
    action: z.string().describe('What happened, such as `MANIFEST_STATUS_CHANGED`'),
    actor: z
      .object({
        actorType: z.enum(ACTOR_TYPES),
        uuid: z.uuid().nullable().describe('Of the credential or user; null for the operator and the system'),
        displayName: z.string().describe('As it was then'),
      })
      .describe('Who did it'),
    entityType: z.enum(ENTITY_TYPES),
    entityUuid: z.uuid(),
    entityExternalId: z
      .string()
      .nullable()
      .describe('External identifier, WMS id, name or address of the thing'),
    changes: z
      .array(z.object({ field: z.string(), oldValue: z.unknown(), newValue: z.unknown() }))
      .describe(
        'Field by field what it was and what it became; null where there was or is nothing. What a request said ' +
          'besides that, such as a reason, stands here too, with `oldValue` null. A list of more than 500 items is ' +
          'told by `{count, sha256}`.',
      ),
    requestId: z.string().describe('`X-Request-Id` of the request'),
    ipAddress: z
      .string()
      .nullable()
      .describe('IPv4 or IPv6 address (RFC 5952) from which it came, where the platform tells one'),
    identity: z
      .object({
        actor: z
          .object(commitment)
          .nullable()
          .describe('For `actor.displayName` and `ipAddress`; null where the actor is no person'),
        entity: z
          .object({
            ...commitment,
            fields: z.array(z.string()).describe('Those of `changes` that it is for'),
          })
          .nullable()
          .describe(
            'For `entityExternalId` and an array of the `changes` of `fields`; null where the record is about no person',
          ),
        erasedUserUuid: z
          .uuid()
          .nullable()
          .describe(
            'Of a record of before there were commitments: who was erased. Its `hash` cannot be computed any more; what ' +
              'is left of it is in the `sha256` of a later `USER_RECORDS_ERASED`',
          ),
      })
      .nullable()
      .describe('What `hash` contains in place of data that identifies a person; null where there is none'),
    previousHash: digest.describe('`hash` of the record before; 64 zeros for the first one'),
    hash: digest.describe(
      'SHA-256 (hex) over the canonical JSON (RFC 8785) of this record without `hash`, `uuid`, `createDate`, ' +
        '`updateDate` and `deepLink`; where there is `identity`, with its commitments (without `salt` and ' +
        '`erasedUserUuid`) and without what they stand for; without `identity` where that is null',
    ),
  })
  .openapi('AuditRecord');

/** A position in the log, as a filter. */
export const positionFilter = z
  .string()
  .regex(/^\d{1,15}$/, 'A whole number is needed.')
  .transform(Number)
  .openapi({ type: 'integer', minimum: 0, maximum: 999_999_999_999_999 });
