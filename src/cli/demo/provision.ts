import type { ApiClient } from '../../client/client.ts';

/** The base path of the integration API. */
export const API = '/integration/rest/api/v1';
/** The base path of the device API. */
export const DEVICE_API = '/device/rest/api/v1';
export const OPERATOR_API = '/operator/rest/api/v1';
/** Each run issues its own credentials, because a replayed answer shows no secret. Old ones expire by themselves. */
const CREDENTIAL_LIFE_MS = 24 * 60 * 60 * 1_000;

/** A custom field that shipments of the organization can have. */
export interface ConfiguredField {
  fieldKey: string;
  fieldType: 'TEXT' | 'NUMBER';
}

/** The settings that the demo wants for an organization. */
export interface OrganizationSettings {
  name: string;
  slug: string;
  requestsPerMinute: number;
  shipmentCustomFields: readonly ConfiguredField[];
}

/** The properties of an organization that the demo needs. */
export interface Organization extends OrganizationSettings {
  uuid: string;
  markerCodeStart: number;
  dispatchStrategy: string;
}

/** A gate that must exist. */
export interface Gate {
  externalIdentifier: string;
  name: string;
}

/** The resources that must exist before a WMS can start. */
export interface Wanted {
  organization: OrganizationSettings;
  gates: readonly Gate[];
}

/** A provisioned organization, with a client for its WMS and one for the scanners at its gates. */
export interface Provisioned {
  organization: Organization;
  wms: ApiClient;
  scanners: ApiClient;
  /** The API key of `wms`. */
  secret: string;
}

/**
 * Ensure that the organization, which dispatches shipments, and its gates exist. Issue a new API key and access token.
 * Can be repeated: existing resources are kept.
 */
export async function provision(operator: ApiClient, wanted: Wanted): Promise<Provisioned> {
  const organization = await organizationOf(operator, wanted.organization);
  const path = `${OPERATOR_API}/organization/${organization.uuid}`;
  for (const { externalIdentifier, name } of wanted.gates) {
    // A PUT is idempotent by itself. Without a key it also reverts later changes.
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

async function organizationOf(operator: ApiClient, wanted: OrganizationSettings): Promise<Organization> {
  const path = `${OPERATOR_API}/organization`;
  for await (const found of operator.walk<Organization>(`${path}?pageSize=100`)) {
    if (found.slug !== wanted.slug) continue;
    const body = {
      requestsPerMinute: Math.max(found.requestsPerMinute, wanted.requestsPerMinute),
      dispatchStrategy: 'SHIPMENT',
      shipmentCustomFields: wanted.shipmentCustomFields,
    };
    // Without a key, like the gates, so that later changes are reverted.
    return (await operator.request<Organization>('PUT', `${path}/${found.uuid}`, { body })).body;
  }
  const created = await operator.request<Organization>('POST', path, {
    body: { ...wanted, dispatchStrategy: 'SHIPMENT' },
    key: `demo:organization:${wanted.slug}`,
  });
  return created.body;
}
