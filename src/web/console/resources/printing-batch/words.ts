import type { Words } from '../../../../messages/words.ts';
import { statusIn } from '../../../ui/parts/components.tsx';

/** The status of a batch as badges show it. A batch in progress is being printed, not loaded. */
export const shownBatch = (status: string): string => (status === 'IN_PROGRESS' ? 'PRINTING' : status);

/** The status of a batch in words. */
export const batchStatusIn = (words: Words, status: string): string => statusIn(words, shownBatch(status));
