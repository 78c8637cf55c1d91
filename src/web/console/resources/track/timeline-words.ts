import type { Words } from '../../../../messages/words.ts';

/** The author of an entry. Null is the service, which has a name in the language of the page. */
export const authorIn = ({ t }: Words, author: string | null): string => author ?? t('actorType.SYSTEM');
