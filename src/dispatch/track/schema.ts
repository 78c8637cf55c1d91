import { z } from '@hono/zod-openapi';
import { common, dateTime, flagOff, input, int32, orNull, text } from '../../core/http/schema.ts';
import { operationId } from '../../log/operation/schema.ts';
import { clientReferenceSchema } from '../client/schema.ts';
import { customFieldOutSchema, customFieldsSchema } from '../custom-field/schema.ts';
import { gateReferenceSchema } from '../gate/schema.ts';
import { markerCodeSchema, markerEntry } from '../marker/schema.ts';
import { ACTIVITY_TYPES, TRACK_STATUSES } from './rules.ts';

/** Whether a coupling is carried out in the background. */
export const asynchronously = flagOff.describe(
  'Check now, couple in the background: the outcome is an event and the operation',
);

/** Body of PATCH /track/{trackId}/flag. */
export const flagSchema = z
  .strictObject({
    damaged: z.boolean().nullable().optional().describe('Whether the pallet is damaged; omitted: as it is'),
    reason: text(1, 1_000).nullable().optional(),
  })
  .openapi('Flag');

/** Author of a comment or timeline entry; an API key has a name only. */
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

/** Author of an attachment, as a request says. */
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
  attachments: z
    .array(
      input(attachmentSchema, {
        link,
        fileName: text(1, 255).nullable().optional(),
        description: text(0, 1_000).nullable().optional(),
        author: attachmentAuthorSchema
          .nullable()
          .optional()
          .describe('Where omitted it is that of the comment'),
      }),
    )
    .max(20)
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
    client: orNull(clientReferenceSchema).describe('Whose pallet it is'),
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
  wmsId: text(1, 255).openapi({ example: '340123450000000017' }),
  customFields: customFieldsSchema.nullable().optional(),
  clientId: text(1, 255)
    .nullable()
    .optional()
    .describe('External id or uuid of the client whose pallet it is'),
};

/**
 * Body of POST /track/get-and-couple. A marker code is refused instead of ignored, as whoever sends one means the other
 * operation.
 */
export const getAndCoupleSchema = input(trackSchema.omit({ markerCode: true }), coupling).openapi(
  'GetAndCouple',
);

/** Body of POST /track/couple. */
export const coupleSchema = input(trackSchema, { markerCode: markerCodeSchema, ...coupling }).openapi(
  'Couple',
);

/** Answer of POST /track/couple. */
export const coupledSchema = z.object({ track: trackSchema }).openapi('Coupled');

/** Answer of POST /track/get-and-couple. */
export const allocatedAndCoupledSchema = z
  .object({ ...markerEntry, track: trackSchema })
  .openapi('AllocatedAndCoupled');

/** The same, where the coupling happens in the background. */
export const allocatedAndAcceptedSchema = z
  .object({ ...markerEntry, operationId })
  .openapi('AllocatedAndAccepted');

/** A timeline entry as the API shows it. */
export const activitySchema = z
  .object({
    ...common,
    activityType: z.enum(ACTIVITY_TYPES),
    activityDate: dateTime.describe('When it happened; `createDate` is when that was told'),
    gate: orNull(gateReferenceSchema),
    manifestExternalId: z.string().nullable(),
    shipmentExternalId: z.string().nullable(),
    author: authorSchema,
    details: z.string().nullable(),
  })
  .openapi('Activity');

/** Answer of GET /marker-code/{code}. */
export const markerSchema = z
  .object({ markerCode: markerCodeSchema, allocatedDate: dateTime, track: orNull(trackSchema) })
  .openapi('Marker');
