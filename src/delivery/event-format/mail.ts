import { html } from 'hono/html';
import type { Mail } from '../webhook/mail.ts';
import { type ChatLine, type ChatMessage, FACT_MAXIMUM, factsText, plainText } from './chat.ts';

/** Mail programs show about this many characters. RFC 5322 allows 998 in a line. */
const SUBJECT_MAXIMUM = 120;

const paragraph = ({ text, facts, link }: ChatLine): string =>
  [plainText(text), factsText(facts), encodeURI(link)].filter((part) => part !== '').join('\n');

const htmlParagraph = ({ text, facts, link }: ChatLine) =>
  html`<p>${plainText(text)}<br>${factsText(facts)} <a href="${encodeURI(link)}">Open</a></p>\n`;

/**
 * The subject, the text and the HTML of an e-mail. All texts of users are in one line each and have no control characters.
 * So they can add no headers.
 */
export function mailBody({ title, link, lines }: ChatMessage): string {
  const [first] = lines;
  const isOne = lines.length === 1;
  const subject = isOne ? `${title}: ${first!.text}` : title;
  const list = isOne ? '' : html`<p><a href="${encodeURI(link)}">Open the list</a></p>\n`;
  const mail: Mail = {
    subject: plainText(subject, SUBJECT_MAXIMUM),
    text: `${[plainText(title), ...lines.map(paragraph), ...(isOne ? [] : [encodeURI(link)])].join('\n\n')}\n`,
    html: String(html`<h1>${plainText(title)}</h1>\n${lines.map(htmlParagraph)}${list}`),
  };
  return JSON.stringify(mail);
}

/**
 * The body of the e-mail that asks its recipient for confirmation. `sender` is the name of the organization. It is the only
 * text of users in this e-mail, because the recipient has not asked for it.
 */
export function confirmationBody(sender: string): string {
  const name = plainText(sender, FACT_MAXIMUM);
  const asks = `${name} wants to send you e-mails about alerts and completed shipments.`;
  const hint = 'If you do not want them, do nothing.';
  const mail: Mail = {
    subject: `Do you want e-mails from ${name}?`,
    text: `${asks} ${hint}\n`,
    html: String(html`<h1>Do you want these e-mails?</h1>\n<p>${asks} ${hint}</p>\n`),
  };
  return JSON.stringify(mail);
}
