import { changedFields, type FieldChange } from '../../core/lib/changes.ts';
import type { MissingCode } from '../../core/lib/missing.ts';
import type { DeviceType, REPORTED_STATUSES } from './table.ts';

export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

/** The statuses that devices of each type may report. */
export const REPORTABLE: Record<DeviceType, readonly ReportedStatus[]> = {
  SCANNER: ['ONLINE', 'OFFLINE'],
  LOCAL_MANAGER: ['ONLINE', 'DEGRADED', 'OFFLINE'],
  AGENT: ['ONLINE', 'ERROR', 'OFFLINE'],
};

/** The problem code for an unknown device. */
export const DEVICE_NOT_FOUND = {
  SCANNER: 'scannerNotFound',
  LOCAL_MANAGER: 'localManagerNotFound',
  AGENT: 'agentNotFound',
} as const satisfies Record<DeviceType, MissingCode>;

/** The state of a device before a heartbeat. */
export interface DeviceState {
  /** The status of the last heartbeat; null before the first heartbeat. */
  reportedStatus: ReportedStatus | null;
  /** The status that is shown. It is also OFFLINE if the device has been silent for too long. */
  shownStatus: string;
  softwareVersion: string | null;
  lastError: string | null;
}

/** The content of a heartbeat. Missing fields are null. */
export interface Report {
  status: ReportedStatus;
  softwareVersion: string | null;
  lastError: string | null;
}

/**
 * The changes of a heartbeat, except its date. A heartbeat without news has no changes. A device that was silent was
 * shown as OFFLINE, so its return is a change of status. `noteAlive` in the store checks the same in SQL.
 */
export function reportedChanges(found: DeviceState, report: Report): FieldChange[] {
  const { shownStatus, reportedStatus, softwareVersion, lastError } = found;
  return changedFields<{ status: string | null; softwareVersion: string | null; lastError: string | null }>(
    { status: shownStatus === report.status ? reportedStatus : shownStatus, softwareVersion, lastError },
    {
      status: report.status,
      softwareVersion: report.softwareVersion ?? softwareVersion,
      lastError: report.lastError ?? lastError,
    },
  );
}
