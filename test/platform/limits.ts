/**
 * Limits of the deployed platform on the paid plan. The local runtime enforces few of them.
 * Sources: developers.cloudflare.com/d1/platform/limits and developers.cloudflare.com/workers/platform/limits.
 */
export const LIMITS = {
  /**
   * D1 queries in an invocation. The page does not say whether a batch is one query, so each statement of a batch counts
   * here.
   */
  queries: 1_000,
  /** Calls in an invocation to D1, R2, queues, Durable Objects and receivers together. */
  subrequests: 10_000,
  /** Connections that an invocation has open at the same time. Further ones wait until one is free. */
  connections: 6,
  /** Bytes of a string or BLOB, as a parameter or in a row. */
  valueBytes: 2_000_000,
  /** Parameters of a statement. */
  parameters: 100,
  /** Bytes of a statement's text. */
  statementBytes: 100_000,
  /** Bytes of the rows that a call to D1 returns. */
  resultBytes: 50_000_000,
} as const;

/** The text of the platform's error for too many queries of an invocation. */
export const TOO_MANY = 'Too many API requests by single worker invocation.';
