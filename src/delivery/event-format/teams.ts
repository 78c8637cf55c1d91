import { type ChatLine, type ChatMessage, factsText, JOINER, plainText, withoutTriggers } from './chat.ts';

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
