import type { Watermark } from '../../src/core/writer/writer-state.ts';
import type { Random } from '../e2e/crash/random.ts';
import { type Domain, never, type World } from './world.ts';

const ALARM = 'alarm';
const MARK = 'mark';
/**
 * One in this many uses of the storage shows an old object that it was replaced. Until then it runs without
 * storage.
 */
const USES_UNTIL_NOTICED = 10;

/**
 * The storage of an organization's object: its watermark and the date of its alarm. A write is durable once
 * it was synced. If the object ends earlier, the first of the other writes may be left, or none.
 */
export class Storage {
  readonly #world: World;
  readonly #durable = new Map<string, unknown>();
  #writes: [key: string, value: unknown][] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** The date of the alarm; null if none is set. */
  get alarm(): number | null {
    return (this.#durable.get(ALARM) as number | null | undefined) ?? null;
  }

  set alarm(date: number | null) {
    this.#durable.set(ALARM, date);
  }

  /** The last marker code that the durable watermark knows; null if it knows none. */
  get knownCode(): number | null {
    return (this.#durable.get(MARK) as Watermark | undefined)?.lastMarkerCode ?? null;
  }

  /** The object that wrote has ended. */
  end(random: Random): void {
    const lost = this.#writes.length > 0 && this.#world.faults.draws('unsynced storage lost');
    this.#flush(lost ? random.below(this.#writes.length) : this.#writes.length);
    this.#writes = [];
  }

  /**
   * The storage as an object sees it. `touched` is called when a use arrives. It returns false if another
   * object owns the storage by now. Only then does the old object notice that.
   */
  of(domain: Domain, touched: () => boolean): DurableObjectStorage {
    const world = this.#world;
    const after = <T>(what: string, act: () => T): Promise<T> => {
      if (domain.dead) return never();
      return new Promise((resolve) => {
        const arrive = (): void => {
          if (domain.dead) return;
          if (domain.isOld && world.random.order.below(USES_UNTIL_NOTICED) > 0) world.later(what, arrive);
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
    // Everything that the object sends afterwards waits until this write is durable.
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
    return written ? written[1] : this.#durable.get(key);
  }

  #flush(count: number): void {
    for (const [key, value] of this.#writes.splice(0, count)) this.#durable.set(key, value);
  }
}
