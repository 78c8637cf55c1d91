import type { ApiClient } from './demo-client.ts';

/** Where the integration API lives. */
export const API = '/integration/rest/api/v1';
const OPERATOR_API = '/operator/rest/api/v1';
/** A run issues a key of its own, as an answer that is replayed shows no secret; old ones end by themselves. */
const KEY_LIFE_MS = 24 * 60 * 60 * 1_000;

/** What the demo needs to know of an organization. */
export interface Organization {
  uuid: string;
  name: string;
  slug: string;
  markerCodeStart: number;
  requestsPerMinute: number;
}

/** A gate to be there. */
export interface Gate {
  externalIdentifier: string;
  name: string;
}

/** What is to be there before a WMS can start. */
export interface Wanted {
  organization: { name: string; slug: string; requestsPerMinute: number };
  gates: readonly Gate[];
}

/** A provisioned organization with a client that speaks for it. */
export interface Provisioned {
  organization: Organization;
  client: ApiClient;
  secret: string;
}

/** Have the organization and its gates, and issue a fresh API key. Can be repeated: what is there is kept. */
export async function provision(operator: ApiClient, wanted: Wanted): Promise<Provisioned> {
  const organization = await organizationOf(operator, wanted.organization);
  const path = `${OPERATOR_API}/organization/${organization.uuid}`;
  for (const { externalIdentifier, name } of wanted.gates) {
    // A PUT is idempotent by itself, and without a key it also mends what was changed since.
    await operator.request('PUT', `${path}/gate/${encodeURIComponent(externalIdentifier)}`, {
      body: { name },
    });
  }
  const issued = await operator.request<{ secret: string }>('POST', `${path}/api-key`, {
    body: { name: 'WMS demo', expiresDate: new Date(Date.now() + KEY_LIFE_MS).toISOString() },
  });
  const { secret } = issued.body;
  return { organization, client: operator.as({ 'X-AUTH-KEY': secret }), secret };
}

async function organizationOf(operator: ApiClient, wanted: Wanted['organization']): Promise<Organization> {
  const path = `${OPERATOR_API}/organization`;
  for await (const found of operator.walk<Organization>(`${path}?pageSize=100`)) {
    if (found.slug !== wanted.slug) continue;
    if (found.requestsPerMinute >= wanted.requestsPerMinute) return found;
    const { requestsPerMinute } = wanted;
    return (
      await operator.request<Organization>('PUT', `${path}/${found.uuid}`, { body: { requestsPerMinute } })
    ).body;
  }
  const created = await operator.request<Organization>('POST', path, {
    body: wanted,
    key: `demo:organization:${wanted.slug}`,
  });
  return created.body;
}
