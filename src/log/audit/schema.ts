import { z } from '@hono/zod-openapi';
import { common, dateTime } from '../../core/http/schema.ts';
import { ACTOR_TYPES, ENTITY_TYPES } from '../../core/writer/audit-table.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const commitment = {
  commitment: digest.describe(
    'SHA-256 (hex) over the canonical JSON of an array: `salt` and the values that the commitment ' +
      'replaces',
  ),
  salt: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable()
    .describe('Null after the person was erased'),
};

/** A record of the audit log as the API shows it. */
export const auditRecordSchema = z
  .object({
    ...common,
    sequenceNumber: z
      .int()
      .describe('Position in the log, from 1. A gap exists only if a STORE_REWOUND record declares it'),
    eventDate: dateTime,
    action: z.string().describe('The action, such as `MANIFEST_STATUS_CHANGED`'),
    actor: z
      .object({
        actorType: z.enum(ACTOR_TYPES),
        uuid: z
          .uuid()
          .nullable()
          .describe('UUID of the credential, user or tablet; null for the bootstrap key and the system'),
        displayName: z.string().describe('Name at that time'),
      })
      .describe('The credential, user, tablet, operator or system process that acted'),
    entityType: z.enum(ENTITY_TYPES),
    entityUuid: z.uuid(),
    entityExternalId: z
      .string()
      .nullable()
      .describe('External identifier, WMS id, name or address of the entity'),
    changes: z
      .array(z.object({ field: z.string(), oldValue: z.unknown(), newValue: z.unknown() }))
      .describe(
        'Old and new value of each changed field; null if there is no value. Other information in the ' +
          'request, such as a reason, is here too, with `oldValue` null. A list of more than 500 items ' +
          'is replaced by `{count, sha256}`',
      ),
    requestId: z.string().describe('`X-Request-Id` of the request'),
    ipAddress: z
      .string()
      .nullable()
      .describe('IPv4 or IPv6 address (RFC 5952) of the caller, if the platform gives one'),
    identity: z
      .object({
        actor: z
          .object(commitment)
          .nullable()
          .describe('For `actor.displayName` and `ipAddress`; null if the actor is not a person'),
        entity: z
          .object({
            ...commitment,
            fields: z.array(z.string()).describe('Fields of `changes` that the commitment covers'),
          })
          .nullable()
          .describe(
            'For `entityExternalId` and an array of the `changes` of `fields`; null if the record is not ' +
              'about a person',
          ),
      })
      .nullable()
      .describe(
        'Commitments for data that identifies a person; null without such data. `hash` contains them ' +
          'in place of the data',
      ),
    previousHash: digest.describe('`hash` of the record before; 64 zeros for the first record'),
    hash: digest.describe(
      'SHA-256 (hex) over the canonical JSON (RFC 8785) of this record, without `hash`, `uuid`, ' +
        '`createDate`, `updateDate` and `deepLink`. If there is an `identity`, the hash covers it ' +
        'with its commitments, but without `salt`. It does not cover the values ' +
        'that the commitments replace. A null `identity` is left out',
    ),
  })
  .openapi('AuditRecord');

/** A position in the log, as a filter. */
export const positionFilter = z
  .string()
  .regex(/^\d{1,15}$/, 'Use a whole number.')
  .transform(Number)
  .openapi({ type: 'integer', minimum: 0, maximum: 999_999_999_999_999 });
