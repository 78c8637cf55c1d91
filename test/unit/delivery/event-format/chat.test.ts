import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alertLine,
  type ChatMessage,
  JOINER,
  messageOf,
  plainText,
  shipmentLine,
  slackBody,
  TEXT_MAXIMUM,
  teamsBody,
} from '../../../../src/delivery/event-format/chat.ts';

const ORIGIN = 'https://dispatch.example.com';
const LINK = `${ORIGIN}/app/alert/01a1fcb0-af54-7000-8000-000000000054`;

/** Texts that have an effect in a chat. */
const HOSTILE = [
  '<!here>',
  '<!channel|hello>',
  '<@U024BE7LH>',
  '<#C024BE7LR>',
  '@channel',
  '@here',
  '<https://evil.example|Open>',
  'https://evil.example/login',
  '[Open](https://evil.example)',
  '![x](https://evil.example/x.png)',
  '<at>Everyone</at>',
  '{{DATE(2026-11-26T10:00:00Z)}}',
  '&lt;!here&gt;',
  '&amp;lt;!here&amp;gt;',
  '*bold* _italic_ ~gone~ `code` ```block```',
  'a\nb\r\nc\u2028d\u0000e',
  '\u202eevil\u202c',
  '\ud800',
  '@\u2060channel',
  '<\u200b!here>',
];

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 40 })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

const lineFrom = fc.record({
  title: fc.constant('Critical: Wrong pallet'),
  text: hostile,
  facts: fc.array(hostile, { maxLength: 4 }),
  link: fc.constant(LINK),
});
const messages: fc.Arbitrary<ChatMessage> = fc.oneof(
  lineFrom.map(messageOf),
  fc.record({
    title: hostile,
    link: fc.constant(`${ORIGIN}/app/alert`),
    lines: fc.array(lineFrom, { minLength: 2, maxLength: 10 }),
  }),
);

/** All values of a member of this name, at any depth. */
function valuesOf(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === name ? [inner] : []),
    ...valuesOf(inner, name),
  ]);
}

/** The text as a client of Slack shows it. */
const decoded = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').replaceAll(JOINER, '');

describe('a message for Slack', () => {
  it('a message has no markup of user texts, keeps the texts, and stays within the limits of Slack', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const body = JSON.parse(slackBody(message));
        expect(body.blocks.length).toBeLessThanOrEqual(50);
        const texts = [
          body.text,
          ...valuesOf(body.blocks, 'text').filter((text) => typeof text === 'string'),
        ];
        for (const text of texts as string[]) {
          expect(text.length).toBeLessThanOrEqual(3_000);
          const own = text.replaceAll(`<${LINK}|Open>`, '').replaceAll(`<${message.link}|Open the list>`, '');
          expect(own).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
          expect(own).not.toMatch(new RegExp(`@(?!${JOINER})|://`));
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur
          expect(own).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2066-\u2069]/);
        }
        for (const { type, text } of body.blocks)
          expect(type === 'section' ? text : { verbatim: true }).toMatchObject({ verbatim: true });
        const shown = texts.map((text) => decoded(text as string)).join('\n');
        for (const { text } of message.lines) expect(shown).toContain(plainText(text));
      }),
      { numRuns: 500 },
    );
  });

  it('a message has a header of at most 150 characters for the titles of this service', () => {
    for (const line of [alertLine(alert('x')), shipmentLine(shipment('x'))])
      expect(JSON.parse(slackBody(messageOf(line))).blocks[0].text.text.length).toBeLessThanOrEqual(150);
  });

  it('a message shows an alert with its gate, its load and a link to its page', () => {
    const body = JSON.parse(slackBody(messageOf(alertLine(alert('<!here> & co')))));
    expect(body.text).toBe('Critical: Wrong pallet: Pallet &lt;!here&gt; &amp; co is on the wrong truck.');
    expect(body.blocks.map(({ type }: { type: string }) => type)).toEqual(['header', 'section']);
    expect(body.blocks[1].text.text).toBe(
      `Pallet &lt;!here&gt; &amp; co is on the wrong truck.\nGate G &lt;1&gt; · Shipment S1\n<${LINK}|Open>`,
    );
  });
});

describe('the longest messages', () => {
  it.each([['&'], ['漢'], ['😀'], ['['], ['@'], ['"']])(
    'a message of ten lines of %s stays within the limits of chats',
    (character) => {
      const long = character.repeat(400);
      const lines = Array(10).fill({ text: long, facts: [long, long, long], link: LINK });
      const message = {
        title: '500 messages of the quiet hours, 490 of them not listed',
        link: ORIGIN,
        lines,
      };
      for (const text of valuesOf(JSON.parse(slackBody(message)).blocks, 'text'))
        expect(String(text).length).toBeLessThanOrEqual(3_000);
      expect(new TextEncoder().encode(teamsBody(message)).length).toBeLessThan(28_000);
    },
  );
});

describe('a message for Teams', () => {
  it('a message is a card without markup of user texts, keeps the texts, and stays below 28 KB', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const text = teamsBody(message);
        expect(new TextEncoder().encode(text).length).toBeLessThan(28_000);
        const body = JSON.parse(text);
        expect(body).toMatchObject({
          type: 'message',
          attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive' }],
        });
        const card = body.attachments[0].content;
        // Only these two elements read Markdown.
        expect(valuesOf(card, 'type')).not.toContain('TextBlock');
        expect(valuesOf(card, 'type')).not.toContain('FactSet');
        expect(valuesOf(card, 'msteams')).toEqual([]);
        const texts = [card.fallbackText, ...valuesOf(card, 'text')] as string[];
        for (const shown of texts)
          expect(shown).not.toMatch(
            new RegExp(`[<[\\]{@](?!${JOINER})|://|[\\u0000-\\u001f\\u202a-\\u202e]`),
          );
        for (const url of valuesOf(card, 'url'))
          expect(String(url)).toMatch(/^https:\/\/dispatch\.example\.com\/app\//);
        const shown = texts.join('\n').replaceAll(JOINER, '');
        for (const line of message.lines) expect(shown).toContain(plainText(line.text));
      }),
      { numRuns: 500 },
    );
  });

  it('a message shows a completed shipment with a button that opens its page', () => {
    const line = shipmentLine(shipment('S <at>1</at>'));
    const card = JSON.parse(teamsBody(messageOf(line))).attachments[0].content;
    expect(card.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open', url: line.link }]);
    expect(valuesOf(card.body, 'text').map((text) => String(text).replaceAll(JOINER, ''))).toEqual([
      'Shipment completed, some missing',
      'Shipment S <at>1</at> is completed with 31 of 33 pallets.',
      'Reason: Truck is full',
    ]);
  });
});

it('A text from users is cut by whole characters and has one line', () => {
  expect(plainText('🚚'.repeat(TEXT_MAXIMUM + 1))).toBe(`${'🚚'.repeat(TEXT_MAXIMUM - 1)}…`);
  expect(plainText(' a\r\n\tb\u202e c ')).toBe('a b c');
});

const alert = (pallet: string) => ({
  alertType: 'WRONGLY_LOADED' as const,
  severity: 'CRITICAL' as const,
  message: `Pallet ${pallet} is on the wrong truck.`,
  gate: { uuid: 'g', name: 'G <1>', externalIdentifier: 'G1', deepLink: `${ORIGIN}/app/gate/g` },
  manifestExternalId: null,
  shipmentExternalId: 'S1',
  deepLink: LINK,
});

const shipment = (externalIdentifier: string) => ({
  externalIdentifier,
  gate: null,
  shortReason: 'Truck is full',
  totalAssetsCount: 33,
  loadedAssetsCount: 31,
  deepLink: `${ORIGIN}/app/shipment/s`,
});
