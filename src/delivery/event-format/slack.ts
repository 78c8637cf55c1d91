import { type ChatLine, type ChatMessage, factsText, plainText, withoutTriggers } from './chat.ts';

/**
 * A text as it is in `mrkdwn`. Slack reads `&`, `<` and `>` as control characters: `<!here>`, `<@U1>` and `<url|text>`.
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
const escaped = (text: string): string =>
  withoutTriggers(plainText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));

/** `verbatim`: Slack makes no links or mentions of plain text. The text has at most 3,000 characters. */
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } });

const linkTo = (url: string, text: string): string => `<${encodeURI(url).replaceAll('|', '%7C')}|${text}>`;

const lineSection = ({ text, facts, link }: ChatLine) =>
  section(
    [escaped(text), escaped(factsText(facts)), linkTo(link, 'Open')].filter((part) => part !== '').join('\n'),
  );

/**
 * The body of an incoming webhook of Slack. Clients show `blocks`, and `text` in notifications. A message has at most 50
 * blocks, a header 150 characters. https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 * https://docs.slack.dev/reference/block-kit/blocks/section-block
 */
export function slackBody({ title, link, lines }: ChatMessage): string {
  const header = { type: 'header', text: { type: 'plain_text', text: escaped(title), emoji: false } };
  const list = lines.length === 1 ? [] : [section(linkTo(link, 'Open the list'))];
  return JSON.stringify({
    text: [title, ...(lines.length === 1 ? lines.map(({ text }) => text) : [])].map(escaped).join(': '),
    blocks: [header, ...lines.map(lineSection), ...list],
  });
}
