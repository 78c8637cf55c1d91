import { MAIN } from '../../src/core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../src/core/lib/id.ts';
import type { Row, Store } from './store.ts';

/** The databases of a service, by the names of their bindings. `DB` is the first. */
export class Stores {
  readonly #stores: ReadonlyMap<string, Store>;

  constructor(stores: Readonly<Record<string, Store>>) {
    this.#stores = new Map(Object.entries(stores));
  }

  get names(): readonly string[] {
    return [...this.#stores.keys()];
  }

  named(name: string): Store {
    return this.#stores.get(name)!;
  }

  /**
   * The database in which an organization lives. During a move from one to another, the target if the
   * source no longer has it.
   */
  async homeOf(organization: string): Promise<{ name: string; store: Store }> {
    const found = new Map<string, unknown>();
    for (const name of organization === NO_ORGANIZATION ? [] : this.names) {
      const [row] = await this.named(name).read(
        'SELECT residence FROM organization WHERE uuid = ?',
        organization,
      );
      if (row?.['residence'] === 'HERE' || row?.['residence'] === 'FROZEN')
        return { name, store: this.named(name) };
      found.set(name, row?.['residence']);
    }
    const [name = MAIN] = [...found].find(([, residence]) => residence === 'ARRIVING') ?? [];
    return { name, store: this.named(name) };
  }

  /** Rows of one statement in the database of an organization. */
  async read(organization: string, text: string, ...params: unknown[]): Promise<Row[]> {
    const { store } = await this.homeOf(organization);
    return store.read(text, ...params);
  }

  /** The whole content of all databases. `restore` brings it back. */
  async snapshot(): Promise<unknown[]> {
    const snapshots: unknown[] = [];
    for (const name of this.names) snapshots.push(await this.named(name).snapshot());
    return snapshots;
  }

  async restore(snapshot: unknown): Promise<void> {
    for (const [index, name] of this.names.entries()) {
      await this.named(name).restore((snapshot as unknown[])[index]);
    }
  }
}
