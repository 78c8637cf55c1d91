import { app } from './app.ts';
import { sweepOrphans } from './calibration/objects.ts';
import { commands } from './commands.ts';
import { pruneDeadLetters } from './dead-letter/store.ts';
import { duties } from './duties.ts';
import type { Env } from './env.ts';
import { pruneEvents } from './event/store.ts';
import { pruneScans } from './loading/scan-store.ts';
import { pruneOperations } from './operation/store.ts';
import { consume } from './queues.ts';
import { pruneIdempotency } from './writer/idempotency.ts';
import { organizationWriter } from './writer/object.ts';

/** The Durable Object of an organization. */
export class OrganizationWriter extends organizationWriter(commands, duties) {}

export default {
  fetch: app.fetch,
  queue: consume,
  /**
   * Once a day: drop idempotency records, scans, events, operations and dead letters whose time is over, and objects
   * that are no file's.
   */
  async scheduled(controller, env) {
    await pruneIdempotency(env.DB, controller.scheduledTime);
    await pruneScans(env.DB, controller.scheduledTime);
    await pruneEvents(env.DB, controller.scheduledTime);
    await pruneOperations(env.DB, controller.scheduledTime);
    await pruneDeadLetters(env.DB, controller.scheduledTime);
    await sweepOrphans(env.DB, env.CALIBRATION, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
