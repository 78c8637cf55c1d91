import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { manifestUuidOf } from '../../dispatch/load/manifest/store.ts';
import { shipmentUuidOf } from '../../dispatch/load/shipment/store.ts';
import { digestOf, proofData } from './proof-data.ts';
import type { Load } from './published-store.ts';
import { Gone, readProof } from './read-load.ts';

/**
 * The digest of the data of a proof (part 1), for a new signature. Null for a load that is not completed or does not
 * exist. `identifier` is an external id or a uuid.
 */
export async function proofDigest(
  database: Database,
  kind: Load['kind'],
  identifier: string,
): Promise<string | null> {
  const found = await database.first(completedQuery(database, kind, identifier));
  if (!found) return null;
  try {
    const proof = await readProof(database, { kind, uuid: found.uuid }, 1);
    return proof ? digestOf(proofData({ kind }, proof)).digest : null;
  } catch (error) {
    // The load has moved to the archive, so the signature will be refused.
    if (error instanceof Gone) return null;
    throw error;
  }
}

const completedQuery = (database: Database, kind: Load['kind'], identifier: string): SQL<{ uuid: string }> =>
  kind === 'SHIPMENT'
    ? sql`SELECT uuid FROM shipment WHERE uuid = ${shipmentUuidOf(database, identifier)}
        AND organization_uuid = ${database.organization} AND status = 'COMPLETED'`
    : sql`SELECT uuid FROM manifest WHERE uuid = ${manifestUuidOf(database, identifier)}
        AND organization_uuid = ${database.organization} AND manifest_status = 'COMPLETED'`;
