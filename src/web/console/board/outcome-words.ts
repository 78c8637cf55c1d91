import type { ScanOutcome } from '../../../dispatch/loading/gate-view-rules.ts';
import { TIMELINE_DETAILS, type TimelineDetail } from '../../../dispatch/track/timeline-rules.ts';
import type { Key } from '../../../messages/messages.ts';
import type { Words } from '../../../messages/words.ts';

/** The messages for results of earlier scans. The messages `scan.*` also say what the person at the gate has to do. */
const OUTCOMES = {
  LOADED: 'status.LOADED',
  UNLOADED: 'status.UNLOADED',
  OFFLOADED: 'status.OFFLOADED',
  WRONGLY_LOADED: 'status.WRONGLY_LOADED',
  UNKNOWN_LOADING: 'status.UNKNOWN_LOADING',
  NO_ACTIVE_MANIFEST: 'outcome.NO_ACTIVE_MANIFEST',
  NOT_LOADED: 'scan.NOT_LOADED',
  SUPERSEDED: 'scan.SUPERSEDED',
  NOT_RECOGNIZED: 'scan.NOT_RECOGNIZED',
} as const satisfies Record<ScanOutcome, Key>;

/** The messages for the reasons of flags that the service writes. */
export const FLAG_REASONS = {
  [TIMELINE_DETAILS.damageSeen]: 'note.seenDamaged',
  [TIMELINE_DETAILS.damageOnPhoto]: 'note.photoDamaged',
} as const satisfies Partial<Record<TimelineDetail, Key>>;

const isWritten = (reason: string): reason is keyof typeof FLAG_REASONS =>
  Object.hasOwn(FLAG_REASONS, reason);

/** The reason of a flag in the language of the page. A reason that a person wrote is returned unchanged. */
export const flagReasonIn = ({ t }: Words, reason: string): string =>
  isWritten(reason) ? t(FLAG_REASONS[reason]) : reason;

/** The result of a recorded scan in words. */
export const outcomeIn = ({ t }: Words, outcome: ScanOutcome): string => t(OUTCOMES[outcome]);
