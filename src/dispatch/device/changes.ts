import type { FieldChange } from '../../core/lib/changes.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { DeviceType } from './table.ts';

/** An audit entry about a device. */
export const auditedDevice = (
  deviceType: DeviceType,
  what: 'CREATED' | 'UPDATED' | 'DELETED' | 'REPORTED' | 'FELL_SILENT',
  thing: { uuid: string; name: string },
  changes: FieldChange[],
) => auditing<typeof thing>(deviceType, ({ name }) => name)(`${deviceType}_${what}`, thing, changes);
