import { z } from '@hono/zod-openapi';
import { common, dateTime, orNull } from '../../../core/http/schema.ts';
import { gateReferenceSchema } from '../../gate/schema.ts';
import { trackSchema } from '../../track/schema.ts';
import { ASSET_STATUSES, INVALID_STATUSES } from '../shared/asset-table.ts';
import { manifestReferenceSchema } from './schema.ts';

/** An asset of a manifest. */
export const assetSchema = z
  .object({
    ...common,
    trackIdentifier: z.string(),
    track: orNull(trackSchema),
    loadingStatus: z.enum(ASSET_STATUSES),
    gate: orNull(gateReferenceSchema).describe('Gate where it was loaded, or where it will be loaded'),
  })
  .openapi('Asset');

/** An asset of a shipment. */
export const shipmentAssetSchema = assetSchema
  .extend({ manifest: manifestReferenceSchema })
  .openapi('ShipmentAsset');

/** A loading record of a manifest. */
export const assetLoadingSchema = z
  .object({
    ...common,
    recordUuid: z.uuid().describe('The same as `uuid`'),
    trackIdentifier: z.string().nullable().describe('Null for an unknown marker'),
    markerCode: z.int().nullable(),
    loadingStatus: z.enum([...ASSET_STATUSES, ...INVALID_STATUSES]),
    track: orNull(trackSchema),
    gate: orNull(gateReferenceSchema),
    manifest: manifestReferenceSchema,
    loadingDate: dateTime.nullable().describe('When it was loaded, or seen where it does not belong'),
  })
  .openapi('AssetLoading');

/** Success response of operations that list records. */
export const assetLoadingsSchema = z.array(assetLoadingSchema).openapi('AssetLoadings');
