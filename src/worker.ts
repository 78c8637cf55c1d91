import { app } from './app.ts';
import { commands } from './commands.ts';
import { pruneDeadLetters } from './dead-letter/store.ts';
import { duties } from './duties.ts';
import type { Env } from './env.ts';
import { pruneEvents } from './event/store.ts';
import { pruneScans } from './loading/scan-store.ts';
import { pruneOperations } from './operation/store.ts';
import { consume } from './queues.ts';
import { pruneDeliveries } from './webhook/store.ts';
import { pruneIdempotency } from './writer/idempotency.ts';
import { organizationWriter } from './writer/object.ts';

/** The Durable Object of an organization. */
export class OrganizationWriter extends organizationWriter(commands, duties) {}

export default {
  fetch: app.fetch,
  queue: consume,
  /** Once a day: drop what its time is over for: idempotency records, scans, deliveries, events, operations, dead letters. */
  async scheduled(controller, env) {
    await pruneIdempotency(env.DB, controller.scheduledTime);
    await pruneScans(env.DB, controller.scheduledTime);
    await pruneDeliveries(env.DB, controller.scheduledTime);
    await pruneEvents(env.DB, controller.scheduledTime);
    await pruneOperations(env.DB, controller.scheduledTime);
    await pruneDeadLetters(env.DB, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
