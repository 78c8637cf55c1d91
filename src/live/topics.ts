import { lastingSessions } from '../session/store.ts';
import type { Topics } from '../writer/listeners.ts';
import { topicsOf } from './rules.ts';

/** What pages that listen are notified of, and until when. */
export const topics: Topics = { topicsOf, lasting: lastingSessions };
