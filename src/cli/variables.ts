/** The Worker's variables on a developer's machine: values for its secrets, and the rest from the environment. */

/** Marked as local: a deployed environment refuses to serve with these values. */
export const developmentVariables = (environment: NodeJS.ProcessEnv) => ({
  ENVIRONMENT: 'development',
  OPERATOR_KEY: 'local-operator-key',
  SEALING_KEY: environment['SEALING_KEY'] ?? 'local-sealing-key',
  ...(environment['SEALING_KEY_PREVIOUS']
    ? { SEALING_KEY_PREVIOUS: environment['SEALING_KEY_PREVIOUS'] }
    : {}),
  BASE_DOMAIN: environment['BASE_DOMAIN'] ?? 'localhost',
  WEBHOOK_ALLOW_LOOPBACK: environment['WEBHOOK_ALLOW_LOOPBACK'] ?? 'true',
  WEBHOOK_RETRY_DIVISOR: environment['WEBHOOK_RETRY_DIVISOR'] ?? '1',
  EMAIL_FROM: 'dispatch@warehouse.localhost',
  REQUEST_LOG: environment['REQUEST_LOG'] ?? 'false',
});
