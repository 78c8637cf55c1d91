import { lastingSessions } from '../session/store.ts';
import type { Telling } from '../writer/listeners.ts';
import { concerns } from './rules.ts';

/** What pages that listen are told, and until when. */
export const telling: Telling = { concerns, lasting: lastingSessions };
