import { describe, expect, it } from 'vitest';
import { mailBody, messageOf } from '../../../../src/delivery/event-format/chat.ts';

const link = 'https://dispatch.example.com/app/alert/1';
const mailOf = (text: string, facts: string[] = []) =>
  JSON.parse(mailBody(messageOf({ title: 'Critical: Wrongly loaded', text, facts, link })));

describe('the e-mail of a message', () => {
  it('an e-mail has the title in its subject, and the facts and the link in its text', () => {
    expect(mailOf('Pallet X is wrong.', ['Gate 1', 'Shipment S'])).toEqual({
      subject: 'Critical: Wrongly loaded: Pallet X is wrong.',
      text: `Critical: Wrongly loaded\n\nPallet X is wrong.\nGate 1 · Shipment S\n${link}\n`,
      html: `<h1>Critical: Wrongly loaded</h1>\n<p>Pallet X is wrong.<br>Gate 1 · Shipment S <a href="${link}">Open</a></p>\n`,
    });
  });

  it('an e-mail shows names as text in its HTML', () => {
    const hostile = `<img src=x onerror="alert('x')">&`;
    const { html } = mailOf(hostile, [hostile]);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;x&#39;)&quot;&gt;&amp;');
  });

  it.each([
    ['a\r\nBcc: evil@example.com', 'a Bcc: evil@example.com'],
    ['a\nBcc: evil@example.com\n\nbody', 'a Bcc: evil@example.com body'],
    ['a\u2028b\u2029c\u0085d\u0000e', 'a b c d e'],
    ['\u202eevil\u202c', 'evil'],
    ['\ud800x', '\ufffdx'],
    ['=?utf-8?B?QmNjOg==?=', '=?utf-8?B?QmNjOg==?='],
  ])('%j adds no header and no line', (text, shown) => {
    const mail = mailOf(text, [text]);
    expect(mail.subject).toBe(`Critical: Wrongly loaded: ${shown}`);
    expect(mail.text.split('\n')).toEqual(['Critical: Wrongly loaded', '', shown, shown, link, '']);
  });

  it('an e-mail has a subject of at most 120 characters', () => {
    const { subject, text } = mailOf('🚚'.repeat(5_000));
    expect([...subject]).toHaveLength(120);
    expect([...text].length).toBeLessThan(500);
  });

  it('lists several messages with their links, and the list at the end', () => {
    const line = (text: string) => ({ text, facts: [], link });
    const list = 'https://dispatch.example.com/app/alert?status=OPEN';
    const { subject, text } = JSON.parse(
      mailBody({ title: '2 messages of the quiet hours', link: list, lines: [line('One.'), line('Two.')] }),
    );
    expect(subject).toBe('2 messages of the quiet hours');
    expect(text).toBe(`2 messages of the quiet hours\n\nOne.\n${link}\n\nTwo.\n${link}\n\n${list}\n`);
  });
});
