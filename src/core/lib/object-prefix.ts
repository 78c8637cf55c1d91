/** The prefix of an organization's object keys, except those of calibration files, which rows name. */
export const objectPrefix = (organization: string): string => `organization/${organization}/`;

/**
 * The prefix of generated documents, which can be generated again: they are not exported, and a lifecycle rule of the
 * bucket may delete them at any time.
 */
export const madePrefix = (organization: string): string => `proof/${organization}/`;
