import { z } from '@hono/zod-openapi';
import { dateInput } from '../../../core/http/dates.ts';
import { common, dateTime, input, int32, list, nameText } from '../../../core/http/schema.ts';
import { authorSchema } from '../../track/schema.ts';
import {
  POINTS_MAXIMUM,
  SIGNATURE_BOX,
  SIGNED_STATUSES,
  SIGNER_NAME_LENGTH,
  SIGNING_MS,
  STROKES_BYTES_MAXIMUM,
  STROKES_MAXIMUM,
} from './signature-rules.ts';
import { SIGNER_ROLES } from './table.ts';

const point = z
  .tuple([z.number().min(0).max(SIGNATURE_BOX.width), z.number().min(0).max(SIGNATURE_BOX.height)])
  .openapi({
    type: 'array',
    items: { type: 'number', minimum: 0, maximum: SIGNATURE_BOX.width },
    minItems: 2,
    maxItems: 2,
  });

/** The lines of a signature. */
export const strokesSchema = list(list(point, 1, POINTS_MAXIMUM), 1, STROKES_MAXIMUM)
  .refine(
    (strokes) => strokes.reduce((points, stroke) => points + stroke.length, 0) <= POINTS_MAXIMUM,
    `A signature has at most ${POINTS_MAXIMUM} points.`,
  )
  .refine(
    (strokes) => JSON.stringify(strokes).length <= STROKES_BYTES_MAXIMUM,
    `The JSON of the strokes has at most ${STROKES_BYTES_MAXIMUM} bytes. Round the points.`,
  )
  .describe(
    `Lines of points \`[x, y]\` in a box of ${SIGNATURE_BOX.width} × ${SIGNATURE_BOX.height}, from the upper left ` +
      `corner. At most ${POINTS_MAXIMUM} points and ${STROKES_BYTES_MAXIMUM} bytes of JSON in total`,
  )
  .openapi('SignatureStrokes');

const roleSchema = z.enum(SIGNER_ROLES);

const shown = {
  role: roleSchema,
  name: z.string(),
  signDate: dateTime,
};

/** The signature of a role in the GET of a shipment or manifest, without its lines. */
const signatureReferenceSchema = z.object(shown).openapi('SignatureRef');

/** The latest signature of each role. */
export const signaturesShown = z
  .array(signatureReferenceSchema)
  .describe(
    'The latest signature of each role. `GET …/signature` also returns earlier ones, and the `strokes` of all',
  );

/** The load that a signature was given for. */
export const signedForSchema = z
  .object({
    status: z.enum(SIGNED_STATUSES),
    loadedAssetsCount: int32,
    totalAssetsCount: int32,
    invalidCount: int32.describe('Loading records of wrong pallets and unknown markers'),
    carrier: z.string().nullable().describe('Value of the custom field with the role CARRIER'),
    vehicle: z.string().nullable(),
    seal: z.string().nullable(),
    plannedDepartureDate: dateTime.nullable(),
    digest: z
      .hex()
      .length(64)
      .nullable()
      .describe('SHA-256 of the data of the proof (part 1). Null before completion'),
  })
  .openapi('SignedFor');

/** A signature as the API shows it. */
export const signatureSchema = z
  .object({
    ...common,
    ...shown,
    strokes: strokesSchema,
    superseded: z.boolean().describe('Whether a later signature of the same role counts instead'),
    signedFor: signedForSchema.describe('The load as it was when the signature was given'),
    author: authorSchema.describe('The user or API key that added it'),
  })
  .openapi('Signature');

const given = {
  name: nameText(SIGNER_NAME_LENGTH).describe('Name of the person who signs'),
  strokes: strokesSchema,
};

/** The form of a signing page. */
export const signingFormSchema = z.strictObject({
  ...given,
  /** The link has the role. Another one is refused. */
  role: roleSchema.optional(),
  /** How long the signature waited on the phone for a connection. */
  waitedMs: z.int().min(0).max(SIGNING_MS).optional(),
});

/** Body of POST …/signature. */
export const signatureCreateSchema = input(signatureSchema, {
  role: roleSchema,
  ...given,
  signDate: dateInput
    .nullish()
    .transform((date) => date ?? null)
    .openapi({ type: ['string', 'null'], format: 'date-time' })
    .describe(
      'When the person signed: ISO 8601 with an offset. Default: now. Up to 5 minutes in the future counts as now. A ' +
        'later date is refused, and so is a date more than a day before the creation of the load',
    ),
}).openapi('SignatureCreate');

/** Response of GET …/signature. */
export const signaturesSchema = z.array(signatureSchema).openapi('Signatures');
