import type { Databases } from '../lib/databases.ts';
import type { Scope } from '../lib/scope.ts';
import type { AnyCommand, Change } from './command.ts';
import type { Decided } from './commit.ts';
import type { WatermarkStore } from './watermark.ts';
import type { Rewind } from './writer-state.ts';

/** What else happens before and after commits. */
export interface CommitHooks {
  /** Runs a commit that emits events, or that leaves work for jobs (`requestsJobs`). */
  aroundCommit<T>(commit: () => Promise<T>, requestsJobs: boolean): Promise<T>;
  /** Called with the audit entries of a commit, and the last number of the log after it. */
  afterCommit(audit: Change['audit'], sequenceNumber: number): void;
  /** Called where another writer has committed, or where the outcome of a commit is unknown. */
  afterUnknown(): void;
}

export const NO_HOOKS: CommitHooks = {
  aroundCommit: (commit) => commit(),
  afterCommit: () => undefined,
  afterUnknown: () => undefined,
};

/** What a writer is made with. */
export interface WriterOptions {
  databases: Databases;
  organization: string;
  commands: ReadonlyMap<string, AnyCommand>;
  hooks?: CommitHooks;
  /** The marks that reveal a restore of D1. Without them none is noticed. */
  watermarks?: WatermarkStore;
  /** The change that declares a rewind; it is committed before anything else. */
  declareRewind?: (scope: Scope, rewind: Rewind, now: number) => Decided;
  /** The secret that salts of audit records are derived from; random where left out. */
  saltSecret?: string;
}
