import type { Env } from '../../src/core/env.ts';
import type { JobScheduler } from '../../src/core/writer/jobs.ts';
import type { Writer } from '../../src/core/writer/writer.ts';
import { Storage } from './storage.ts';
import type { Domain, World } from './world.ts';

/** A running instance of an organization's object. */
export interface Instance {
  domain: Domain;
  writer: Writer;
  jobs: JobScheduler<Env>;
  /** Functions that fail the calls to this instance when it ends. */
  calls: Set<() => void>;
  /** Whether its alarm handler is running. */
  rings: boolean;
}

/**
 * An organization's object: its storage and its running instances. The old instance does not know yet that
 * it was replaced.
 */
export class Home {
  readonly organization: string;
  readonly storage: Storage;
  current: Instance | undefined;
  old: Instance | undefined;
  /** When the old instance was replaced (epoch milliseconds). */
  replacedDate = 0;

  constructor(world: World, organization: string) {
    this.organization = organization;
    this.storage = new Storage(world);
  }
}
