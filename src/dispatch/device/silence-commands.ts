import { missing } from '../../core/lib/missing.ts';
import { isoDate } from '../../core/lib/time.ts';
import { command, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { raiseAlerts } from '../alert/changes.ts';
import type { NewAlert } from '../alert/table.ts';
import { assignedGateOf } from '../gate/rules.ts';
import { auditedDevice } from './changes.ts';
import { type SilentDevice, silentBefore, silentDevicesQuery, storeSilence } from './store.ts';

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
    return mergeChanges(answer, [noted, raiseAlerts(context, found.map(alertOf))]);
  },
});

const alertOf = (device: SilentDevice): NewAlert => ({
  alertType: 'DEVICE_OFFLINE',
  params: { deviceType: device.deviceType, device: device.name, heardDate: device.lastHeartbeatDate },
  gate: assignedGateOf(device),
  deviceUuid: device.uuid,
});
