import { z } from '@hono/zod-openapi';
import { common, dateTime, input, int32, orNull, text, truncated } from '../../core/http/schema.ts';
import { customFieldOutSchema, customFieldsSchema } from '../custom-field/schema.ts';
import { gateReferenceSchema } from '../gate/schema.ts';
import { ASSETS_MAXIMUM } from './rules.ts';
import { MANIFEST_STATUSES } from './table.ts';

/** A WMS id of a pallet. */
export const trackIdentifierSchema = text(1, 255).openapi({ example: '340123450000000017' });

const assetsSchema = z
  .array(trackIdentifierSchema)
  .max(ASSETS_MAXIMUM)
  .superRefine((assets, context) => {
    const seen = new Set<string>();
    assets.forEach((asset, index) => {
      if (seen.has(asset))
        context.addIssue({ code: 'custom', path: [index], message: 'The asset stands twice.' });
      seen.add(asset);
    });
  })
  .describe('WMS ids of pallets; they need not be coupled yet');

const trackIdentifierList = z.array(z.object({ trackIdentifier: z.string() }));

/** Problems of a manifest that is still open: up to 100 of each kind in its own GET and in validate, elsewhere 10. */
export const validationErrorsSchema = z.object({
  duplicatedTracks: z
    .array(
      z.object({
        trackIdentifier: z.string(),
        manifestExternalIds: z.array(z.string()).describe('Up to 10 of them'),
      }),
    )
    .describe('Assets that stand in another open manifest too'),
  nonExistingTracks: trackIdentifierList.describe('Assets that no track is coupled for'),
  deactivatedTracks: trackIdentifierList.describe('Assets whose track is retired'),
  truncated: truncated.describe(
    'Where there are more, or may be: lists, events and answers of writes look at the first 200 assets of a manifest',
  ),
});

/** A manifest as the API shows it. */
export const manifestSchema = z
  .object({
    ...common,
    externalIdentifier: z.string(),
    manifestStatus: z.enum(MANIFEST_STATUSES),
    activateDate: dateTime.nullable().describe('When it became IN_PROGRESS'),
    closeDate: dateTime.nullable().describe('When it became COMPLETED or CANCELLED'),
    tracksCount: int32.describe('Assets planned, whatever their loading state'),
    totalAssetsCount: int32.describe('Assets attached, without invalid loadings'),
    loadedAssetsCount: int32.describe('Assets LOADED'),
    gate: orNull(gateReferenceSchema),
    customFields: z.array(customFieldOutSchema),
    validationErrors: validationErrorsSchema
      .nullable()
      .describe(
        'Null where there are none, and for a manifest that is closed. Up to 100 of a kind in its own GET, 10 in lists, ' +
          'events and answers of writes',
      ),
    proofOfShipmentUrl: z.url().nullable(),
    shipmentSummaryUrl: z.url().optional().describe('Once COMPLETED'),
    deleted: z.boolean(),
  })
  .openapi('Manifest');

/** Body of POST /manifest. */
export const manifestCreateSchema = input(manifestSchema, {
  externalIdentifier: text(1, 255).openapi({ example: 'ORDER-10248' }),
  manifestStatus: z.enum(['PLANNED', 'TO_DO']).default('PLANNED'),
  gateExternalId: text(0, 255).nullable().optional(),
  customFields: customFieldsSchema.nullable().optional(),
  assets: assetsSchema.nullable().optional(),
}).openapi('ManifestCreate');

/** Body of PUT /manifest/{manifestExternalId}: a list that is omitted or null stays as it is. */
export const manifestReplaceSchema = input(manifestSchema, {
  assets: assetsSchema.nullable().optional(),
  customFields: customFieldsSchema.nullable().optional(),
}).openapi('ManifestReplace');

/** Answer of POST /manifest. */
export const manifestIdentifiersSchema = z
  .object({ uuid: z.uuid(), externalIdentifier: z.string() })
  .openapi('ManifestIdentifiers');

/** Answer of PUT /manifest/{manifestExternalId}: the number of each. */
export const manifestReplacedSchema = z
  .object({
    assets: z.object({ added: int32, removed: int32, unchanged: int32 }),
    customFields: z.object({ added: int32, updated: int32, removed: int32, unchanged: int32 }),
  })
  .openapi('ManifestReplaced');
