import { z } from '@hono/zod-openapi';
import {
  common,
  dateTime,
  identifier,
  input,
  list,
  nameText,
  optional,
  optionalOr,
  text,
} from '../../core/http/schema.ts';
import { quoted } from '../../core/lib/missing.ts';
import { FIELD_ROLES, FIELD_TYPES } from '../../core/writer/settings.ts';
import { LABEL_SIZES, WORKER_IDENTIFICATIONS } from '../../core/writer/settings-table.ts';
import { FIELDS_MAXIMUM, isTimeZone } from './rules.ts';

const MARKER_CODE_MAXIMUM = Number.MAX_SAFE_INTEGER;
const slug = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'Use 1 to 63 characters: a-z, 0-9 and hyphens, but no hyphen at either end.',
  )
  .openapi({ example: 'acme' })
  .meta({ maxLength: 63 });

const fieldShape = {
  fieldKey: text(1, 100),
  fieldType: z
    .enum(FIELD_TYPES)
    .describe(
      'Type of the value. DATE_TIME is ISO 8601 with an offset, such as `2026-11-22T14:30:00+01:00`. It is ' +
        'stored in RFC 3339: with `T`, seconds, and a colon in the offset',
    ),
};
const role = z
  .enum(FIELD_ROLES)
  .nullable()
  .describe(
    'Meaning of the field for people who load. Gate pages and lists show it. PLANNED_DEPARTURE ' +
      'needs the type DATE_TIME; the other roles do not allow that type',
  );
const shipmentCustomField = z.object({ ...fieldShape, role }).openapi('ShipmentCustomField');

/** Custom fields in a request. Keys and roles are unique. */
const shipmentCustomFields = list(
  z.strictObject({ ...fieldShape, role: role.default(null) }).openapi('ShipmentCustomFieldInput'),
  0,
  FIELDS_MAXIMUM,
).superRefine((fields, context) => {
  fields.forEach(({ fieldKey, fieldType, role }, index) => {
    const before = fields.slice(0, index);
    const fault = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [index, name], message });
    if (before.some((other) => other.fieldKey === fieldKey))
      fault('fieldKey', `The key ${quoted(fieldKey)} is listed twice.`);
    if (role === null) return;
    if (before.some((other) => other.role === role)) fault('role', 'Another field has this role.');
    if ((role === 'PLANNED_DEPARTURE') !== (fieldType === 'DATE_TIME'))
      fault(
        'fieldType',
        'The role PLANNED_DEPARTURE requires the type DATE_TIME. Other roles do not allow it.',
      );
  });
});

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time of the day as HH:MM, from 00:00 to 23:59.')
  .nullable()
  .openapi({ example: '22:00' });

const settings = {
  name: nameText(255),
  slug,
  dispatchStrategy: z.enum(['MANIFEST', 'SHIPMENT']),
  clientFeatureEnabled: z.boolean(),
  markerAllocationMaximum: z.int().min(1).max(10_000).describe('Maximum number of codes in one allocation'),
  markerCodeStart: z.int().min(1).max(MARKER_CODE_MAXIMUM).describe('First marker code of the organization'),
  requestsPerMinute: z.int().min(1).max(1_000_000),
  deviceOfflineAfterSeconds: z
    .int()
    .min(10)
    .max(86_400)
    .describe('A device without a heartbeat for longer than this is shown as OFFLINE'),
  retentionDays: z
    .int()
    .min(90)
    .max(3_650)
    .nullable()
    .describe(
      'Days after which a completed or cancelled manifest or shipment moves to the archive; null: ' +
        'never. Archived items stay in the archive when this number changes',
    ),
  timeZone: text(1, 100)
    .refine(isTimeZone, 'Use a time zone of the IANA database, such as Europe/Berlin.')
    .describe(
      'Time zone in which pages and documents show times, and of dates in filters without an offset: a ' +
        'name from the IANA time zone database',
    )
    .openapi({ example: 'Europe/Berlin' }),
  gateWorkerIdentification: z
    .enum(WORKER_IDENTIFICATIONS)
    .describe(
      'How tablets at gates identify workers: not at all, by the text of a badge, or by a PIN of 6 ' +
        'to 12 digits',
    ),
  labelSize: z
    .enum(LABEL_SIZES)
    .describe(
      'Size of pallet labels: pages of A4 or Letter with four labels, or one label of A6 or 4 x 6 inches',
    ),
  quietFrom: timeOfDay.describe(
    'Start of the daily quiet hours, in `timeZone`. Null: no quiet hours. Webhooks of the formats SLACK and TEAMS ' +
      'wait until the quiet hours end. Pages show no notifications. Other formats are not affected',
  ),
  quietTo: timeOfDay.describe('End of the quiet hours, on the next day if it is before `quietFrom`'),
  shipmentCustomFields: z.array(shipmentCustomField),
};

const sandbox = z.boolean();
const databaseName = identifier.openapi({ example: 'DB' });

/** An organization as the API shows it. */
export const organizationSchema = z
  .object({
    ...common,
    ...settings,
    databaseName: databaseName.describe('Database that the organization lives in'),
    status: z.enum(['ACTIVE', 'SUSPENDED']).describe('Whether its credentials and sessions are accepted'),
    suspendDate: dateTime.nullable(),
    sandbox: sandbox.describe('Set at creation; cannot be changed'),
  })
  .openapi('Organization');

/** Body of POST /organization. */
export const organizationCreateSchema = input(organizationSchema, {
  ...settings,
  dispatchStrategy: optionalOr(settings.dispatchStrategy, 'MANIFEST'),
  clientFeatureEnabled: optionalOr(settings.clientFeatureEnabled, false),
  markerAllocationMaximum: optionalOr(settings.markerAllocationMaximum, 1_000),
  markerCodeStart: optionalOr(settings.markerCodeStart, 1_000_000_000),
  requestsPerMinute: optionalOr(settings.requestsPerMinute, 6_000),
  deviceOfflineAfterSeconds: optionalOr(settings.deviceOfflineAfterSeconds, 300),
  retentionDays: settings.retentionDays.default(null),
  timeZone: optionalOr(settings.timeZone, 'UTC'),
  gateWorkerIdentification: optionalOr(settings.gateWorkerIdentification, 'NONE'),
  labelSize: optionalOr(settings.labelSize, 'A4'),
  quietFrom: settings.quietFrom.default(null),
  quietTo: settings.quietTo.default(null),
  shipmentCustomFields: optionalOr(shipmentCustomFields, []),
  sandbox: optionalOr(sandbox, false).describe(
    'Whether the organization is a sandbox. Its secrets are `…_test_…`, and cameras can be ' +
      'simulated at its gates',
  ),
  databaseName: optional(databaseName).describe(
    'Database for the organization; if omitted, the open database with the most free space',
  ),
}).openapi('OrganizationCreate');

/** Body of PUT /organization/{uuid}. Omitted members stay unchanged, and `null` except for `retentionDays`, `quietFrom` and `quietTo`. */
export const organizationUpdateSchema = input(organizationSchema, {
  name: optional(settings.name),
  slug: optional(settings.slug),
  dispatchStrategy: optional(settings.dispatchStrategy),
  clientFeatureEnabled: optional(settings.clientFeatureEnabled),
  markerAllocationMaximum: optional(settings.markerAllocationMaximum),
  markerCodeStart: optional(settings.markerCodeStart),
  requestsPerMinute: optional(settings.requestsPerMinute),
  deviceOfflineAfterSeconds: optional(settings.deviceOfflineAfterSeconds),
  retentionDays: settings.retentionDays.optional(),
  timeZone: optional(settings.timeZone),
  gateWorkerIdentification: optional(settings.gateWorkerIdentification),
  labelSize: optional(settings.labelSize),
  quietFrom: settings.quietFrom.optional(),
  quietTo: settings.quietTo.optional(),
  shipmentCustomFields: optional(shipmentCustomFields),
}).openapi('OrganizationUpdate');

const versionId = z.string();
/** The ids of the deployed versions that serve an organization. */
export const organizationVersionSchema = z
  .object({
    edgeVersionId: versionId.describe('Version that answers requests'),
    writerVersionId: versionId.describe('Version that makes the writes of the organization'),
  })
  .openapi('OrganizationVersion');
