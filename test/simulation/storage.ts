import type { Random } from '../e2e/crash/random.ts';
import { type Domain, never, type World } from './world.ts';

const ALARM = 'alarm';
/** One in so many looks tells an object that its storage is another's; until then it goes on without. */
const UNHEARD = 10;

/**
 * What an organization's object keeps beside D1: its mark, and when its alarm rings. What was written is kept once it was
 * synced; an object that ends before may leave any beginning of the rest.
 */
export class Storage {
  readonly #world: World;
  readonly #kept = new Map<string, unknown>();
  #writes: [key: string, value: unknown][] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** When the alarm rings; null for never. */
  get alarm(): number | null {
    return (this.#kept.get(ALARM) as number | null | undefined) ?? null;
  }

  set alarm(date: number | null) {
    this.#kept.set(ALARM, date);
  }

  /** The object that wrote has ended. */
  end(random: Random): void {
    const lost = this.#writes.length > 0 && this.#world.faults.draws('unsynced storage lost');
    this.#flush(lost ? random.below(this.#writes.length) : this.#writes.length);
    this.#writes = [];
  }

  /**
   * The storage as an object has it. `touched` is asked when a use of it arrives: false where it is another object's by
   * now, of which the one that uses it hears no sooner.
   */
  of(domain: Domain, touched: () => boolean): DurableObjectStorage {
    const world = this.#world;
    const after = <T>(what: string, act: () => T): Promise<T> => {
      if (domain.dead) return never();
      return new Promise((resolve) => {
        const arrive = (): void => {
          if (domain.dead) return;
          if (domain.isOld && world.random.order.below(UNHEARD) > 0) world.later(what, arrive);
          else if (touched()) resolve(act());
        };
        world.later(what, arrive);
      });
    };
    const sync = (): Promise<void> => {
      const count = this.#writes.length;
      const last = this.#writes[count - 1];
      return after('sync', () => {
        const index = last ? this.#writes.indexOf(last) : -1;
        this.#flush(index + 1);
      });
    };
    const push = (key: string, value: unknown): void => {
      if (!domain.dead && !domain.isOld) this.#writes.push([key, value]);
    };
    // Whatever the object sends afterwards waits until this is kept.
    const write = (key: string, value: unknown): Promise<void> => {
      push(key, value);
      const gate = Promise.all([domain.gate, sync()]).then(() => {
        if (domain.gate === gate) delete domain.gate;
      });
      domain.gate = gate;
      return gate;
    };
    return {
      get: (key: string) => after('read', () => this.#latest(key)),
      put: (key: string, value: unknown) => {
        push(key, value);
        return never();
      },
      sync,
      getAlarm: () => after('read', () => this.#latest(ALARM) ?? null),
      setAlarm: (date: number) => write(ALARM, date),
      deleteAlarm: () => write(ALARM, null),
    } as unknown as DurableObjectStorage;
  }

  #latest(key: string): unknown {
    const written = this.#writes.findLast(([name]) => name === key);
    return written ? written[1] : this.#kept.get(key);
  }

  #flush(count: number): void {
    for (const [key, value] of this.#writes.splice(0, count)) this.#kept.set(key, value);
  }
}
