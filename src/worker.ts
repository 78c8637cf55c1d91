import { app } from './app.ts';
import { sweepOrphans } from './calibration/objects.ts';
import { commands } from './commands.ts';
import type { Env } from './env.ts';
import { pruneIdempotency } from './writer/idempotency.ts';
import { organizationWriter } from './writer/object.ts';

/** The Durable Object of an organization. */
export class OrganizationWriter extends organizationWriter(commands) {}

export default {
  fetch: app.fetch,
  /** Once a day: drop idempotency records whose time is over, and objects that no calibration file names. */
  async scheduled(controller, env) {
    await pruneIdempotency(env.DB, controller.scheduledTime);
    await sweepOrphans(env.DB, env.CALIBRATION, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
