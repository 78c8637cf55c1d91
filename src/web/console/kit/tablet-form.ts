import type { ProblemCode } from '../../../core/lib/problem.ts';

/** An action that a tablet asks for. */
export interface AskedByTablet {
  name: string;
  form: unknown;
  /** The turn at the tablet in which the form was made; without it, the present one. */
  turn?: string | undefined;
  /** When the form was made, as the device says; epoch milliseconds. */
  madeDate?: number | undefined;
  /** Whether it only asks for the question of the action. */
  isAsked: boolean;
}

/**
 * The refusals after which a form stays on its device: until somebody has said who works there, or (`held`) until somebody
 * sends it in their own name.
 */
export const WAITS: { [code in ProblemCode]?: object } = {
  workerRequired: { waits: true },
  workerGone: { waits: true, held: true },
};
