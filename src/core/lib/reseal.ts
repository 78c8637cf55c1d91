import type { SQL } from 'drizzle-orm';
import { Database, unscoped } from './database.ts';
import type { Databases } from './databases.ts';
import type { SealingKeys } from './seal.ts';

/** The number of rows per read. */
export const SEALED_PAGE = 50;
/** The maximum number of rows of a database that one run reseals. */
const RESEALED_MAXIMUM = 200;

/** A row with a sealed value. */
export interface SealedIn {
  uuid: string;
  organization_uuid: string;
}

/** A kind of sealed value, and how to reseal it. */
export interface Sealed<Row extends SealedIn> {
  /** Its name in the log. */
  name: string;
  /**
   * Read up to `SEALED_PAGE` rows after a uuid, ordered by uuid. Only rows that these keys may open and that the first
   * key has not sealed.
   */
  page(keys: SealingKeys, after: string, organization: string | undefined): SQL<Row>;
  /**
   * The statement that replaces a row's value by one sealed with the first key. @throws if none of the keys opens it
   */
  reseal(keys: SealingKeys, row: Row): Promise<SQL>;
}

/** Reseals the values of a database that another key than the first has sealed; for all organizations or for one. */
export type Reseal = (
  databases: Databases,
  name: string,
  keys: SealingKeys,
  organization?: string,
) => Promise<void>;

/**
 * Makes the function that reseals rows. This is how `SEALING_KEY` is rotated. It is not a command, since nothing
 * visible changes. Each row is updated on its own, and only if it still holds the value that was read. So an
 * interrupted run loses nothing, and the next run continues. A value that no key opens stays unchanged and does not
 * block others.
 */
export const resealOf =
  <Row extends SealedIn>({ name: of, page, reseal }: Sealed<Row>): Reseal =>
  async (databases, name, keys, organization) => {
    if (keys.length === 1) return;
    let [after, count, failed] = ['', 0, 0];
    while (count < RESEALED_MAXIMUM || organization !== undefined) {
      const rows = await unscoped(databases.named(name), page(keys, after, organization));
      for (const row of rows) {
        try {
          await new Database(row.organization_uuid, databases).send([await reseal(keys, row)]);
          count += 1;
        } catch {
          failed += 1;
        }
      }
      if (rows.length < SEALED_PAGE) break;
      after = rows.at(-1)!.uuid;
    }
    if (count + failed > 0)
      console.warn(JSON.stringify({ database: name, of, resealed: count, notResealed: failed }));
  };
