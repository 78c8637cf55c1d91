import { html } from 'hono/html';
import type { presentAlert } from '../../dispatch/alert/store.ts';
import type { presentShipment } from '../../dispatch/load/shipment/store.ts';
import { en } from '../../messages/en/index.ts';
import type { Mail } from '../webhook/mail.ts';

/** A message for people, before it is written in the format of a chat service. All its texts are plain. */
export interface ChatMessage {
  title: string;
  /** The page that the message leads to. */
  link: string;
  lines: readonly ChatLine[];
}

/** A paragraph of a message. */
interface ChatLine {
  text: string;
  /** Further facts, such as the gate. */
  facts: readonly string[];
  /** The page that it is about. */
  link: string;
}

/** The maximum number of characters of a text from users. The rest is cut. */
export const TEXT_MAXIMUM = 300;
/** The same for a fact. So ten lines with three facts each stay below the limits of all chats. */
const FACT_MAXIMUM = 80;

/** Joins characters without being visible. Between two characters it prevents that they are read as markup. */
export const JOINER = '\u2060';

/**
 * A text from users in one line and at most `maximum` characters, without control and formatting characters. These
 * could hide or reverse text.
 */
export function plainText(text: string, maximum = TEXT_MAXIMUM): string {
  const characters = [
    ...text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/\p{Cf}/gu, '')
      .trim(),
  ];
  return characters.length <= maximum ? characters.join('') : `${characters.slice(0, maximum - 1).join('')}…`;
}

/** The facts of a line as one text. */
const factsText = (facts: readonly string[]): string =>
  facts.map((fact) => plainText(fact, FACT_MAXIMUM)).join(' · ');

/**
 * Separate the characters that chat services turn into mentions and links. They do so even in plain text: `@channel`,
 * and `https://` of a bare address.
 */
const withoutTriggers = (text: string): string =>
  text.replaceAll('@', `@${JOINER}`).replaceAll('://', `:${JOINER}//`);

/** The name of an alert type, as on pages. Events of later versions may have other types. */
const nameOf = (alertType: string): string => {
  const names: Readonly<Record<string, string>> = en;
  return names[`alertType.${alertType}`] ?? alertType;
};

/** The parts of an alert that its message needs. */
export type ShownAlert = Pick<
  ReturnType<typeof presentAlert>,
  'alertType' | 'severity' | 'message' | 'gate' | 'manifestExternalId' | 'shipmentExternalId' | 'deepLink'
>;

/** The title and the line of an alert. */
export function alertLine(alert: ShownAlert): ChatLine & { title: string } {
  return {
    title: `${alert.severity === 'CRITICAL' ? 'Critical' : 'Warning'}: ${nameOf(alert.alertType)}`,
    text: alert.message,
    facts: [
      alert.gate && `Gate ${alert.gate.name}`,
      alert.shipmentExternalId !== null && `Shipment ${alert.shipmentExternalId}`,
      alert.manifestExternalId !== null && `Manifest ${alert.manifestExternalId}`,
    ].filter((fact) => typeof fact === 'string'),
    link: alert.deepLink,
  };
}

/** The parts of a shipment that its message needs. */
export type ShownShipment = Pick<
  ReturnType<typeof presentShipment>,
  'externalIdentifier' | 'gate' | 'shortReason' | 'totalAssetsCount' | 'loadedAssetsCount' | 'deepLink'
>;

/** The title and the line of a completed shipment. */
export function shipmentLine(shipment: ShownShipment): ChatLine & { title: string } {
  const { totalAssetsCount: total, loadedAssetsCount: loaded, shortReason } = shipment;
  return {
    title: loaded < total ? 'Shipment completed, some missing' : 'Shipment completed',
    text: `Shipment ${shipment.externalIdentifier} is completed with ${loaded} of ${total} pallets.`,
    facts: [shipment.gate && `Gate ${shipment.gate.name}`, shortReason && `Reason: ${shortReason}`].filter(
      (fact) => typeof fact === 'string',
    ),
    link: shipment.deepLink,
  };
}

/** The message of one line. */
export const messageOf = ({ title, ...line }: ChatLine & { title: string }): ChatMessage => ({
  title,
  link: line.link,
  lines: [line],
});

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

/**
 * A text in a card. A `TextRun` has no Markdown. The function also separates `](`, `<at>` and `{{DATE(…)}}`, because
 * clients and flows copy texts to places where these are markup.
 */
const separated = (text: string): string =>
  withoutTriggers(plainText(text)).replace(/[<[\]{]/g, (character) => character + JOINER);

type Run = Record<string, unknown>;
const paragraph = (...inlines: Run[]) => ({ type: 'RichTextBlock', inlines });
const run = (text: string, more: Run = {}): Run => ({ type: 'TextRun', text: separated(text), ...more });
const openUrl = (url: string, title: string) => ({ type: 'Action.OpenUrl', title, url });

const lineBlocks = ({ text, facts, link }: ChatLine) => [
  paragraph(run(text, { selectAction: openUrl(link, 'Open') })),
  ...(facts.length === 0 ? [] : [paragraph(run(factsText(facts), { isSubtle: true }))]),
];

/**
 * The body of a webhook of Teams Workflows, an Adaptive Card. Version 1.2 is the newest that all clients show. A message
 * has at most 28 KB. Markdown works only in `TextBlock` and `Fact`, so texts are in `RichTextBlock`.
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using,
 * https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format
 */
export function teamsBody({ title, link, lines }: ChatMessage): string {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    fallbackText: separated(title),
    body: [paragraph(run(title, { weight: 'Bolder', size: 'Medium' })), ...lines.flatMap(lineBlocks)],
    actions: [openUrl(link, lines.length === 1 ? 'Open' : 'Open the list')],
  };
  return JSON.stringify({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  });
}

/** Mail programs show about this many characters. RFC 5322 allows 998 in a line. */
const SUBJECT_MAXIMUM = 120;

const mailParagraph = ({ text, facts, link }: ChatLine): string =>
  [plainText(text), factsText(facts), encodeURI(link)].filter((part) => part !== '').join('\n');

const mailHtmlParagraph = ({ text, facts, link }: ChatLine) =>
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
    text: `${[plainText(title), ...lines.map(mailParagraph), ...(isOne ? [] : [encodeURI(link)])].join('\n\n')}\n`,
    html: String(html`<h1>${plainText(title)}</h1>\n${lines.map(mailHtmlParagraph)}${list}`),
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
