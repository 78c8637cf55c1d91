import { app } from './app.ts';
import type { Env } from './core/env.ts';
import { overridden } from './core/http/method-override.ts';
import { organizationWriter } from './core/writer/object.ts';
import { topics } from './delivery/live/topics.ts';
import { commands, jobs } from './features.ts';
import { declareRewind } from './log/event/rewind.ts';
import { consume } from './queues.ts';
import { sendTurns } from './schedule.ts';

/** The Durable Object of an organization. */
export class OrganizationWriter extends organizationWriter(commands, jobs, topics, declareRewind) {}

export default {
  fetch: (request, env, context) => app.fetch(overridden(request), env, context),
  queue: consume,
  /** Each minute and daily: start a turn of each database (`schedule.ts`). */
  scheduled: ({ cron }, env) => sendTurns(cron, env),
} satisfies ExportedHandler<Env>;
