import type { ScanOutcome } from '../../../dispatch/loading/gate-view-rules.ts';
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

/** The result of a recorded scan in words. */
export const outcomeIn = ({ t }: Words, outcome: ScanOutcome): string => t(OUTCOMES[outcome]);
