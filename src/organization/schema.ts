import { z } from '@hono/zod-openapi';
import { common, dateTime, input, nameText, text } from '../http/schema.ts';

const MARKER_CODE_MAXIMUM = Number.MAX_SAFE_INTEGER;
const slug = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'A slug is a DNS label: a-z, 0-9 and inner hyphens, 1 to 63.',
  )
  .openapi({ example: 'acme' });

const settings = {
  name: nameText(255),
  slug,
  dispatchStrategy: z.enum(['MANIFEST', 'SHIPMENT']),
  clientFeatureEnabled: z.boolean(),
  markerAllocationMaximum: z.int().min(1).max(10_000).describe('Codes one allocation may take'),
  markerCodeStart: z.int().min(1).max(MARKER_CODE_MAXIMUM).describe('First marker code of the organization'),
  requestsPerMinute: z.int().min(1).max(1_000_000),
  deviceOfflineAfterSeconds: z
    .int()
    .min(10)
    .max(86_400)
    .describe('A device without a heartbeat for longer is shown as OFFLINE'),
  retentionDays: z
    .int()
    .min(90)
    .max(3_650)
    .nullable()
    .describe(
      'Days after which a completed or cancelled manifest or shipment goes to the archive; null: never. What is there ' +
        'stays there, whatever the number becomes',
    ),
  shipmentCustomFields: z
    .array(z.strictObject({ fieldKey: text(1, 100), fieldType: z.enum(['TEXT', 'NUMBER']) }))
    .max(50)
    .refine(
      (fields) => new Set(fields.map((field) => field.fieldKey)).size === fields.length,
      'A key stands twice.',
    ),
};

const sandbox = z.boolean();
const databaseName = text(1, 10).openapi({ example: 'DB' });

/** An organization as the API shows it. */
export const organizationSchema = z
  .object({
    ...common,
    ...settings,
    databaseName: databaseName.describe('The database that it lives in'),
    status: z.enum(['ACTIVE', 'SUSPENDED']).describe('Whether its credentials and sessions are taken'),
    suspendDate: dateTime.nullable(),
    sandbox: sandbox.describe('Fixed when it was created'),
  })
  .openapi('Organization');

/** Body of POST /organization. */
export const organizationCreateSchema = input(organizationSchema, {
  ...settings,
  dispatchStrategy: settings.dispatchStrategy.default('MANIFEST'),
  clientFeatureEnabled: settings.clientFeatureEnabled.default(false),
  markerAllocationMaximum: settings.markerAllocationMaximum.default(1_000),
  markerCodeStart: settings.markerCodeStart.default(1_000_000_000),
  requestsPerMinute: settings.requestsPerMinute.default(6_000),
  deviceOfflineAfterSeconds: settings.deviceOfflineAfterSeconds.default(300),
  retentionDays: settings.retentionDays.default(null),
  shipmentCustomFields: settings.shipmentCustomFields.default([]),
  sandbox: sandbox
    .default(false)
    .describe(
      'Whether it is one to try things in: its secrets are `…_test_…`, and cameras can be played at its gates',
    ),
  databaseName: databaseName
    .optional()
    .describe('The database that it is to live in; without, the open one with most room'),
}).openapi('OrganizationCreate');

/** Body of PUT /organization/{uuid}: what is omitted stays. */
export const organizationUpdateSchema = input(organizationSchema, z.object(settings).partial().shape).openapi(
  'OrganizationUpdate',
);
