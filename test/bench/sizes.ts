import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Send } from './client.ts';
import { type Cost, costOf } from './cost.ts';
import { API, provision } from './seed.ts';
import { startService } from './server.ts';

/** Number of tracks of each organization. */
const SIZES = [1_000, 100_000, 1_000_000];
/** Number of items on a page. */
const ITEMS = 20;
/** Target: the most rows that a page may read. */
export const ROWS_MAXIMUM = 40 * ITEMS + 100;
/** Every fifth track is retired, and every fiftieth of the others is flagged. */
const LISTS = ['/track', '/track?trackStatus=ACTIVE', '/track?trackStatus=FLAGGED,NOT_ACTIVE'];

/** The cost of a page in tables of different sizes. */
export interface Sized {
  sizes: number[];
  lists: { name: string; costs: Cost[] }[];
}

/**
 * Measure the first page of a list of tracks with its total, in tables of different sizes. A million
 * requests would take an hour. So the tracks are inserted into the files of the stopped service, which is
 * then started again.
 */
export async function sizedLists(state: string): Promise<Sized> {
  const first = await startService(state);
  const sends: Send[] = [];
  try {
    for (const size of SIZES) sends.push((await provision(first.origin, slugOf(size), [])).send);
  } finally {
    await first.stop();
  }
  const store = new DatabaseSync(storeFile(state, slugOf(SIZES[0]!)));
  for (const size of SIZES) fill(store, size);
  store.close();
  const service = await startService(state, Number(new URL(first.origin).port));
  try {
    const lists = [];
    for (const name of LISTS) {
      const costs: Cost[] = [];
      for (const send of sends) {
        // The first request warms up; only the second one is measured.
        await costOf(name, send, { method: 'GET', path: `${API}${name}` });
        costs.push((await costOf(name, send, { method: 'GET', path: `${API}${name}` })).cost);
      }
      lists.push({ name: `GET ${name}`, costs });
    }
    return { sizes: SIZES, lists };
  } finally {
    await service.stop();
  }
}

const slugOf = (size: number): string => `sized-${size}`;

/** The file of the database that holds an organization. The service must be stopped. */
export function storeFile(state: string, slug: string): string {
  const folder = join(state, 'v3/d1');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => join(folder, name))
    .find((file) => {
      const store = new DatabaseSync(file);
      const has = store.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'organization'").get();
      const holds = has && store.prepare('SELECT 1 FROM organization WHERE slug = ?').get(slug);
      store.close();
      return holds;
    });
  if (!found) throw new Error(`no database in ${folder} contains organization ${slug}`);
  return found;
}

function fill(store: DatabaseSync, size: number): void {
  store
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO track (uuid, organization_uuid, wms_id, marker_code, retirement, flagged, damaged, couple_date,
         retire_date, folded_wms_id, create_date, update_date)
       SELECT printf('01995d2f-6c1c-7000-8000-%012x', ?1 + i), uuid, printf('P%07d', i), 2000000000 + i,
         iif(i % 5 = 0, 'RETIRED', 'NONE'), i % 50 = 1, 0, 1700000000000 + i,
         iif(i % 5 = 0, 1800000000000, NULL), printf('p%07d', i), 1700000000000 + i, 1700000000000 + i
       FROM n, organization WHERE slug = ?2`,
    )
    .run(size, slugOf(size));
}
