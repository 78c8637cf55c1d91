/** The prefix of an organization's object keys. Calibration files have other keys, which their rows store. */
export const objectPrefix = (organization: string): string => `organization/${organization}/`;

/** The prefix of its nightly exports. They are not exported themselves. */
export const nightlyPrefix = (organization: string): string => `nightly/${organization}/`;

/**
 * The prefix of generated documents. They are not exported, because they can be generated again. A lifecycle rule of
 * the bucket may delete them at any time.
 */
export const madePrefix = (organization: string): string => `proof/${organization}/`;
