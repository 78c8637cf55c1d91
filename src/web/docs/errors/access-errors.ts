import type { ErrorDoc } from './error-doc.ts';

/** Codes of requests with a missing, wrong or insufficient credential. */
export const ACCESS_ERRORS = {
  unauthorized: [
    'The credential is missing, wrong, expired or revoked. It may also be in the wrong header.',
    'Send an API key in `X-AUTH-KEY`, an access token in `X-Auth-Token`, and an operator key in `X-OPERATOR-KEY`. Do not repeat the request before you have changed the credential.',
  ],
  signInFailed: [
    'The e-mail address, password, passkey or operator key of a sign-in is wrong. The status 429 means too many attempts.',
    'Check the entries and try again. After a 429, wait as many seconds as `Retry-After` says.',
  ],
  permissionRequired: [
    'The authority of the signed-in user does not allow this.',
    'Ask an administrator for an authority with this permission.',
  ],
  tabletRevoked: [
    'The tablet was revoked and has no gate.',
    'Pair the tablet again. Create a new link on the page of the gate, under `More`, `Tablets`.',
  ],
  workerRequired: [
    'Nobody has signed in at the tablet.',
    'Scan a badge or enter a PIN. Then repeat the action.',
  ],
  workerGone: [
    'The queued action belongs to a worker who was deleted or has a new badge or PIN.',
    'Sign in as another worker, and choose *Send in my name*.',
  ],
  crossOriginRefused: [
    'A form or connection of another website called a page of the service.',
    'Open the page at its own address. Programs use the API with an API key.',
  ],
  formExpired: [
    'The form is too old, or the session ended before it was sent.',
    'Reload the page, sign in if necessary, and send the form again.',
  ],
  scopeRequired: [
    'The access token or operator key does not have the scope of the operation.',
    'Use a credential with the scope that `detail` names, or ask the operator to create one. Only the bootstrap key `OPERATOR_KEY` can manage operators.',
  ],
  shipmentStrategyRequired: [
    'The organization dispatches by manifest, so it has no shipments.',
    'Use the operations of manifests. An administrator can change `dispatchStrategy` at `/app/settings`.',
  ],
  clientFeatureRequired: [
    'The organization does not use clients (`clientFeatureEnabled` is false).',
    'Leave clients out of the request. An administrator can enable them at `/app/settings`.',
  ],
  organizationSuspended: [
    'The operator suspended the organization. Nothing can be read or written.',
    'Ask the operator of the service. Keep events and scans, and send them after the organization is resumed.',
  ],
  sandboxRequired: [
    'Cameras can be simulated in a sandbox only.',
    'Use a key of a sandbox. It starts with `wdk_test_`.',
  ],
  prefetchRefused: [
    'A browser or proxy sent this GET as a prefetch. The GET changes data, so it must not run in advance.',
    'Send the request without the header that `detail` names. Switch off prefetching for this path.',
  ],
} as const satisfies Record<string, ErrorDoc>;
