import { z } from '@hono/zod-openapi';
import {
  common,
  dateTime,
  input,
  int32,
  list,
  optional,
  optionalOr,
  orNull,
  text,
  truncated,
} from '../../../core/http/schema.ts';
import { quoted } from '../../../core/lib/missing.ts';
import { ERRORS_MAXIMUM } from '../../../core/lib/problem.ts';
import { customFieldOutSchema, customFieldsSchema } from '../../custom-field/schema.ts';
import { gateReferenceSchema } from '../../gate/schema.ts';
import { trackSchema } from '../../track/schema.ts';
import { signaturesShown } from '../shared/signature-schema.ts';
import { LOAD_STATUSES } from '../shared/status-rules.ts';
import { ASSET_STATUSES, INVALID_STATUSES } from '../shared/table.ts';
import { ASSETS_MAXIMUM, eachFact, type ManifestFact, type ManifestFacts } from './rules.ts';

/** A WMS id of a pallet. */
export const trackIdentifierSchema = text(1, 255).openapi({ example: '340123450000000017' });

const assetsSchema = list(trackIdentifierSchema, 0, ASSETS_MAXIMUM)
  .superRefine((assets, context) => {
    const seen = new Set<string>();
    for (const [index, asset] of assets.entries()) {
      if (context.issues.length > ERRORS_MAXIMUM) return;
      if (seen.has(asset)) {
        const message = `The asset ${quoted(asset)} is listed twice.`;
        context.addIssue({ code: 'custom', path: [index], message });
      }
      seen.add(asset);
    }
  })
  .describe('WMS ids of pallets; they do not have to be coupled yet');

/** The facts of a manifest in answers. */
const shownFacts = eachFact<{ [F in ManifestFact]: z.ZodType<ManifestFacts[F]> }>(({ choices, about }) =>
  z.enum(choices).describe(about),
);
type GivenFacts = {
  [F in ManifestFact]: z.ZodOptional<z.ZodType<ManifestFacts[F], ManifestFacts[F] | null>>;
};
/**
 * The facts in a request that creates a manifest. The command gives the default: an object of an older version refuses a
 * fact that it does not know, also one that the caller left out.
 */
const newFacts = eachFact<GivenFacts>(({ choices, unset }) =>
  optional(z.enum(choices)).openapi({ default: unset }),
);
/** The facts in a request that may leave out each, and in a form. */
export const givenFacts = eachFact<GivenFacts>(({ choices }) => optional(z.enum(choices)));

const trackIdentifierList = z.array(z.object({ trackIdentifier: z.string() }));

/** Problems of an open manifest. GET and validate show up to 100 of each kind; other responses show 10. */
export const validationErrorsSchema = z.object({
  duplicatedTracks: z
    .array(
      z.object({
        trackIdentifier: z.string(),
        manifestExternalIds: z.array(z.string()).describe('Up to 10 manifests'),
      }),
    )
    .describe('Assets that are also on another open manifest'),
  nonExistingTracks: trackIdentifierList.describe('Assets without a coupled track'),
  deactivatedTracks: trackIdentifierList.describe('Assets with a retired track'),
  leftWith: z
    .array(
      z.object({
        trackIdentifier: z.string(),
        externalIdentifier: z.string().describe('The shipment, or the manifest in no shipment'),
        closeDate: dateTime,
      }),
    )
    .describe(
      'Assets that have left with a completed load, and were not offloaded since. The latest load is named',
    ),
  truncated: truncated.describe(
    'Present if there are or may be more problems. Lists, events and responses to writes check ' +
      'only the first 200 assets of a manifest',
  ),
});

/** A reference to a manifest in other resources. */
export const manifestReferenceSchema = z
  .object({ manifestExternalId: z.string(), manifestUuid: z.uuid() })
  .openapi('ManifestRef');

/** A manifest as the API shows it. */
export const manifestSchema = z
  .object({
    ...common,
    externalIdentifier: z.string(),
    manifestStatus: z.enum(LOAD_STATUSES),
    activateDate: dateTime.nullable().describe('When it became IN_PROGRESS'),
    closeDate: dateTime.nullable().describe('When it became COMPLETED or CANCELLED'),
    tracksCount: int32.describe('Number of assets, in any loading status, without invalid loadings'),
    totalAssetsCount: int32.describe('The same as `tracksCount`'),
    loadedAssetsCount: int32.describe('Number of LOADED assets'),
    gate: orNull(gateReferenceSchema),
    ...shownFacts,
    customFields: z.array(customFieldOutSchema),
    validationErrors: validationErrorsSchema
      .nullable()
      .describe(
        'Null if there is no problem or the manifest is closed. The GET of the manifest shows up to 100 ' +
          'of a kind; lists, events and responses to writes show 10',
      ),
    backorderOf: orNull(manifestReferenceSchema).describe('The manifest that it is the back order of'),
    backorder: orNull(manifestReferenceSchema).describe('Its back order, with the pallets that stayed'),
    signatures: signaturesShown,
    proofOfShipmentUrl: z.url().nullable(),
    shipmentSummaryUrl: z.url().optional().describe('Present if COMPLETED'),
    deleted: z.boolean(),
  })
  .openapi('Manifest');

/** Body of POST /manifest. */
export const manifestCreateSchema = input(manifestSchema, {
  externalIdentifier: text(1, 255).openapi({ example: 'ORDER-10248' }),
  manifestStatus: optionalOr(z.enum(['PLANNED', 'TO_DO']), 'PLANNED'),
  gateExternalId: optional(text(0, 255)),
  ...newFacts,
  customFields: optional(customFieldsSchema),
  assets: optional(assetsSchema),
}).openapi('ManifestCreate');
type Create = typeof manifestCreateSchema;
/** Members of a new manifest that always have a value. */
type Settled = 'externalIdentifier' | 'manifestStatus';
/** The input of `createManifest`. It may leave out what a request may leave out. */
export type NewManifest = Pick<z.output<Create>, Settled> & Omit<z.input<Create>, Settled>;

/** Body of PUT /manifest/{manifestExternalId}. Omitted and null members stay unchanged. */
export const manifestReplaceSchema = input(manifestSchema, {
  assets: optional(assetsSchema),
  customFields: optional(customFieldsSchema),
  ...givenFacts,
}).openapi('ManifestReplace');
/** What `replaceManifest` replaces. A member that is null or missing stays unchanged. */
export type ManifestReplacement = z.input<typeof manifestReplaceSchema>;

/** Body of POST /manifest/{manifestExternalId}/backorder. */
export const backorderSchema = z
  .strictObject({ externalIdentifier: text(1, 255).openapi({ example: 'ORDER-10248-2' }) })
  .openapi('BackorderCreate');

/** Response of operations that create a manifest. */
export const manifestIdentifiersSchema = z
  .object({ uuid: z.uuid(), externalIdentifier: z.string() })
  .openapi('ManifestIdentifiers');

/** Response of PUT /manifest/{manifestExternalId}: how many items changed. */
export const manifestReplacedSchema = z
  .object({
    assets: z.object({ added: int32, removed: int32, unchanged: int32 }),
    customFields: z.object({ added: int32, updated: int32, removed: int32, unchanged: int32 }),
  })
  .openapi('ManifestReplaced');

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
