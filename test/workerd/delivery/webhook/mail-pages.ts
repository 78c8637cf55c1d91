import { expect } from 'vitest';
import { LANGUAGES } from '../../../../src/messages/languages.ts';
import { call } from '../../client.ts';

/** Check the page of a link in an e-mail in each language: it names the sender, has a button, and hides the recipient. */
export async function showsButton(link: string, sender: string, recipient: string): Promise<void> {
  const titles = new Set<string>();
  for (const language of LANGUAGES) {
    const { status, body, headers } = await call('GET', link, { headers: { 'Accept-Language': language } });
    const html = new TextDecoder().decode(body);
    expect([status, headers.get('Content-Language')]).toEqual([200, language]);
    expect(html).toContain(sender);
    expect(html).toContain('<form method="post">');
    expect(html.toLowerCase()).not.toContain(recipient.toLowerCase());
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    titles.add(/<title>(.*)<\/title>/.exec(html)![1]!);
  }
  expect(titles.size).toBe(LANGUAGES.length);
}
