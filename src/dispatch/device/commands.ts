import { sql } from 'drizzle-orm';
import { changedFields, type FieldChange } from '../../core/lib/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { missing, missingIn } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { fold } from '../../core/lib/text.ts';
import { isoDate } from '../../core/lib/time.ts';
import { auditing } from '../../core/writer/audited.ts';
import { type Context, command, isRefusal, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { raisedAlertsChange, resolvedAlertsChange } from '../alert/changes.ts';
import { openAboutDevice, openAlertsQuery } from '../alert/store.ts';
import type { NewAlert } from '../alert/table.ts';
import { assignedGateOf } from '../gate/rules.ts';
import { type FoundGate, gateQuery, localManagerQuery } from '../gate/store.ts';
import { DEVICE_NOT_FOUND, reportedChanges } from './rules.ts';
import {
  deviceQuery,
  deviceStateQuery,
  deviceViewQuery,
  type Heartbeat,
  laterHeartbeat,
  noteAlive,
  type SilentDevice,
  silentBefore,
  silentDevicesQuery,
  storeSilence,
} from './store.ts';
import { type AGENT_TYPES, type DeviceType, device, type SCANNER_TYPES } from './table.ts';

/** An audit entry about a device. */
const auditedDevice = (
  deviceType: DeviceType,
  what: 'CREATED' | 'UPDATED' | 'DELETED' | 'REPORTED' | 'FELL_SILENT',
  thing: { uuid: string; name: string },
  changes: FieldChange[],
) => auditing<typeof thing>(deviceType, ({ name }) => name)(`${deviceType}_${what}`, thing, changes);

/** The fields of a new device. The schema of its type decides which fields a request may have. */
export interface ProvisionedDevice {
  name: string;
  softwareVersion?: string | null | undefined;
  serialNumber?: string | null | undefined;
  scannerType?: (typeof SCANNER_TYPES)[number] | null | undefined;
  gateExternalId?: string | null | undefined;
  hostname?: string | null | undefined;
  agentType?: (typeof AGENT_TYPES)[number] | null | undefined;
  localManagerUuid?: string | null | undefined;
}

/** The fields of a device that people can change. A field that its type does not have is null. */
export type Settled = {
  [Field in Exclude<keyof ProvisionedDevice, 'softwareVersion'>]-?: Exclude<
    ProvisionedDevice[Field],
    undefined
  >;
};

/** Create a device. Its status and dates come from its own heartbeats. */
export const createDevice = command('createDevice', {
  ask: ({ scope }, { gateExternalId, localManagerUuid }: { deviceType: DeviceType } & ProvisionedDevice) => ({
    gates: gateExternalId == null ? undefined : gateQuery(scope, gateExternalId),
    managers: localManagerUuid == null ? undefined : localManagerQuery(scope, localManagerUuid),
  }),
  decide({ scope, organization, now }, { deviceType, gateExternalId, ...input }, { gates, managers }) {
    if (!organization) return missing('organizationNotFound', scope.organization);
    const gate = references(gateExternalId, gates, input.localManagerUuid, managers);
    if (gate && isRefusal(gate)) return gate;
    const uuid = newUuid();
    return {
      writes: scope.insert(device, [
        {
          uuid,
          deviceType,
          ...input,
          gateUuid: gate?.uuid ?? null,
          foldedName: fold(input.name),
          foldedSerialNumber: input.serialNumber == null ? null : fold(input.serialNumber),
          foldedHostname: input.hostname == null ? null : fold(input.hostname),
          createDate: now,
          updateDate: now,
        },
      ]),
      audit: [
        auditedDevice(deviceType, 'CREATED', { uuid, name: input.name }, [
          ...changedFields(null, input),
          ...changedFields(null, { gate: gate?.externalIdentifier ?? null }),
        ]),
      ],
      answer: deviceQuery(scope, uuid, silentBefore(organization, now)),
    };
  },
});

/**
 * Change the name and the references of a device. Fields that the device reports itself do not
 * change.
 */
export const updateDevice = command('updateDevice', {
  ask: (
    { scope, organization, now },
    {
      deviceType,
      uuid,
      gateExternalId,
      localManagerUuid,
    }: { deviceType: DeviceType; uuid: string } & Settled,
  ) => ({
    devices: organization
      ? deviceViewQuery(scope, deviceType, uuid, silentBefore(organization, now))
      : undefined,
    gates: gateExternalId === null ? undefined : gateQuery(scope, gateExternalId),
    managers: localManagerUuid === null ? undefined : localManagerQuery(scope, localManagerUuid),
  }),
  decide({ scope, organization, now }, input, { devices: [row], gates, managers }) {
    const { deviceType, uuid, gateExternalId, ...said } = input;
    if (!organization) return missing('organizationNotFound', scope.organization);
    if (!row) return missing(DEVICE_NOT_FOUND[deviceType], uuid);
    const found = parseJson(row.view);
    // A reference to a deleted local manager may stay.
    const manager = said.localManagerUuid === found.localManagerUuid ? null : said.localManagerUuid;
    const gate = references(gateExternalId, gates, manager, managers);
    if (gate && isRefusal(gate)) return gate;
    const changes = [
      ...changedFields<Omit<Settled, 'gateExternalId'>>(found, said),
      ...changedFields(
        { gate: found.gate?.externalIdentifier ?? null },
        { gate: gate?.externalIdentifier ?? null },
      ),
    ];
    const answer = deviceQuery(scope, uuid, silentBefore(organization, now));
    if (changes.length === 0) return unchanged(answer);
    const set = {
      ...said,
      gateUuid: gate?.uuid ?? null,
      foldedName: fold(said.name),
      foldedSerialNumber: said.serialNumber === null ? null : fold(said.serialNumber),
      foldedHostname: said.hostname === null ? null : fold(said.hostname),
      updateDate: now,
    };
    return {
      writes: [scope.update(device, set, sql`uuid = ${uuid}`)],
      audit: [auditedDevice(deviceType, 'UPDATED', { uuid, name: said.name }, changes)],
      answer,
    };
  },
});

/**
 * Delete a device. References to a deleted local manager stay, like references to a deleted gate.
 */
export const deleteDevice = command('deleteDevice', {
  ask: (context, { deviceType, uuid }: { deviceType: DeviceType; uuid: string }) => ({
    devices: askDevice(context, deviceType, uuid),
    alerts: openAlertsQuery(context.scope, openAboutDevice(uuid)),
  }),
  decide(context, { deviceType, uuid }, { devices: [found], alerts }) {
    const { scope, organization, now } = context;
    if (!organization) return missing('organizationNotFound', scope.organization);
    if (!found) return missing(DEVICE_NOT_FOUND[deviceType], uuid);
    const deleted = {
      writes: [scope.update(device, { deletedDate: now, updateDate: now }, sql`uuid = ${uuid}`)],
      audit: [
        auditedDevice(deviceType, 'DELETED', found, [{ field: 'deleted', oldValue: false, newValue: true }]),
      ],
    };
    return mergeChanges({ value: {} }, [deleted, resolvedAlertsChange(context, alerts)]);
  },
});

/** Process a heartbeat. News is audited. A heartbeat without news is only stored. */
export const reportDevice = command('reportDevice', {
  ask: (context, { deviceType, uuid }: Heartbeat) => ({
    devices: askDevice(context, deviceType, uuid),
    alerts: openAlertsQuery(context.scope, openAboutDevice(uuid)),
  }),
  decide(context, beat, { devices: [found], alerts }) {
    const { scope, organization, now } = context;
    if (!organization) return missing('organizationNotFound', scope.organization);
    const { deviceType, uuid } = beat;
    const silent = silentBefore(organization, now);
    if (!found) return missingIn('uuid', DEVICE_NOT_FOUND[deviceType], uuid);
    const changes = reportedChanges(found, beat);
    const answer = deviceQuery(scope, uuid, silent);
    if (changes.length === 0) {
      return { writes: [], unauditedWrites: [noteAlive(scope, beat, silent, now)], audit: [], answer };
    }
    const reported = {
      writes: [
        scope.update(
          device,
          {
            reportedStatus: beat.status,
            softwareVersion: beat.softwareVersion ?? found.softwareVersion,
            lastError: beat.lastError ?? found.lastError,
            lastHeartbeatDate: laterHeartbeat(now),
            updateDate: now,
          },
          sql`uuid = ${uuid}`,
        ),
      ],
      audit: [auditedDevice(deviceType, 'REPORTED', found, changes)],
    };
    // Only a device that is stored as OFFLINE can have an alert. A heartbeat with OFFLINE does not
    // resolve it.
    const isBack = found.reportedStatus === 'OFFLINE' && beat.status !== 'OFFLINE';
    return mergeChanges(answer, [reported, ...(isBack ? [resolvedAlertsChange(context, alerts)] : [])]);
  },
});

/** The gate of a new device, if any. All invalid references are refused together. */
function references(
  gateExternalId: string | null | undefined,
  [gate]: readonly FoundGate[],
  localManagerUuid: string | null | undefined,
  managers: readonly unknown[],
): FoundGate | Refusal | undefined {
  const refused: Refusal[] = [];
  if (gateExternalId != null && !gate)
    refused.push(missingIn('gateExternalId', 'gateNotFound', gateExternalId));
  if (localManagerUuid != null && managers.length === 0)
    refused.push(missingIn('localManagerUuid', 'localManagerNotFound', localManagerUuid));
  if (refused.length > 1) {
    const errors = refused.flatMap((one) => one.errors ?? []);
    return refusal('validationFailed', refused.map(({ detail }) => detail).join(' '), { errors });
  }
  return refused[0] ?? gate;
}

/** Read a device with its current status. */
const askDevice = ({ scope, organization, now }: Context, deviceType: DeviceType, uuid: string) =>
  organization ? deviceStateQuery(scope, deviceType, uuid, silentBefore(organization, now)) : undefined;

/** The maximum number of devices in one command. The next command takes the others. */
const DEVICES_MAXIMUM = 500;

/**
 * Record devices that fell silent, and raise one alert for each. They are stored as OFFLINE, so
 * their next heartbeat is news. It then goes to the writer, which resolves the alert.
 */
export const noteSilence = command('noteSilence', {
  ask: ({ scope, organization, now }, _: object) => ({
    found: organization
      ? silentDevicesQuery(scope, silentBefore(organization, now), DEVICES_MAXIMUM)
      : undefined,
  }),
  decide(context, _, { found }) {
    const { scope, organization, now } = context;
    if (!organization) return missing('organizationNotFound', scope.organization);
    const silent = silentBefore(organization, now);
    const answer = { value: { devices: found.length } };
    if (found.length === 0) return unchanged(answer);
    const noted = {
      writes: [
        storeSilence(
          scope,
          found.map(({ uuid }) => uuid),
          silent,
          now,
        ),
      ],
      audit: found.map((device) =>
        auditedDevice(device.deviceType, 'FELL_SILENT', device, [
          { field: 'status', oldValue: device.reportedStatus, newValue: 'OFFLINE' },
          { field: 'lastHeartbeatDate', oldValue: null, newValue: isoDate(device.lastHeartbeatDate) },
        ]),
      ),
    };
    return mergeChanges(answer, [noted, raisedAlertsChange(context, found.map(alertOf))]);
  },
});

const alertOf = (device: SilentDevice): NewAlert => ({
  alertType: 'DEVICE_OFFLINE',
  params: { deviceType: device.deviceType, device: device.name, heardDate: device.lastHeartbeatDate },
  gate: assignedGateOf(device),
  deviceUuid: device.uuid,
});
