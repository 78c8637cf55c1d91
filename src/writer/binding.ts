import type { CommandRequest, Outcome } from './command.ts';
import type { Lease } from './rate-window.ts';

/** The Durable Object of an organization, as the rest of the service calls it. */
export interface OrganizationObject extends Rpc.DurableObjectBranded {
  /** Run a command. */
  execute(request: CommandRequest): Promise<Outcome>;
  /** Take requests out of the organization's minute for an edge isolate to spend. */
  lease(limit: number, wanted: number): Lease;
  /** Run the jobs at an instant (epoch milliseconds), or earlier. */
  wake(date: number): Promise<void>;
  /** Forget the organization: it is gone, or has come from elsewhere. */
  forget(): Promise<void>;
  /** Take a page that wants to be notified of changes. */
  fetch(request: Request): Promise<Response>;
}

/** The bindings of the Worker that the writer uses. */
export interface WriterEnv {
  /** The one store of facts. */
  DB: D1Database;
  /** One object per organization; its name is the organization's uuid. */
  WRITER: DurableObjectNamespace<OrganizationObject>;
}
