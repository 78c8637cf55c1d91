import type { Telling } from '../writer/listeners.ts';
import { concerns } from './rules.ts';
import { lastingSessions } from './store.ts';

/** What pages that listen are told, and until when. */
export const telling: Telling = { concerns, lasting: lastingSessions };
