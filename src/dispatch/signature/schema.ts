import { z } from '@hono/zod-openapi';
import { dateInput } from '../../core/http/dates.ts';
import { common, dateTime, input, nameText } from '../../core/http/schema.ts';
import { authorSchema } from '../track/schema.ts';
import {
  POINTS_MAXIMUM,
  SIGNATURE_BOX,
  SIGNER_NAME_LENGTH,
  SIGNING_MS,
  STROKES_BYTES_MAXIMUM,
  STROKES_MAXIMUM,
} from './rules.ts';
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
export const strokesSchema = z
  .array(z.array(point).min(1).max(POINTS_MAXIMUM))
  .min(1)
  .max(STROKES_MAXIMUM)
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
export const signatureReferenceSchema = z.object(shown).openapi('SignatureRef');

/** The latest signature of each role. */
export const signaturesShown = z
  .array(signatureReferenceSchema)
  .describe(
    'The latest signature of each role. `GET …/signature` also returns earlier ones, and the `strokes` of all',
  );

/** A signature as the API shows it. */
export const signatureSchema = z
  .object({
    ...common,
    ...shown,
    strokes: strokesSchema,
    superseded: z.boolean().describe('Whether a later signature of the same role counts instead'),
    author: authorSchema.describe('The user or API key that added it'),
  })
  .openapi('Signature');

const given = {
  role: roleSchema,
  name: nameText(SIGNER_NAME_LENGTH).describe('Name of the person who signs'),
  strokes: strokesSchema,
};

/** The form of a signing page. */
export const signingFormSchema = z.strictObject({
  ...given,
  /** How long the signature waited on the phone for a connection. */
  waitedMs: z.int().min(0).max(SIGNING_MS).optional(),
});

/** Body of POST …/signature. */
export const signatureCreateSchema = input(signatureSchema, {
  ...given,
  signDate: dateInput
    .refine((milliseconds) => milliseconds >= 0, 'The date must not be before 1970.')
    .refine((milliseconds) => milliseconds <= Date.now(), 'The date must not be in the future.')
    .openapi({ type: 'string', format: 'date-time' })
    .describe('When the person signed: ISO 8601 with an offset, not in the future'),
}).openapi('SignatureCreate');

/** Response of GET …/signature. */
export const signaturesSchema = z.array(signatureSchema).openapi('Signatures');
