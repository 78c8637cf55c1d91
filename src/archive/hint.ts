import { BASE_PATH } from '../http/endpoint.ts';
import { reads } from '../http/read.ts';
import type { AppContext } from '../http/types.ts';
import { ProblemError } from '../lib/problem.ts';
import { namedQuery } from './store.ts';

const KINDS = {
  manifestNotFound: ['manifest', 'MANIFEST'],
  shipmentNotFound: ['shipment', 'SHIPMENT'],
} as const;

/**
 * An error as it is to be answered: that there is no such manifest or shipment says where it is, if it is in the archive.
 * Of those of the path only, which the integration API names by external id or uuid.
 */
export async function namingArchive(error: unknown, c: AppContext): Promise<unknown> {
  if (!(error instanceof ProblemError) || !c.get('principal')) return error;
  const { refusal, headers } = error;
  if (refusal.code !== 'manifestNotFound' && refusal.code !== 'shipmentNotFound') return error;
  const [segment, entityType] = KINDS[refusal.code];
  const [kind, identifier] = c.req.path.slice(`${BASE_PATH}/`.length).split('/');
  if (!c.req.path.startsWith(BASE_PATH) || kind !== segment || !identifier) return error;
  try {
    const database = reads(c);
    const found = await database.first(namedQuery(database, entityType, decodeURIComponent(identifier)));
    if (!found) return error;
    const detail = `The ${segment} is in the archive: ${BASE_PATH}/archive/${found.uuid}`;
    return new ProblemError({ ...refusal, detail }, headers);
  } catch {
    // The store, or an identifier that is no text: what was said already is right.
    return error;
  }
}
