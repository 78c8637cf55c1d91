import { z } from '@hono/zod-openapi';
import { dateInput } from '../../../core/http/dates.ts';
import { common, dateTime, input, list, optionalOr, orNull, text } from '../../../core/http/schema.ts';
import { customFieldOutSchema, customFieldsSchema } from '../../custom-field/schema.ts';
import { gateReferenceSchema } from '../../gate/schema.ts';
import { manifestReferenceSchema, validationErrorsSchema } from '../manifest/schema.ts';
import { signaturesShown } from '../shared/signature-schema.ts';
import { LOAD_STATUSES } from '../shared/status-rules.ts';
import { CANCELLED_MANIFESTS, MANIFESTS_MAXIMUM, type ManifestReference } from './rules.ts';

/** An optional member of a body. It is null in the input of a command if the body leaves it out. */
const orNothing = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value): z.output<T> | null => value ?? null);

const named = text(0, 255).nullable().optional();

/** A manifest in a request. */
const referenceSchema = input(manifestReferenceSchema, { manifestExternalId: named, manifestUuid: named })
  .transform(
    (reference): ManifestReference => ({
      manifestExternalId: reference.manifestExternalId || null,
      manifestUuid: reference.manifestUuid?.toLowerCase() || null,
    }),
  )
  .refine(
    ({ manifestExternalId, manifestUuid }) => manifestExternalId !== null || manifestUuid !== null,
    'Give manifestExternalId or manifestUuid.',
  )
  .openapi('ManifestReference', {
    description: 'By manifestExternalId or manifestUuid, or by both if they name the same manifest',
  });

const referencesSchema = list(referenceSchema, 1, MANIFESTS_MAXIMUM);

const gateIdentifier = orNothing(text(0, 255));
const notes = orNothing(text(0, 1_000));

/** A shipment as the API shows it. */
export const shipmentSchema = z
  .object({
    ...common,
    externalIdentifier: z.string(),
    status: z.enum(LOAD_STATUSES),
    gate: orNull(gateReferenceSchema),
    manifests: z
      .array(manifestReferenceSchema)
      .describe(
        'In the order in which they were attached. The GET of the shipment shows all. Lists, events ' +
          'and responses to writes show up to 100. A response to a request that names more shows all of these',
      ),
    tracksCount: z.int().describe('Number of assets on all its manifests, in any loading status'),
    totalAssetsCount: z
      .int()
      .describe('Number of assets on manifests that are not cancelled, without invalid loadings'),
    loadedAssetsCount: z.int().describe('Number of these assets that are LOADED'),
    notes: z.string().nullable(),
    activateDate: dateTime.nullable().describe('When it became IN_PROGRESS'),
    closeDate: dateTime.nullable().describe('When it became COMPLETED or CANCELLED'),
    shortReason: z
      .string()
      .nullable()
      .describe('Why pallets are missing, if a reason was given at completion'),
    arrivalDate: dateTime.nullable().describe('When its truck arrived, if somebody said so'),
    driverName: z.string().nullable().describe('Name of the driver, from the arrival'),
    driverUrl: z
      .url()
      .nullable()
      .describe(
        'Public page for the driver: gate, time, state and *I am here*. Null if the shipment is closed',
      ),
    customFields: z.array(customFieldOutSchema),
    signatures: signaturesShown,
    proofOfShipmentUrl: z.url().nullable(),
    shipmentSummaryUrl: z.url().optional().describe('Present if COMPLETED'),
    deleted: z.boolean(),
  })
  .openapi('Shipment');

/** Body of POST /shipment. */
export const shipmentCreateSchema = input(shipmentSchema, {
  identifier: text(1, 255).openapi({ example: 'SHIP-1996-07-16-3' }),
  gateIdentifier: gateIdentifier.describe('External id or UUID of a gate'),
  notes,
  manifests: referencesSchema.describe('PLANNED manifests that are in no other shipment'),
  customFields: orNothing(customFieldsSchema).describe('Keys must be configured for the organization'),
}).openapi('ShipmentCreate');
/** The input of `createShipment`. */
export type NewShipment = z.output<typeof shipmentCreateSchema>;

/** Query of POST /shipment/{shipmentExternalId}/status/{shipmentStatus}. */
export const shipmentStatusQuery = z.object({
  manifests: z
    .enum(CANCELLED_MANIFESTS)
    .optional()
    .openapi({ default: 'CANCEL' })
    .describe('Only with CANCELLED: whether the manifests are cancelled, too, or released from the shipment'),
  shortReason: text(1, 255)
    .optional()
    .describe('Only with COMPLETED: why pallets are missing. The audit records have it as `reason`'),
});

/** Body of POST /shipment/{shipmentExternalId}/arrival. Omitted or null members stay unchanged, except the date. */
export const shipmentArrivalSchema = input(shipmentSchema, {
  arrivalDate: orNothing(dateInput)
    .openapi({ type: ['string', 'null'], format: 'date-time' })
    .describe(
      'ISO 8601 with an offset. Default: now. Up to 5 minutes in the future counts as now. A later date is refused, ' +
        'and so is a date more than a day before the creation of the shipment',
    ),
  vehicle: orNothing(text(0, 255)).describe(
    'Value of the custom field with the role VEHICLE. Without such a field, it is not stored',
  ),
  driverName: orNothing(text(0, 255)).describe('A blank value removes the name'),
}).openapi('ShipmentArrival');
/** What `recordArrival` sets. A date of null is now. */
export type NewArrival = z.output<typeof shipmentArrivalSchema>;

/** Body of PUT /shipment/{shipmentExternalId}. Omitted or null members stay unchanged. */
export const shipmentReplaceSchema = input(shipmentSchema, {
  identifier: orNothing(text(0, 255)).describe('The current identifier; it cannot be changed'),
  gateIdentifier: gateIdentifier.describe(
    'External id or UUID of a gate. An empty string clears the gate, unless loading is in progress',
  ),
  notes,
  manifests: orNothing(referencesSchema).describe('All manifests of the shipment; others are detached'),
  customFields: orNothing(customFieldsSchema).describe(
    'All custom fields of the shipment; fields that are left out or blank are removed',
  ),
}).openapi('ShipmentReplace');
/** What `replaceShipment` replaces. A member that is null stays unchanged. A gate of '' removes the gate. */
export type ShipmentReplacement = Omit<z.output<typeof shipmentReplaceSchema>, 'identifier'>;

/** Body of DELETE /shipment/{shipmentExternalId}/manifest. */
export const shipmentDetachSchema = z.strictObject({ manifests: referencesSchema }).openapi('ShipmentDetach');

/** Body of POST /shipment/{shipmentExternalId}/manifest. */
export const shipmentAttachSchema = z
  .strictObject({
    manifests: list(
      referenceSchema
        .refine(
          ({ manifestExternalId, manifestUuid }) => manifestExternalId === null || manifestUuid === null,
          'To attach a manifest, give either manifestExternalId or manifestUuid, not both.',
        )
        .openapi('ManifestToAttach', {
          description: 'By either manifestExternalId or manifestUuid, not by both',
        }),
      1,
      MANIFESTS_MAXIMUM,
    ),
  })
  .openapi('ShipmentAttach');

/** Maximum number of items in one bulk upsert. */
export const BULK_ITEMS_MAXIMUM = 10_000;

/** Body of POST /shipment/bulk-upsert. */
export const shipmentBulkUpsertSchema = z
  .strictObject({
    items: list(
      z.strictObject({
        shipmentExternalId: text(1, 255).describe('External id, or else UUID'),
        customFields: customFieldsSchema.describe(
          'Fields to set. A blank value removes a field; other fields stay',
        ),
      }),
      1,
      BULK_ITEMS_MAXIMUM,
    ),
    errorBehaviour: optionalOr(z.enum(['PROCEED', 'ROLLBACK']), 'PROCEED').describe(
      'ROLLBACK: all items take effect, or none. PROCEED: each item without an error takes effect',
    ),
  })
  .openapi('ShipmentBulkUpsert');

/** Response of GET /shipment/{shipmentExternalId}/validate. */
export const shipmentValidationSchema = z
  .object({
    valid: z.boolean().describe('Whether everything was checked and no problem was found'),
    cancelledManifests: z.array(manifestReferenceSchema),
    manifests: z
      .array(manifestReferenceSchema.extend(validationErrorsSchema.shape))
      .describe('Each manifest that is not cancelled'),
  })
  .openapi('ShipmentValidation');
