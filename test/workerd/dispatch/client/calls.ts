import type { Answer, Tenant } from '../../client.ts';

/** The path of a client below the API. */
const at = (identifier: string) => `/client/${encodeURIComponent(identifier)}`;

export const create = (tenant: Tenant, displayName: string, externalId: string, headers = {}) =>
  tenant.call('POST', '/client', { displayName, externalId }, headers);

export const read = (tenant: Tenant, identifier: string) => tenant.call('GET', at(identifier));

export const rename = (
  tenant: Tenant,
  identifier: string,
  displayName: string,
  externalId: string,
  headers = {},
) => tenant.call('PUT', at(identifier), { displayName, externalId }, headers);

export const remove = (tenant: Tenant, identifier: string, headers = {}) =>
  tenant.call('DELETE', at(identifier), undefined, headers);

/** Status and problem code of a refusal. */
export const outcome = ({ status, body }: Answer) => [status, body.code];

/** The invalid fields of a refusal. */
export const items = ({ body }: Answer) =>
  body.errors.map(({ field, code, rejectedValue }: Record<string, string>) => [field, code, rejectedValue]);

/** Waits for a later millisecond. An update within the same one would not change the date. */
export const pause = () => new Promise((resolve) => setTimeout(resolve, 3));

/** Creates a client and returns its uuid. */
export const newClient = async (tenant: Tenant, externalId: string): Promise<string> =>
  (await tenant.call('POST', '/client', { displayName: `Client ${externalId}`, externalId })).body.uuid;

/** Allocates a marker code and couples it. */
export const getAndCouple = (tenant: Tenant, wmsId: string, clientId?: string | null) =>
  tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', {
    wmsId,
    ...(clientId === undefined ? {} : { clientId }),
  });

/** Couples an allocated marker code. */
export const couple = (tenant: Tenant, markerCode: number, wmsId: string, clientId?: string | null) =>
  tenant.call('POST', '/track/couple', {
    markerCode,
    wmsId,
    ...(clientId === undefined ? {} : { clientId }),
  });

/** Allocates a marker code. */
export const newCode = async (tenant: Tenant): Promise<number> =>
  (await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL')).body.entries[0].markerCode;
