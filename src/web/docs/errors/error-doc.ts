/** The explanation of a problem code: why a request gets it, and how the caller continues. */
export type ErrorDoc = readonly [cause: string, action: string];

/** The base path of the API for integrators. */
export const API = '/integration/rest/api/v1';
/** The base path of the API for operators of the service. */
export const OPERATOR_API = '/operator/rest/api/v1';
