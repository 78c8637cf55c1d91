import type { Databases } from '../lib/databases.ts';
import type { Scope } from '../lib/scope.ts';
import type { AnyCommand, Change } from './command.ts';
import type { Decided } from './commit.ts';
import type { WatermarkStore } from './watermark.ts';
import type { Rewind } from './writer-state.ts';

/** Callbacks before and after commits. */
export interface CommitHooks {
  /** Runs a commit that emits events, or that leaves work for jobs (`requestsJobs`). */
  aroundCommit<T>(commit: () => Promise<T>, requestsJobs: boolean): Promise<T>;
  /** Called with the audit entries of a commit, and the last number of the log after it. */
  afterCommit(audit: Change['audit'], sequenceNumber: number): void;
  /** Called if another writer has committed, or if the outcome of a commit is unknown. */
  afterUnknown(): void;
}

export const NO_HOOKS: CommitHooks = {
  aroundCommit: (commit) => commit(),
  afterCommit: () => undefined,
  afterUnknown: () => undefined,
};

export interface WriterOptions {
  databases: Databases;
  organization: string;
  commands: ReadonlyMap<string, AnyCommand>;
  hooks?: CommitHooks;
  /** The watermarks that reveal a restore of D1. Without them no restore is noticed. */
  watermarks?: WatermarkStore;
  /** Makes the change that declares a rewind. It is committed before anything else. */
  declareRewind?: (scope: Scope, rewind: Rewind, now: number) => Decided;
  /** The secret for salts of audit records; random by default. */
  saltSecret?: string;
}
