import type { Lease } from './rate-window.ts';
import type { SentOutcome, SentRequest } from './versions.ts';

/**
 * The interface of an organization's Durable Object for the rest of the service. Its code may be of another version. So a
 * method that changes gets a new name.
 */
export interface OrganizationObject extends Rpc.DurableObjectBranded {
  /** Run a command, if this version knows it and all members of the request. */
  execute(request: SentRequest): Promise<SentOutcome>;
  /** Grant an edge isolate a part of the organization's requests for this minute. */
  lease(limit: number, wanted: number): Lease;
  /** Run the jobs at a date (epoch milliseconds) or earlier. */
  scheduleJobs(date: number): Promise<void>;
  /** The id of the version of its code. */
  versionId(): Promise<string>;
  /** Do nothing. The call itself renews the limits that the platform sets for the object. */
  topUp(): Promise<void>;
  /** Forget the organization because it was erased, or has just been imported or moved here. */
  forget(): Promise<void>;
  /** Accept a page that listens for changes (WebSocket). */
  fetch(request: Request): Promise<Response>;
}

/** The bindings that the writer needs. */
export interface WriterEnv {
  /** The main database. Files are in R2. */
  DB: D1Database;
  /** One object per organization; its name is the organization's uuid. */
  WRITER: DurableObjectNamespace<OrganizationObject>;
  /** The version of the code that runs. */
  VERSION: WorkerVersionMetadata;
  /** Where the objects are created: JSON of database names and locations (`location.ts`). */
  WRITER_LOCATIONS?: string;
}
