import type { Databases } from '../lib/databases.ts';
import type { Scope } from '../lib/scope.ts';
import type { AnyCommand, Change } from './command.ts';
import type { Decided } from './commit.ts';
import type { Rewind } from './known.ts';
import type { Marks } from './mark.ts';

/** What else is done around commits. */
export interface CommitHooks {
  /** Runs a commit that emits events or wakes jobs (`wakesJobs`). */
  aroundCommit<T>(commit: () => Promise<T>, wakesJobs: boolean): Promise<T>;
  /** What was committed, and the number in the log it came to. */
  afterCommit(audit: Change['audit'], sequenceNumber: number): void;
  /** Another writer has committed, or it is not known what was. */
  afterUnknown(): void;
}

export const NO_HOOKS: CommitHooks = {
  aroundCommit: (commit) => commit(),
  afterCommit: () => undefined,
  afterUnknown: () => undefined,
};

/** What a writer works with: its organization, the databases, the commands it knows. */
export interface WriterOptions {
  databases: Databases;
  organization: string;
  commands: ReadonlyMap<string, AnyCommand>;
  hooks?: CommitHooks;
  /** What outlives a restore of D1; without, none is noticed. */
  marks?: Marks;
  /** What is committed first after a rewind. */
  declareRewind?: (scope: Scope, rewind: Rewind, now: number) => Decided;
  /** What salts of the log are made from; without, something random. */
  saltSecret?: string;
}
