import type { SQL } from 'drizzle-orm';
import { Database, unscoped } from './database.ts';
import type { Databases } from './databases.ts';
import type { SealingKeys } from './seal.ts';

/** Rows that one look takes. */
export const SEALED_PAGE = 50;
/** Rows of a database that one run seals anew. */
const RESEALED_MAXIMUM = 200;

/** A row that something is sealed in. */
export interface SealedIn {
  uuid: string;
  organization_uuid: string;
}

/** Where something is sealed, and how it is sealed anew. */
export interface Sealed<Row extends SealedIn> {
  /** What the run is told of as. */
  name: string;
  /** Rows after a uuid, by their uuids, `SEALED_PAGE` of them: what these keys may open and the first one has not sealed. */
  page(keys: SealingKeys, after: string, organization: string | undefined): SQL<Row>;
  /** Puts a row, sealed by the first key, in the place of what was found. @throws where none of the keys opens it */
  anew(keys: SealingKeys, row: Row): Promise<SQL>;
}

/** Seals anew what another key than the first one has sealed in a database, of all organizations or of one. */
export type Reseal = (
  databases: Databases,
  name: string,
  keys: SealingKeys,
  organization?: string,
) => Promise<void>;

/**
 * How rows are sealed anew: the one way in which `SEALING_KEY` is rotated. Not a command: nothing that anybody sees changes.
 * Each row is a write of its own, of what it holds only if that is still what was read, so whoever breaks off or is outrun
 * loses nothing, and the next run goes on. What no key opens stays as it is, and does not stand in the way of others.
 */
export const resealOf =
  <Row extends SealedIn>({ name: of, page, anew }: Sealed<Row>): Reseal =>
  async (databases, name, keys, organization) => {
    if (keys.length === 1) return;
    let [after, count, failed] = ['', 0, 0];
    while (count < RESEALED_MAXIMUM || organization !== undefined) {
      const rows = await unscoped(databases.named(name), page(keys, after, organization));
      for (const row of rows) {
        try {
          await new Database(row.organization_uuid, databases).send([await anew(keys, row)]);
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
