import type { Env } from '../../core/env.ts';

/** The queues whose dead letters can be sent again, by their purpose. */
export const QUEUES: Record<string, (env: Env) => Queue<unknown>> = {
  operation: (env) => env.OPERATION_QUEUE,
  webhook: (env) => env.WEBHOOK_QUEUE,
};

/** The queue that a letter came from; undefined where it no longer exists. */
export const queueOf = (env: Env, name: string): Queue<unknown> | undefined => QUEUES[name]?.(env);
