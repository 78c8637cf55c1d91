import { z } from '@hono/zod-openapi';
import { common, input, int32, nameText, uuid } from '../../core/http/schema.ts';
import { isGln } from '../../pallet/gs1.ts';

/** The statuses of gates. */
export const GATE_STATUSES = ['AVAILABLE', 'LOADING', 'OUT_OF_SERVICE'] as const;

/** A gate as the API shows it. */
export const gateSchema = z
  .object({
    ...common,
    name: z.string(),
    externalIdentifier: z.string(),
    status: z
      .enum(GATE_STATUSES)
      .describe('LOADING while a manifest or shipment is in progress there; OUT_OF_SERVICE after deletion'),
    activeManifestExternalIds: z.array(z.string()).describe('Manifests in progress at the gate'),
    activeShipmentExternalIds: z.array(z.string()).describe('Shipments in progress at the gate'),
    localManagerUuid: z.string().nullable(),
    gln: z
      .string()
      .nullable()
      .describe('Global Location Number (GLN, of GS1) of the gate; EPCIS events name the gate by it'),
    openAlertsCount: int32.describe(
      'Number of unresolved alerts raised at the gate, also about loads that have left',
    ),
    deleted: z.boolean(),
  })
  .openapi('Gate');

/** Body of PUT …/gate/{externalIdentifier}. */
export const gateUpsertSchema = input(gateSchema, {
  name: nameText(255),
  localManagerUuid: uuid.nullable().optional().describe('Omitted: unchanged; null: none'),
  gln: z
    .string()
    .refine(isGln, 'This is not a valid GLN. It needs 13 digits with a correct check digit at the end.')
    .meta({ maxLength: 13 })
    .nullable()
    .optional()
    .describe('13 digits with their check digit. Omitted: unchanged; null: none')
    .openapi({ example: '9521234000006' }),
}).openapi('GateUpsert');

/** A reference to a gate in other resources. */
export const gateReferenceSchema = z
  .object({ uuid: z.uuid(), externalIdentifier: z.string(), name: z.string(), deepLink: z.url() })
  .openapi('GateReference');
