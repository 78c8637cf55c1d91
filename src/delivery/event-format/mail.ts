import type { Mail } from '../webhook/mail.ts';
import { type ChatLine, type ChatMessage, FACT_MAXIMUM, plainText } from './chat.ts';

/** Mail programs show about this many characters. RFC 5322 allows 998 in a line. */
const SUBJECT_MAXIMUM = 120;

const paragraph = ({ text, facts, link }: ChatLine): string =>
  [plainText(text), facts.map((fact) => plainText(fact, FACT_MAXIMUM)).join(' · '), encodeURI(link)]
    .filter((part) => part !== '')
    .join('\n');

/**
 * The subject and the text of an e-mail. All texts of users are in one line each and have no control characters. So they
 * can add no headers.
 */
export function mailBody({ title, link, lines }: ChatMessage): string {
  const [first] = lines;
  const subject = lines.length === 1 ? `${title}: ${first!.text}` : title;
  const list = lines.length === 1 ? [] : [encodeURI(link)];
  const mail: Mail = {
    subject: plainText(subject, SUBJECT_MAXIMUM),
    text: `${[plainText(title), ...lines.map(paragraph), ...list].join('\n\n')}\n`,
  };
  return JSON.stringify(mail);
}
