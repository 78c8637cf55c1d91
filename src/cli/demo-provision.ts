import type { ApiClient } from '../kit/client.ts';

/** Where the integration API lives. */
export const API = '/integration/rest/api/v1';
/** Where devices report what they see. */
export const DEVICE_API = '/device/rest/api/v1';
export const OPERATOR_API = '/operator/rest/api/v1';
/** A run issues credentials of its own, as an answer that is replayed shows no secret; old ones end by themselves. */
const CREDENTIAL_LIFE_MS = 24 * 60 * 60 * 1_000;

/** A custom field that shipments of the organization can have. */
export interface ConfiguredField {
  fieldKey: string;
  fieldType: 'TEXT' | 'NUMBER';
}

/** What the demo wants of an organization. */
export interface Settings {
  name: string;
  slug: string;
  requestsPerMinute: number;
  shipmentCustomFields: readonly ConfiguredField[];
}

/** What the demo needs to know of an organization. */
export interface Organization extends Settings {
  uuid: string;
  markerCodeStart: number;
  dispatchStrategy: string;
}

/** A gate to be there. */
export interface Gate {
  externalIdentifier: string;
  name: string;
}

/** What is to be there before a WMS can start. */
export interface Wanted {
  organization: Settings;
  gates: readonly Gate[];
}

/** A provisioned organization with a client that speaks for its WMS, and one for the scanners at its gates. */
export interface Provisioned {
  organization: Organization;
  wms: ApiClient;
  scanners: ApiClient;
  /** The API key of `wms`. */
  secret: string;
}

/**
 * Have the organization, which dispatches shipments, and its gates; issue a fresh API key and access token.
 * Can be repeated: what is there is kept.
 */
export async function provision(operator: ApiClient, wanted: Wanted): Promise<Provisioned> {
  const organization = await organizationOf(operator, wanted.organization);
  const path = `${OPERATOR_API}/organization/${organization.uuid}`;
  for (const { externalIdentifier, name } of wanted.gates) {
    // A PUT is idempotent by itself, and without a key it also mends what was changed since.
    await operator.request('PUT', `${path}/gate/${encodeURIComponent(externalIdentifier)}`, {
      body: { name },
    });
  }
  const issue = async (kind: string, body: object): Promise<string> => {
    const expiresDate = new Date(Date.now() + CREDENTIAL_LIFE_MS).toISOString();
    const options = { body: { ...body, expiresDate } };
    return (await operator.request<{ secret: string }>('POST', `${path}/${kind}`, options)).body.secret;
  };
  const secret = await issue('api-key', { name: 'WMS demo' });
  const token = await issue('access-token', { name: 'Gate scanners demo', scopes: ['GATE_WRITE'] });
  return {
    organization,
    wms: operator.as({ 'X-AUTH-KEY': secret }),
    scanners: operator.as({ 'X-Auth-Token': token }),
    secret,
  };
}

async function organizationOf(operator: ApiClient, wanted: Settings): Promise<Organization> {
  const path = `${OPERATOR_API}/organization`;
  for await (const found of operator.walk<Organization>(`${path}?pageSize=100`)) {
    if (found.slug !== wanted.slug) continue;
    const body = {
      requestsPerMinute: Math.max(found.requestsPerMinute, wanted.requestsPerMinute),
      dispatchStrategy: 'SHIPMENT',
      shipmentCustomFields: wanted.shipmentCustomFields,
    };
    // As with gates: without a key, so that it mends.
    return (await operator.request<Organization>('PUT', `${path}/${found.uuid}`, { body })).body;
  }
  const created = await operator.request<Organization>('POST', path, {
    body: { ...wanted, dispatchStrategy: 'SHIPMENT' },
    key: `demo:organization:${wanted.slug}`,
  });
  return created.body;
}
