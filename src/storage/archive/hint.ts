import { BASE_PATH } from '../../core/http/endpoint.ts';
import { reads } from '../../core/http/read.ts';
import type { AppContext } from '../../core/http/types.ts';
import { named } from '../../core/lib/missing.ts';
import { ProblemError } from '../../core/lib/problem.ts';
import { namedQuery } from './store.ts';

const KINDS = {
  manifestNotFound: ['manifest', 'MANIFEST', 'Manifest'],
  shipmentNotFound: ['shipment', 'SHIPMENT', 'Shipment'],
} as const;

/**
 * Complete an error before it is answered: where a manifest or shipment was not found that is in the archive, the error
 * says where it is. This applies only to those in the path, which the integration API names by external id or uuid.
 */
export async function namingArchive(error: unknown, c: AppContext): Promise<unknown> {
  if (!(error instanceof ProblemError) || !c.get('principal')) return error;
  const { refusal, headers } = error;
  if (refusal.code !== 'manifestNotFound' && refusal.code !== 'shipmentNotFound') return error;
  const [segment, entityType, title] = KINDS[refusal.code];
  const [kind, identifier] = c.req.path.slice(`${BASE_PATH}/`.length).split('/');
  if (!c.req.path.startsWith(BASE_PATH) || kind !== segment || !identifier) return error;
  try {
    const database = reads(c);
    const found = await database.first(namedQuery(database, entityType, decodeURIComponent(identifier)));
    if (!found) return error;
    const archived = named(title, decodeURIComponent(identifier));
    const detail = `${archived} is in the archive: ${BASE_PATH}/archive/${found.uuid}`;
    return new ProblemError({ ...refusal, detail }, headers);
  } catch {
    // The store failed, or the identifier is not valid text: the error is right as it is.
    return error;
  }
}
