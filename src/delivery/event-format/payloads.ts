import recorded from './payloads.json' with { type: 'json' };

/**
 * An example of each event type, as a webhook receives it. They are recorded on the dispatch day of `test/e2e/docs` and
 * are the data of test deliveries.
 */
export const PAYLOADS = recorded as Record<string, object>;
