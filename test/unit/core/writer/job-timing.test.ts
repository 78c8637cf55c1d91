import { expect, it } from 'vitest';
import {
  afterRun,
  alarmMayBeLost,
  clockWentBack,
  type EndedRun,
  isStillValid,
  type NextRun,
  needsAlarm,
  ON_REQUEST,
  onRequestOr,
} from '../../../../src/core/writer/jobs.ts';

const NOW = 1_000_000;
const SOON = NOW + 5_000;
const LATER = NOW + 60_000;

it.each<[string, NextRun[], Partial<EndedRun>, number | null, boolean]>([
  ['rings no more when nothing is left', [null, null], {}, null, false],
  ['rings no more and is idle when all jobs wait for a request', [ON_REQUEST, ON_REQUEST], {}, null, true],
  ['rings when the job wants to run again', [LATER], {}, LATER, false],
  ['rings for the job that wants to run first', [LATER, SOON, null], {}, SOON, false],
  ['rings now for work that is left over', [NOW, LATER], {}, NOW, false],
  ['is not idle while one job has a date', [ON_REQUEST, LATER], {}, LATER, false],
  ['is idle while one job waits for a request or a date', [ON_REQUEST, onRequestOr(LATER)], {}, LATER, true],
  ['rings for a job that waits for a request or a date', [LATER, onRequestOr(SOON)], {}, SOON, false],
  ['is not idle while one job waits for events', [ON_REQUEST, null], {}, null, false],
  ['is not idle if a commit requested jobs during the run', [ON_REQUEST], { markedDirty: true }, null, false],
  ['rings at a date that was scheduled during the run', [null], { scheduledDate: LATER }, LATER, false],
  ['keeps the date of a job that is earlier', [SOON], { scheduledDate: LATER }, SOON, false],
  ['keeps a scheduled date that is earlier', [LATER], { scheduledDate: SOON }, SOON, false],
  ['is idle although a run is scheduled', [ON_REQUEST], { scheduledDate: LATER }, LATER, true],
  ['rings soon while a commit is under way', [null], { commitsUnderWay: 1 }, SOON, false],
  ['rings soon while a run is waiting', [LATER], { runWaiting: true }, SOON, false],
  ['rings earlier than for a commit where a job wants it', [NOW], { commitsUnderWay: 2 }, NOW, false],
  ['is idle where there are no jobs', [], {}, null, true],
])('the timing rule sets the alarm after a run: it %s', (_, answers, more, alarmDate, idle) => {
  const run = { answers, markedDirty: false, scheduledDate: null, commitsUnderWay: 0, runWaiting: false };
  expect(afterRun({ ...run, ...more }, NOW)).toEqual({ alarmDate, idle });
});

it.each<[string, NextRun, number | null, boolean]>([
  ['stays valid if it waits for a request', ON_REQUEST, NOW - 1, true],
  ['stays valid until its date', onRequestOr(NOW + 1), NOW - 1, true],
  ['ends at its date', onRequestOr(NOW), NOW - 1, false],
  ['ends with the next events if no work was left', null, NOW - 1, false],
  ['ends with the next events if the job wants to run later', LATER, NOW - 1, false],
  ['ends if the clock went back before a request', ON_REQUEST, NOW + 60_001, false],
  ['ends if the clock went back before its date', onRequestOr(LATER), NOW + 60_001, false],
])('the timing rule decides how long the answer of a job is valid: it %s', (_, answer, lastRun, valid) => {
  expect(isStillValid(answer, { now: NOW, lastRun })).toBe(valid);
});

it.each<[string, number | null, number, boolean]>([
  ['needs an alarm where none is set', null, LATER, true],
  ['needs an alarm if the current alarm is later', LATER, SOON, true],
  ['needs no alarm where one rings before', SOON, LATER, false],
  ['needs no alarm where one rings at that date', SOON, SOON, false],
])('the timing rule decides that a run by a date %s', (_, alarmDate, date, needed) => {
  expect(needsAlarm(alarmDate, date)).toBe(needed);
});

it.each<[string, number | null, boolean]>([
  ['is lost where it should have rung more than 5 seconds ago', NOW - 5_001, true],
  ['is late but not lost within 5 seconds', NOW - 5_000, false],
  ['is not lost before it rings', LATER, false],
  ['is not lost where none is set', null, false],
])('the timing rule decides that an alarm %s', (_, alarmDate, lost) => {
  expect(alarmMayBeLost(alarmDate, NOW)).toBe(lost);
});

it.each<[string, number | null, boolean]>([
  ['went back where a job ran more than a minute later', NOW + 60_001, true],
  ['is tolerated where it went back by a minute', NOW + 60_000, false],
  ['is fine where a job ran before', NOW - 1, false],
  ['is fine where no job ran', null, false],
])('the timing rule decides that a clock %s', (_, lastRun, wentBack) => {
  expect(clockWentBack({ now: NOW, lastRun })).toBe(wentBack);
});
