import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import type { Meaning, Reading } from '../../pallet/identifier.ts';

/** The number of pallets that are read for a reading. A person can choose among this many. */
const PALLETS_MAXIMUM = 20;

/** The texts and numbers that find the pallets of readings. */
export interface Candidates {
  /** WMS ids. */
  ids: string[];
  /** Folded WMS ids. */
  folded: string[];
  markers: number[];
}

/** The texts and numbers that find the pallets of readings, each once. A reading has at most 140. */
export function candidatesOf(readings: readonly Reading[]): Candidates {
  const meanings: Meaning[] = readings.flatMap((reading) => [reading, ...reading.undone]);
  const folded = [...new Set(meanings.map((meaning) => meaning.folded))];
  // Ids that are their own folded text are found as ids.
  const ids = meanings.flatMap(({ literal, meant }) => [...literal, ...meant]);
  const markers = meanings.flatMap(({ marker }) => (marker === null ? [] : [marker]));
  return { ids: [...new Set([...ids, ...folded])], folded, markers: [...new Set(markers)] };
}

/** SQL: one of the values of a list, or of these values in capitals (ASCII). The index by WMS id finds both. */
const asIsOrInCapitals = (values: readonly string[]): SQL =>
  sql`IN (SELECT iif(capitals, upper(value), value) FROM json_each(${JSON.stringify(values)})
    CROSS JOIN (SELECT 0 AS capitals UNION ALL SELECT 1))`;

/**
 * SQL conditions on `track`, one for each index. The first index finds the WMS ids of a list, also in capitals. The second
 * one finds `folded` texts. It has only ids with letters of both cases, or with characters beyond ASCII.
 */
export const spelledAs = (ids: readonly string[], folded: readonly string[]): [SQL, SQL] => [
  sql`wms_id ${asIsOrInCapitals(ids)}`,
  sql`folded_wms_id ${inList(folded)} AND folded_wms_id <> wms_id
    AND (wms_id <> upper(wms_id) OR wms_id GLOB '*[^ -~]*')`,
];

/** A live pallet with its marker. */
export interface LivePallet {
  wmsId: string;
  markerCode: number;
}

/** The live pallets that readings may mean. Each way to look them up has its own index. */
export function livePalletsQuery({ organization }: Scope, readings: readonly Reading[]): SQL<LivePallet> {
  const { ids, folded, markers } = candidatesOf(readings);
  const live = (condition: SQL): SQL => sql`SELECT wms_id AS "wmsId", marker_code AS "markerCode" FROM track
    WHERE organization_uuid = ${organization} AND ${condition} AND deleted_date IS NULL AND retirement <> 'RETIRED'`;
  const [byId, byFolded] = spelledAs(ids, folded);
  // UNION would sort, and then walk over the index of WMS ids.
  return sql`SELECT DISTINCT * FROM (${live(byId)}
    UNION ALL ${live(byFolded)}
    UNION ALL ${live(sql`marker_code ${inList(markers)}`)})
    LIMIT ${PALLETS_MAXIMUM * readings.length}`;
}
