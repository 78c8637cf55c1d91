import { z } from '@hono/zod-openapi';
import { BASE_PATH } from '../../core/http/endpoint.ts';
import {
  common,
  dateTime,
  emptySchema,
  flagOff,
  identifier,
  input,
  int32,
  list,
  newIdentifier,
  orNull,
  text,
} from '../../core/http/schema.ts';
import { operationId } from '../../log/operation/schema.ts';
import { clientReferenceSchema } from '../client/schema.ts';
import { customFieldOutSchema, newCustomFieldsSchema } from '../custom-field/schema.ts';
import { gateReferenceSchema } from '../gate/schema.ts';
import { markerCodeSchema, markerEntry } from '../marker/schema.ts';
import { ACTIVITY_TYPES, TRACK_STATUSES } from './rules.ts';

/** Whether to couple in the background. */
export const asynchronously = flagOff.describe(
  'true: check now, and couple in the background. An event and the operation show the outcome',
);

/** Body of PATCH /track/{trackId}/flag. */
export const flagSchema = z
  .strictObject({
    damaged: z.boolean().nullable().optional().describe('Whether the pallet is damaged; omitted: unchanged'),
    reason: text(1, 1_000).nullable().optional(),
  })
  .openapi('Flag');

/** Author of a comment or timeline entry. An API key has only a name. */
export const authorSchema = z
  .object({
    firstName: z.string(),
    lastName: z.string().nullable(),
    email: z.string().nullable(),
    phoneNumber: z.string().nullable(),
  })
  .openapi('Author');

const attachmentSchema = z.object({
  link: z.string(),
  fileName: z.string().nullable(),
  description: z.string().nullable(),
  author: authorSchema.extend({ firstName: z.string().nullable() }),
});

const saidOfAuthor = text(0, 255).nullable().default(null);

/** Author of an attachment in a request. */
const attachmentAuthorSchema = z.strictObject({
  firstName: saidOfAuthor,
  lastName: saidOfAuthor,
  email: saidOfAuthor,
  phoneNumber: saidOfAuthor,
});

/** A comment as the API shows it. */
export const commentSchema = z
  .object({
    ...common,
    additionalInfo: z.string(),
    author: authorSchema,
    attachments: z.array(attachmentSchema),
  })
  .openapi('Comment');

const link = text(1, 2_000).refine((value) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol);
}, 'A link is an http or https URL.');

/** Body of POST /track/{trackId}/comments. */
export const commentCreateSchema = input(commentSchema, {
  additionalInfo: text(1, 5_000),
  attachments: list(
    input(attachmentSchema, {
      link,
      fileName: text(1, 255).nullable().optional(),
      description: text(0, 1_000).nullable().optional(),
      author: attachmentAuthorSchema.nullable().optional().describe('If omitted: the author of the comment'),
    }),
    0,
    20,
  )
    .nullable()
    .optional(),
}).openapi('CommentCreate');

/** A track as the API shows it. */
export const trackSchema = z
  .object({
    ...common,
    wmsId: z.string(),
    trackIdentifier: z.string().describe('The same as `wmsId`'),
    markerCode: markerCodeSchema,
    markerImageUrl: z.url(),
    trackStatus: z.enum(TRACK_STATUSES),
    damaged: z.boolean(),
    client: orNull(clientReferenceSchema).describe('Client that owns the pallet'),
    customFields: z.array(customFieldOutSchema),
    manifests: z.array(
      z.object({ manifestExternalId: z.string(), manifestUuid: z.uuid(), loadingStatus: z.string() }),
    ),
    coupleDate: dateTime,
    retireDate: dateTime.nullable(),
    lastSeenDate: dateTime.nullable(),
    lastGate: orNull(gateReferenceSchema),
    commentsCount: int32,
    deleted: z.boolean(),
  })
  .openapi('Track');

const coupling = {
  wmsId: newIdentifier.openapi({ example: '340123450000000017' }),
  customFields: newCustomFieldsSchema.nullable().optional(),
  clientId: text(1, 255)
    .nullable()
    .optional()
    .describe('External id or UUID of the client that owns the pallet'),
};

/**
 * Body of POST /track/get-and-couple. A marker code is refused, not ignored: a caller who sends one means the operation
 * `couple`.
 */
export const getAndCoupleSchema = input(trackSchema.omit({ markerCode: true }), coupling).openapi(
  'GetAndCouple',
);

/** Body of POST /track/couple. */
export const coupleSchema = input(trackSchema, { markerCode: markerCodeSchema, ...coupling }).openapi(
  'Couple',
);

/** Response of POST /track/couple. */
export const coupledSchema = z.object({ track: trackSchema }).openapi('Coupled');

/** Response of POST /track/get-and-couple. */
export const allocatedAndCoupledSchema = z
  .object({ ...markerEntry, track: trackSchema })
  .openapi('AllocatedAndCoupled');

/** Response of POST /track/get-and-couple that couples in the background. */
export const allocatedAndAcceptedSchema = z
  .object({ ...markerEntry, operationId })
  .openapi('AllocatedAndAccepted');

/** A timeline entry as the API shows it. */
export const activitySchema = z
  .object({
    ...common,
    activityType: z.enum(ACTIVITY_TYPES),
    activityDate: dateTime.describe('When it happened; `createDate` is when it was reported'),
    gate: orNull(gateReferenceSchema),
    manifestExternalId: z.string().nullable(),
    shipmentExternalId: z.string().nullable(),
    author: authorSchema,
    details: z.string().nullable(),
  })
  .openapi('Activity');

/** Response of GET /marker-code/{code}. */
export const markerSchema = z
  .object({ markerCode: markerCodeSchema, allocatedDate: dateTime, track: orNull(trackSchema) })
  .openapi('Marker');

export const TRACK_PATH = `${BASE_PATH}/track`;
export const trackParams = z.object({ trackId: identifier });
/** The success response of operations without a result. */
export const ok = { 200: { description: 'Done', schema: emptySchema } };
