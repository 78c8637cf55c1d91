import { changedFields, type FieldChange } from '../lib/changes.ts';
import { type ProblemCode, type Refusal, refusal } from '../lib/problem.ts';
import type { DeviceType, REPORTED_STATUSES } from './table.ts';

export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

/** What a device of each type may say of itself. */
export const REPORTABLE: Record<DeviceType, readonly ReportedStatus[]> = {
  SCANNER: ['ONLINE', 'OFFLINE'],
  LOCAL_MANAGER: ['ONLINE', 'DEGRADED', 'OFFLINE'],
  AGENT: ['ONLINE', 'ERROR', 'OFFLINE'],
};

/** The code for a device that is not there. */
export const NOT_FOUND = {
  SCANNER: 'scannerNotFound',
  LOCAL_MANAGER: 'localManagerNotFound',
  AGENT: 'agentNotFound',
} as const satisfies Record<DeviceType, ProblemCode>;

/** A device that a body names and that does not exist: 400, where one in a path is 404. */
export function unknownDevice(deviceType: DeviceType, field: string, rejectedValue: string): Refusal {
  const [code, message] = [NOT_FOUND[deviceType], `There is no ${deviceType} with this uuid.`];
  return refusal(code, message, { status: 400, errors: [{ field, code, message, rejectedValue }] });
}

/** What is known of a device before a heartbeat. */
export interface DeviceState {
  /** What the last heartbeat said; null before the first one. */
  reportedStatus: ReportedStatus | null;
  /** What lists show: OFFLINE also for a device that was silent too long. */
  shownStatus: string;
  softwareVersion: string | null;
  lastError: string | null;
}

/** What a heartbeat says; null where it says nothing. */
export interface Report {
  status: ReportedStatus;
  softwareVersion: string | null;
  lastError: string | null;
}

/**
 * What a heartbeat changes besides its date; nothing for a mere "still alive". A device that comes back after
 * silence was OFFLINE to everybody, so its status changes too. `IS_NO_NEWS` of the store says the same in SQL.
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
