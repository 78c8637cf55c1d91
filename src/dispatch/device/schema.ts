import { z } from '@hono/zod-openapi';
import { common, dateTime, input, int32, nameText, orNull, text, uuid } from '../../core/http/schema.ts';
import { gateReferenceSchema } from '../gate/schema.ts';
import { REPORTABLE } from './rules.ts';
import { AGENT_TYPES, DEVICE_TYPES, REPORTED_STATUSES, SCANNER_TYPES } from './table.ts';

/** Statuses of devices in responses. */
export const SCANNER_STATUSES = ['ONLINE', 'OFFLINE', 'DISABLED'] as const;
export const LOCAL_MANAGER_STATUSES = ['ONLINE', 'DEGRADED', 'OFFLINE'] as const;
export const AGENT_STATUSES = ['ONLINE', 'ERROR', 'OFFLINE'] as const;

const softwareVersion = text(1, 100);
const localManagerUuid = uuid.nullable().optional().describe('A local manager of the organization');
const provisioned = {
  name: nameText(255),
  softwareVersion: softwareVersion
    .nullable()
    .optional()
    .describe('Used until the device reports its own version'),
};

const shown = {
  ...common,
  name: z.string(),
  softwareVersion: z.string().nullable(),
  deleted: z.boolean(),
};
const lastHeartbeatDate = dateTime.nullable().describe('Does not change `updateDate`');
const silence = 'Also OFFLINE before the first heartbeat, and after `deviceOfflineAfterSeconds` without one';

/** A scanner as the API shows it. */
export const scannerSchema = z
  .object({
    ...shown,
    serialNumber: z.string().nullable(),
    scannerType: z.enum(SCANNER_TYPES).nullable(),
    status: z.enum(SCANNER_STATUSES).describe(`${silence}; DISABLED after deletion`),
    gate: orNull(gateReferenceSchema),
    localManagerUuid: z.uuid().nullable(),
    lastSeenDate: lastHeartbeatDate,
  })
  .openapi('Scanner');

/** A local manager as the API shows it. */
export const localManagerSchema = z
  .object({
    ...shown,
    hostname: z.string().nullable(),
    status: z.enum(LOCAL_MANAGER_STATUSES).describe(silence),
    lastHeartbeatDate,
    gatesCount: int32.describe('Number of gates that name this local manager'),
  })
  .openapi('LocalManager');

/** An agent as the API shows it. */
export const agentSchema = z
  .object({
    ...shown,
    agentType: z.enum(AGENT_TYPES).nullable(),
    status: z.enum(AGENT_STATUSES).describe(silence),
    localManagerUuid: z.uuid().nullable(),
    lastHeartbeatDate,
    lastError: z.string().nullable().describe('Last reported error, even if it is over'),
  })
  .openapi('Agent');

/** Body of POST …/scanner. */
export const scannerCreateSchema = input(scannerSchema, {
  ...provisioned,
  serialNumber: text(1, 255).nullable().optional(),
  scannerType: z.enum(SCANNER_TYPES).nullable().optional(),
  gateExternalId: text(1, 255)
    .nullable()
    .optional()
    .describe('Gate of the scanner: external id, or else UUID; shown as `gate`'),
  localManagerUuid,
}).openapi('ScannerCreate');

/** Body of POST …/local-manager. */
export const localManagerCreateSchema = input(localManagerSchema, {
  ...provisioned,
  hostname: text(1, 255).nullable().optional(),
}).openapi('LocalManagerCreate');

/** Body of POST …/agent. */
export const agentCreateSchema = input(agentSchema, {
  ...provisioned,
  agentType: z.enum(AGENT_TYPES).nullable().optional(),
  localManagerUuid,
}).openapi('AgentCreate');

const deviceTypeSchema = z.enum(DEVICE_TYPES);

/** Body of POST /heartbeat. */
export const heartbeatSchema = z
  .strictObject({
    deviceType: deviceTypeSchema,
    uuid,
    status: z.string().openapi({
      enum: [...REPORTED_STATUSES],
      description: Object.entries(REPORTABLE)
        .map(([type, statuses]) => `${type}: ${statuses.join(', ')}`)
        .join('. '),
    }),
    softwareVersion: softwareVersion.nullable().optional().describe('Omitted or null: unchanged'),
    lastError: text(1, 1_000).nullable().optional().describe('Only for an AGENT. Omitted or null: unchanged'),
  })
  .superRefine(
    ({ deviceType, status, lastError }, context) => {
      const values = REPORTABLE[deviceType];
      if (typeof status === 'string' && !(values as readonly string[]).includes(status)) {
        const message = `Use one of these statuses for the device type ${deviceType}: ${values.join(', ')}.`;
        context.addIssue({
          code: 'invalid_value',
          values: [...values],
          path: ['status'],
          input: status,
          message,
        });
      }
      if (deviceType !== 'AGENT' && lastError != null) {
        context.addIssue({ code: 'custom', path: ['lastError'], message: 'Only an AGENT reports errors.' });
      }
    },
    // Runs even if another field is wrong, so that all failing items are reported at once.
    {
      when: ({ value }) =>
        deviceTypeSchema.safeParse((value as { deviceType?: unknown } | null)?.deviceType).success,
    },
  )
  .openapi('Heartbeat');

/** Response of POST /heartbeat: the device as its list shows it. */
export const deviceSchema = z.union([scannerSchema, localManagerSchema, agentSchema]).openapi('Device');
