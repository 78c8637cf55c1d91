import { nameText } from '../../core/http/schema.ts';

/** Name of a tablet. */
export const tabletName = nameText(100);
/** Name of a worker. */
export const workerName = nameText(100);
