import type { Env } from '../../src/core/env.ts';
import type { JobScheduler } from '../../src/core/writer/jobs.ts';
import type { Writer } from '../../src/core/writer/writer.ts';
import { Storage } from './storage.ts';
import type { Domain, World } from './world.ts';

/** An instance of an organization's object. */
export interface Living {
  domain: Domain;
  writer: Writer;
  jobs: JobScheduler<Env>;
  /** Calls that wait for its answer: what each is told when it ends. */
  calls: Set<() => void>;
  /** Whether it was woken by its alarm and is not done with that. */
  rings: boolean;
}

/** An organization's object: its storage, and the instances that live, of which an older one does not know it yet. */
export class Home {
  readonly organization: string;
  readonly storage: Storage;
  current: Living | undefined;
  old: Living | undefined;
  /** When that was replaced (epoch milliseconds). */
  replacedDate = 0;

  constructor(world: World, organization: string) {
    this.organization = organization;
    this.storage = new Storage(world);
  }
}
