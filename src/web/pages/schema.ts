import { z } from '@hono/zod-openapi';
import { dateTime } from '../../core/http/schema.ts';
import { ACTOR_TYPES } from '../../core/writer/audit-table.ts';
import { SIGNED_CHANGES } from '../../dispatch/load/shared/signature-rules.ts';
import { signedForSchema, strokesSchema } from '../../dispatch/load/shared/signature-schema.ts';
import { LOAD_STATUSES } from '../../dispatch/load/shared/status-rules.ts';
import { ASSET_STATUSES, INVALID_STATUSES, SIGNER_ROLES } from '../../dispatch/load/shared/table.ts';
import { CONTENT_TYPES, PHOTO_KINDS } from '../../dispatch/photo/rules.ts';
import { LANGUAGES, languageOfTag } from '../../messages/languages.ts';
import { CORRECTED_FIELDS } from './correction-rules.ts';

/** Token of a public page, as in the contract. A path with other text does not exist. */
export const tokenParameter = z.string().openapi({ description: 'Identifies the page; cannot be guessed' });

/** Number of the page or part, from 1. */
export const pageNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'A whole number from 1 is needed.')
  .transform(Number)
  .default(1)
  .openapi({ type: 'integer', minimum: 1, maximum: 999_999_999, default: 1 });

/** The language of a shared link. A tag with a region means its language. */
export const linkedLanguage = z
  .preprocess(
    (tag) => (typeof tag === 'string' ? (languageOfTag(tag) ?? tag) : tag),
    z.enum(LANGUAGES).optional(),
  )
  .describe(
    'Language of the page, unless the reader has chosen another one. By default the best match for `Accept-Language`',
  );

const count = z.int().min(0);
const loadingStatus = z.enum([...ASSET_STATUSES, ...INVALID_STATUSES]);

/** The data of a proof of shipment. */
export const proofSchema = z
  .object({
    kind: z.enum(['SHIPMENT', 'MANIFEST']),
    organizationName: z.string().describe('The shipper, as it was named at completion'),
    externalIdentifier: z.string(),
    status: z.literal('COMPLETED'),
    gate: z.union([z.object({ externalIdentifier: z.string(), name: z.string() }), z.null()]),
    transport: z
      .object({
        carrier: z.string().nullable(),
        vehicle: z.string().nullable(),
        seal: z.string().nullable(),
        plannedDepartureDate: dateTime.nullable(),
      })
      .optional()
      .describe('Values of the custom fields that had a role at completion, for shipments that have any'),
    createDate: dateTime,
    activateDate: dateTime,
    closeDate: dateTime,
    revision: count.describe(
      'Number of the latest revision: of loading records, carrier, vehicle, seal, planned departure or photos after ' +
        'completion. 0 for the original',
    ),
    part: z.int().min(1),
    parts: z.int().min(1).describe('Number of parts; more than 5,000 records are split into parts'),
    counts: z
      .object({
        totalAssetsCount: count,
        loadedAssetsCount: count,
        notLoadedAssetsCount: count,
        unloadedAssetsCount: count,
        offloadedAssetsCount: count,
        wronglyLoadedCount: count,
        unknownLoadingCount: count,
        cancelledLoadedCount: count.describe('Loaded, but on cancelled manifests'),
      })
      .describe('Totals of all parts. Assets of cancelled manifests do not count as assets'),
    manifests: z.array(
      z.object({
        manifestExternalId: z.string(),
        manifestStatus: z.enum(LOAD_STATUSES),
        records: z.array(
          z.object({
            trackIdentifier: z.string().nullable(),
            markerCode: z.int().nullable(),
            loadingStatus,
            loadingDate: dateTime.nullable(),
          }),
        ),
      }),
    ),
    photos: z
      .array(
        z.object({
          kind: z.enum(PHOTO_KINDS),
          trackIdentifier: z.string().nullable(),
          manifestExternalId: z.string().nullable(),
          shipmentExternalId: z.string().nullable(),
          contentType: z.enum(CONTENT_TYPES),
          sizeBytes: count,
          width: count,
          height: count,
          sha256: z.hex().length(64).describe('Of the stored bytes'),
          takenDate: dateTime.nullable().describe('When the photo was taken. Null if nobody said it'),
          createDate: dateTime.describe('When the photo was uploaded'),
        }),
      )
      .optional()
      .describe(
        'The first 100 photos of the load, its manifests and its pallets, for loads that have any. ' +
          'A load may have more',
      ),
    signatures: z
      .array(
        z.object({
          uuid: z.uuid(),
          role: z.enum(SIGNER_ROLES),
          name: z.string(),
          signDate: dateTime,
          createDate: dateTime,
          superseded: z.boolean().describe('Whether a later signature of the same role counts instead'),
          signedFor: signedForSchema.describe('The load as it was when the signature was given'),
          changedSince: z
            .array(z.enum(SIGNED_CHANGES))
            .describe(
              'Members of `signedFor` that differ now. `records`: other pallets are loaded, with the same counts. ' +
                '`corrections`: something was corrected. Empty if nothing has changed since the signature',
            ),
          strokes: strokesSchema,
        }),
      )
      .optional()
      .describe('Signatures in the order in which they were added, for loads that have any'),
    previousDigest: z
      .hex()
      .length(64)
      .optional()
      .describe(
        'If the last signature was added after completion: SHA-256 of these data (part 1) as they were before it. ' +
          'These are the data without that signature, and with the `previousDigest` before it, if any',
      ),
    corrections: z
      .array(
        z.object({
          revision: z.int().min(1).describe('Number of the revision that it is part of'),
          date: dateTime,
          actorType: z.enum(ACTOR_TYPES),
          field: z.enum(CORRECTED_FIELDS),
          manifestExternalId: z.string().nullable().describe('The manifest of a loading record or photo'),
          trackIdentifier: z.string().nullable().describe('The pallet of a loading record or photo'),
          markerCode: z.int().nullable(),
          photoKind: z.enum(PHOTO_KINDS).nullable(),
          oldValue: z
            .string()
            .nullable()
            .describe(
              'The loading status, the text of the fact, or the SHA-256 of the photo. Null if something was added',
            ),
          newValue: z.string().nullable().describe('Null if the record, the fact or the photo was removed'),
        }),
      )
      .describe(
        'The latest 1,000 corrections, in the order in which they were made. Changes of one request have the same revision',
      ),
  })
  .openapi('ProofOfShipment');
