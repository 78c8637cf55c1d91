/** The explanation of a problem code: why a request gets it, and how the caller continues. */
export type ErrorDoc = readonly [cause: string, action: string];

/** The path below which integrators call the API. */
export const API = '/integration/rest/api/v1';
/** The path below which operators of the service call it. */
export const OPERATOR_API = '/operator/rest/api/v1';
