/** What the keys of objects of an organization begin with, but for those of calibration files, which rows name. */
export const objectPrefix = (organization: string): string => `organization/${organization}/`;
