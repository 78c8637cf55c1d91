import { DurableObject } from 'cloudflare:workers';
import type { CommandRequest, Outcome, Registry } from './command.ts';
import { type Lease, RateWindow } from './rate-window.ts';
import { Writer } from './writer.ts';

/** The Durable Object class of a registry of commands: a shell that gives a `Writer` its one instance. */
export function organizationWriter(registry: Registry) {
  return class extends DurableObject<{ DB: D1Database }> {
    #writer: Writer | undefined;
    readonly #rate = new RateWindow();

    /** Run a command. */
    execute(request: CommandRequest): Promise<Outcome> {
      this.#writer ??= new Writer(this.env.DB, this.ctx.id.name!, registry);
      return this.#writer.execute(request);
    }

    /** Take requests out of the organization's minute for an edge isolate to spend. */
    lease(limit: number, wanted: number): Lease {
      return this.#rate.lease(limit, wanted, Date.now());
    }
  };
}
