import type { SQL } from 'drizzle-orm';
import { isTakenOver } from '../../access/database/arrival.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { newUuid } from '../../core/lib/id.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { failureOf, isUnavailable } from '../../core/lib/store.ts';
import { TakenOver } from '../../core/lib/taken-over.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { claimJob, type JobError, type LongJob, noteProgress } from './store.ts';

/** The pause after the first failure. It doubles with each further failure. */
const PAUSE_MINIMUM_MS = 2 * SECOND_MS;

/** How a job handles failures of its own, as opposed to outages. */
export interface FailurePolicy {
  /** The job gives up in a phase after this many failures in a row. Other phases are repeated without end. */
  attempts: Readonly<Record<string, number>>;
  /** The longest pause after a failure. */
  pauseMaximumMs: number;
}

/**
 * Works on a job step by step, in phases. Every step may be repeated: a process that takes over repeats the current
 * step. A process that was replaced stores nothing any more, because each of its writes names its claim.
 */
export abstract class PhasedJob<J extends LongJob> {
  protected readonly databases: Databases;
  protected readonly job: J;
  protected readonly claim = newUuid();
  /** Whether `take` has succeeded. A phase that needs other claims sets it to false. */
  protected isTaken = false;

  constructor(databases: Databases, job: J) {
    this.databases = databases;
    this.job = { ...job };
  }

  protected abstract readonly failurePolicy: FailurePolicy;
  /** A step of each phase. */
  protected abstract readonly steps: Record<J['phase'], () => Promise<void>>;
  /** Claim the rows of the organization for the current phase. The job itself is already claimed. */
  protected abstract take(): Promise<void>;
  /** Go to the phase that undoes the job. */
  protected abstract giveUp(): Promise<void>;

  /**
   * Take a step. Returns whether it was the last step. @throws if the step has to be repeated; `TakenOver` if another
   * process works on the job
   */
  async step(): Promise<boolean> {
    const phase: J['phase'] = this.job.phase;
    try {
      if (!this.isTaken) {
        await claimJob(this.databases, this.job, this.claim);
        await this.take();
        this.isTaken = true;
      }
      await this.steps[phase]();
    } catch (error) {
      if (isTakenOver(error)) throw new TakenOver(String(error));
      if (isUnavailable(error)) throw error;
      console.error(JSON.stringify({ job: this.job.uuid, phase, error: String(error) }));
      await this.#failed(error);
    }
    return this.job.phase === 'DONE';
  }

  /** Store the progress, and other changes in `DB` with it. @throws `TakenOver` */
  protected async note(
    phase: J['phase'],
    progress: J['progress'],
    { error, also }: { error?: JobError; also?: (service: Scope) => readonly SQL[] } = {},
  ): Promise<void> {
    await noteProgress(this.databases, this.job, this.claim, { phase, progress, error }, also);
    const phaseDate = phase === this.job.phase ? this.job.phaseDate : Date.now();
    Object.assign(this.job, { phase, progress, phaseDate });
  }

  /** A step has failed for a reason of its own. Rows that collide with other rows will do so again. */
  async #failed(error: unknown): Promise<void> {
    const { phase, progress } = this.job;
    const { attempts, pauseMaximumMs } = this.failurePolicy;
    const failuresCount = (progress.failuresCount ?? 0) + 1;
    const attemptsMaximum = attempts[phase];
    if (attemptsMaximum !== undefined) {
      if (failureOf(error) === 'collision' || failuresCount >= attemptsMaximum) return this.giveUp();
    }
    const pause = Math.min(PAUSE_MINIMUM_MS * 2 ** (failuresCount - 1), pauseMaximumMs);
    await this.note(phase, { ...progress, failuresCount, dueDate: Date.now() + pause });
    throw error;
  }
}
