import type { ProblemCode } from '../../../core/lib/problem.ts';

/** An action that a tablet requests. */
export interface AskedByTablet {
  name: string;
  form: unknown;
  /**
   * The turn (the time that one worker uses the tablet) in which the form was made. The default is
   * the current turn.
   */
  turn?: string | undefined;
  /** When the form was made, by the clock of the device; epoch milliseconds. */
  madeDate?: number | undefined;
  /** Whether the tablet only requests the confirmation question, and does not yet send the action. */
  isAsked: boolean;
}

/**
 * Refusals after which a form stays queued on its device. It waits until a worker signs in. With
 * `held` it waits until a worker sends it in their own name.
 */
export const WAITS: { [code in ProblemCode]?: object } = {
  workerRequired: { waits: true },
  workerGone: { waits: true, held: true },
};
