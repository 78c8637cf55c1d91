import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type DeviceState,
  type Report,
  type ReportedStatus,
  reportedChanges,
} from '../../../../src/dispatch/device/rules.ts';

const STATUSES: ReportedStatus[] = ['ONLINE', 'OFFLINE', 'DEGRADED', 'ERROR'];
const text = fc.option(fc.constantFrom('1.0', '1.1'), { nil: null });
/**
 * States of devices. A device that sends heartbeats is shown with its reported status. A silent device is
 * shown as OFFLINE.
 */
const states: fc.Arbitrary<DeviceState> = fc
  .record({
    reportedStatus: fc.option(fc.constantFrom(...STATUSES), { nil: null }),
    silent: fc.boolean(),
    softwareVersion: text,
    lastError: text,
  })
  .map(({ silent, ...state }) => ({
    ...state,
    shownStatus: silent ? 'OFFLINE' : (state.reportedStatus ?? 'OFFLINE'),
  }));
const reports: fc.Arbitrary<Report> = fc.record({
  status: fc.constantFrom(...STATUSES),
  softwareVersion: text,
  lastError: text,
});

/** The state of a device after a heartbeat. */
const after = (state: DeviceState, report: Report): DeviceState => ({
  reportedStatus: report.status,
  shownStatus: report.status,
  softwareVersion: report.softwareVersion ?? state.softwareVersion,
  lastError: report.lastError ?? state.lastError,
});

it('a repeated heartbeat changes nothing, in any state', () => {
  fc.assert(
    fc.property(states, reports, (state, report) => {
      expect(reportedChanges(after(state, report), report)).toEqual([]);
    }),
  );
});

it('a heartbeat is recorded exactly if it changes the device', () => {
  fc.assert(
    fc.property(states, reports, (state, report) => {
      const same =
        JSON.stringify(after(state, report)) === JSON.stringify({ ...after(state, report), ...state });
      expect(reportedChanges(state, report).length === 0).toBe(same);
    }),
  );
});

it('the record of a heartbeat names the old and the new value, and they differ', () => {
  fc.assert(
    fc.property(states, reports, (state, report) => {
      for (const { field, oldValue, newValue } of reportedChanges(state, report)) {
        expect(oldValue).not.toBe(newValue);
        const known =
          field === 'status' ? [state.shownStatus, state.reportedStatus] : [state[field as 'lastError']];
        expect(known).toContain(oldValue);
        expect(newValue).toBe(report[field as keyof Report]);
      }
    }),
  );
});

it.each<[string, Partial<DeviceState>, Partial<Report>, [string, unknown, unknown][]]>([
  ['still alive', {}, {}, []],
  ['a change of status', {}, { status: 'OFFLINE' }, [['status', 'ONLINE', 'OFFLINE']]],
  ['back after silence', { shownStatus: 'OFFLINE' }, {}, [['status', 'OFFLINE', 'ONLINE']]],
  ['off after silence', { shownStatus: 'OFFLINE' }, { status: 'OFFLINE' }, [['status', 'ONLINE', 'OFFLINE']]],
  [
    'a first word',
    { shownStatus: 'OFFLINE', reportedStatus: null },
    { status: 'OFFLINE' },
    [['status', null, 'OFFLINE']],
  ],
  ['version and error left out', { softwareVersion: '1.0', lastError: 'Jam' }, {}, []],
  [
    'another version',
    { softwareVersion: '1.0' },
    { softwareVersion: '1.1' },
    [['softwareVersion', '1.0', '1.1']],
  ],
])('a heartbeat follows the table: %s', (_, state, report, changes) => {
  const found = {
    reportedStatus: 'ONLINE',
    shownStatus: 'ONLINE',
    softwareVersion: null,
    lastError: null,
  } as const;
  const defaults = { status: 'ONLINE', softwareVersion: null, lastError: null } as const;
  expect(
    reportedChanges({ ...found, ...state }, { ...defaults, ...report }).map((change) => [
      change.field,
      change.oldValue,
      change.newValue,
    ]),
  ).toEqual(changes);
});
