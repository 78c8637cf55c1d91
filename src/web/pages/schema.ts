import { z } from '@hono/zod-openapi';
import { dateTime } from '../../core/http/schema.ts';
import { ACTOR_TYPES } from '../../core/writer/audit-table.ts';
import { ASSET_STATUSES, INVALID_STATUSES } from '../../dispatch/manifest/asset-table.ts';
import { MANIFEST_STATUSES } from '../../dispatch/manifest/table.ts';

/** A token as the contract defines it; anything else in its place does not exist. */
export const tokenParameter = z.string().openapi({ description: 'Names the page; nobody can guess it' });

/** The number of the page or part, from 1. */
export const pageNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'A whole number from 1 is needed.')
  .transform(Number)
  .default(1)
  .openapi({ type: 'integer', minimum: 1, maximum: 999_999_999, default: 1 });

const count = z.int().min(0);
const loadingStatus = z.enum([...ASSET_STATUSES, ...INVALID_STATUSES]);

/** The data of a proof of shipment. */
export const proofSchema = z
  .object({
    kind: z.enum(['SHIPMENT', 'MANIFEST']),
    organizationName: z.string().describe('Who shipped it'),
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
      .describe('The values of custom fields with a role, for shipments that have any'),
    createDate: dateTime,
    activateDate: dateTime,
    closeDate: dateTime,
    revision: count.describe('How often a loading status was corrected after completion'),
    part: z.int().min(1),
    parts: z.int().min(1).describe('More than 5,000 records are told in parts'),
    counts: z
      .object({
        totalAssetsCount: count,
        loadedAssetsCount: count,
        notLoadedAssetsCount: count,
        unloadedAssetsCount: count,
        offloadedAssetsCount: count,
        wronglyLoadedCount: count,
        unknownLoadingCount: count,
        cancelledLoadedCount: count.describe('Loaded, but of manifests that were cancelled'),
      })
      .describe('Of all parts; assets of cancelled manifests are not among the assets'),
    manifests: z.array(
      z.object({
        manifestExternalId: z.string(),
        manifestStatus: z.enum(MANIFEST_STATUSES),
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
    corrections: z
      .array(
        z.object({
          revision: z.int().min(1).describe('Which revision it made'),
          date: dateTime,
          actorType: z.enum(ACTOR_TYPES),
          manifestExternalId: z.string(),
          trackIdentifier: z.string().nullable(),
          markerCode: z.int().nullable(),
          oldStatus: loadingStatus,
          newStatus: loadingStatus.nullable().describe('Null: the record of an invalid loading was removed'),
        }),
      )
      .describe('The latest 1,000, in the order in which they were made'),
  })
  .openapi('ProofOfShipment');
