/** What the keys of objects of an organization begin with, but for those of calibration files, which rows name. */
export const objectPrefix = (organization: string): string => `organization/${organization}/`;

/**
 * What the keys of its documents begin with that were made and can be made again: no export has them, and a rule of the
 * bucket may take them at any time.
 */
export const madePrefix = (organization: string): string => `proof/${organization}/`;
