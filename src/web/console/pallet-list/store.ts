import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../core/lib/database.ts';
import { inList } from '../../../core/lib/sql.ts';
import { type PlacedPallet, placedPalletsQuery } from '../../../dispatch/load/manifest/validation-store.ts';
import { spelledAs } from '../../../dispatch/track/store.ts';

/** The most bytes of ids in one statement. A D1 value has at most 2,000,000. */
const BYTES_A_STATEMENT = 1_500_000;
/** The statements in one batch. */
const STATEMENTS_A_BATCH = 4;
/** A WMS id is not longer, in UTF-16 code units. */
const ID_LENGTH_MAXIMUM = 510;

/**
 * The WMS ids of live pallets among these texts. `folded`: these texts are in folded case, and so are the ids that they
 * are compared with.
 */
export async function livePallets(
  database: Database,
  texts: Iterable<string>,
  folded = false,
): Promise<string[]> {
  const live = (condition: SQL) => sql<{ wmsId: string }>`SELECT wms_id AS "wmsId" FROM track
    WHERE organization_uuid = ${database.organization} AND ${condition}
      AND deleted_date IS NULL AND retirement <> 'RETIRED'`;
  const statements = portionsOf(texts).flatMap((portion) =>
    (folded ? spelledAs(portion, portion) : [sql`wms_id ${inList(portion)}`]).map(live),
  );
  const found: string[] = [];
  for (let at = 0; at < statements.length; at += STATEMENTS_A_BATCH) {
    const answers = await database.send(statements.slice(at, at + STATEMENTS_A_BATCH));
    for (const { rows } of answers) for (const { wmsId } of rows) found.push(wmsId);
  }
  return found;
}

/** The pallets of a list that have left with a load, or that an open manifest other than `own` expects. */
export async function placedPallets(
  database: Database,
  wmsIds: readonly string[],
  own: string,
): Promise<readonly PlacedPallet[]> {
  const found = await Promise.all(
    portionsOf(wmsIds).map((portion) => database.all(placedPalletsQuery(database, portion, own))),
  );
  return found.flat();
}

/** The texts that can be ids, each once, in portions for one statement. */
export function portionsOf(texts: Iterable<string>): string[][] {
  const portions: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const text of new Set(texts)) {
    if (text === '' || text.length > ID_LENGTH_MAXIMUM) continue;
    const bytes = Buffer.byteLength(JSON.stringify(text)) + 1;
    if (size + bytes > BYTES_A_STATEMENT) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)!.push(text);
    size += bytes;
  }
  return portions;
}
