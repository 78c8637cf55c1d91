import type { Words } from '../../../messages/words.ts';
import { SHORT_REASONS } from '../../pages/reason-rules.ts';

/** A stored reason in the language of the page. A comment follows it after a colon. */
export function reasonIn({ t }: Words, reason: string): string {
  const [offered, key] = Object.entries(SHORT_REASONS).find(
    ([value]) => reason === value || reason.startsWith(`${value}: `),
  ) ?? ['', undefined];
  return key ? t(key) + reason.slice(offered.length) : reason;
}
