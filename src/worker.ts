import { app } from './app.ts';
import { commands } from './commands.ts';
import { duties } from './duties.ts';
import type { Env } from './env.ts';
import { pruneEvents } from './event/store.ts';
import { pruneScans } from './loading/scan-store.ts';
import { consume } from './queues.ts';
import { pruneDeliveries } from './webhook/store.ts';
import { pruneIdempotency } from './writer/idempotency.ts';
import { organizationWriter } from './writer/object.ts';

/** The Durable Object of an organization. */
export class OrganizationWriter extends organizationWriter(commands, duties) {}

export default {
  fetch: app.fetch,
  queue: consume,
  /** Once a day: drop the idempotency records, scans, deliveries and events whose time is over. */
  async scheduled(controller, env) {
    await pruneIdempotency(env.DB, controller.scheduledTime);
    await pruneScans(env.DB, controller.scheduledTime);
    await pruneDeliveries(env.DB, controller.scheduledTime);
    await pruneEvents(env.DB, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
