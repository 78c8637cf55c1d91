import type { FieldChange } from '../audit/chain.ts';
import type { Change } from '../writer/command.ts';
import type { DeviceType } from './table.ts';

/** An audit entry about a device. */
export const auditedDevice = (
  deviceType: DeviceType,
  what: 'CREATED' | 'DELETED' | 'REPORTED' | 'FELL_SILENT',
  { uuid, name }: { uuid: string; name: string },
  changes: FieldChange[],
): Change['audit'][number] => ({
  action: `${deviceType}_${what}`,
  entityType: deviceType,
  entityUuid: uuid,
  entityExternalId: name,
  changes,
});
