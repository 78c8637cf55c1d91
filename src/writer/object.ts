import { DurableObject } from 'cloudflare:workers';
import type { OrganizationObject, WriterEnv } from './binding.ts';
import { type CommandRequest, commandsOf, type Outcome, type Registry } from './command.ts';
import { Duties, type Duty } from './duties.ts';
import { Listeners, type Telling } from './listeners.ts';
import { marksIn } from './mark.ts';
import { type Lease, RateWindow } from './rate-window.ts';
import { Writer, type WriterOptions } from './writer.ts';

/** The Durable Object class of a registry of commands: a shell that gives a `Writer` its one instance. */
export function organizationWriter<E extends WriterEnv>(
  registry: Registry,
  duties: readonly Duty<E>[],
  telling: Telling,
  declareRewind: WriterOptions['declareRewind'] & object,
) {
  const commands = commandsOf(registry);
  return class extends DurableObject<E> implements OrganizationObject {
    readonly #rate = new RateWindow();
    readonly #listeners = new Listeners(this.ctx, this.env.DB, telling);
    #duties: Duties<E> | undefined;
    #writer: Writer | undefined;

    /** Run a command. */
    execute(request: CommandRequest): Promise<Outcome> {
      const kept = this.#seeTo();
      this.#writer ??= new Writer({
        db: this.env.DB,
        organization: this.ctx.id.name!,
        commands,
        declareRewind,
        marks: marksIn(this.ctx.storage),
        hooks: {
          around: (commit, asks) => kept.around(commit, asks, (promise) => this.ctx.waitUntil(promise)),
          committed: (audit, sequenceNumber) => this.#listeners.committed(audit, sequenceNumber),
          surprised: () => {
            kept.awake();
            this.#listeners.surprised();
          },
        },
      });
      return this.#writer.execute(request);
    }

    /** Take requests out of the organization's minute for an edge isolate to spend. */
    lease(limit: number, wanted: number): Lease {
      return this.#rate.lease(limit, wanted, Date.now());
    }

    /** See to what is due at an instant (epoch milliseconds), or earlier. */
    wake(date: number): Promise<void> {
      return this.#seeTo().wake(date);
    }

    /** See to what is due: what was committed is sent, what was accepted is finished. */
    override async alarm(): Promise<void> {
      await this.#seeTo().alarm();
    }

    /** A page wants to be told of changes. */
    override fetch(request: Request): Promise<Response> {
      return this.#listeners.take(request);
    }

    override webSocketMessage(socket: WebSocket): void {
      this.#listeners.refuse(socket);
    }

    #seeTo(): Duties<E> {
      this.#duties ??= new Duties(duties, this.env, this.ctx.id.name!, this.ctx.storage);
      return this.#duties;
    }
  };
}
