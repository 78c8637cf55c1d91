import type { CommandRequest, Outcome } from './command.ts';
import type { Lease } from './rate-window.ts';

/** The Durable Object of an organization, as the rest of the service calls it. */
export interface OrganizationObject extends Rpc.DurableObjectBranded {
  /** Run a command. */
  execute(request: CommandRequest): Promise<Outcome>;
  /** Hand an edge isolate requests out of the organization's quota for this minute. */
  lease(limit: number, wanted: number): Lease;
  /** Run the jobs at a date (epoch milliseconds) or earlier. */
  scheduleJobs(date: number): Promise<void>;
  /** Forget the organization because it was erased, or has arrived from elsewhere. */
  forget(): Promise<void>;
  /** Accept a page that wants to be notified of changes (WebSocket). */
  fetch(request: Request): Promise<Response>;
}

/** The bindings that the writer needs. */
export interface WriterEnv {
  /** The database that holds everything but files. */
  DB: D1Database;
  /** One object per organization; its name is the organization's uuid. */
  WRITER: DurableObjectNamespace<OrganizationObject>;
}
