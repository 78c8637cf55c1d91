import { env, exports } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { madePrefix } from '../../../../src/core/lib/object-prefix.ts';
import { desk } from '../../../../src/messages/en/index.ts';
import { LANGUAGES, type Language } from '../../../../src/messages/languages.ts';
import { MESSAGES, wordsIn } from '../../../messages.ts';
import { call, ORIGIN } from '../../client.ts';
import { addressesOf, departed, saidBy } from './published.ts';

const { CALIBRATION: bucket, DB } = env as unknown as Env;

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;

const inLanguage = (language: string, more: Record<string, string> = {}) => ({
  headers: { 'Accept-Language': language, ...more },
});
const html = (answer: { body: Uint8Array }): string => new TextDecoder().decode(answer.body);
const langOf = (page: string): string | undefined => /<html lang="([^"]*)"/.exec(page)?.[1];

/** Whether the text is also a text of this language. */
const own = (text: string, language: Language): boolean => Object.values(MESSAGES[language]).includes(text);

/** Finds English texts on a page in another language. Short texts and texts with arguments are left out. */
const english = (page: string, language: Language): string[] => {
  // Entered texts, such as the name of a gate, belong to no language.
  const said = saidBy(page.replace(/<bdi>.*?<\/bdi>/gs, ''));
  return Object.entries(MESSAGES.en).flatMap(([key, text]) =>
    !text.includes('{') &&
    text.length > 3 &&
    !own(text, language) &&
    !(key in desk) &&
    new RegExp(`(?<![\\p{L}-])${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}-])`, 'u').test(said)
      ? [text]
      : [],
  );
};

describe('a public page', () => {
  it("a public page is completely in its reader's language and declares it", async () => {
    const dock = await departed();
    await dock.must('PATCH', '/shipment/S/asset-loading/track/D/status', { status: 'LOADED' });
    const { summary } = await addressesOf(dock, 'shipment', 'S');
    const tags = new Set<string>();
    for (const language of LANGUAGES) {
      const answer = await call('GET', summary, inLanguage(`${language}-XX,en;q=0.1`));
      const page = html(answer);
      expect([langOf(page), answer.headers.get('Content-Language')]).toEqual([language, language]);
      expect(answer.headers.get('Vary')).toBe('Accept-Language, Cookie');
      expect(saidBy(page)).toContain(wordsIn(language).t('page.left', { left: 2, total: 5 }));
      if (language !== 'en') expect([language, english(page, language)]).toEqual([language, []]);
      tags.add(answer.headers.get('ETag')!);
    }
    expect(tags.size).toBe(LANGUAGES.length);
  });

  it("a public 404 page is in the reader's language and the same for every reason", async () => {
    for (const language of LANGUAGES) {
      const answer = await call('GET', `${ORIGIN}/public/shipment-summary/nothing`, inLanguage(language));
      expect([answer.status, langOf(html(answer))]).toEqual([404, language]);
      expect(html(answer)).toContain(MESSAGES[language]['page.nothing']);
    }
  });

  it('a public page answers the tag of another language with 200', async () => {
    const dock = await departed();
    const { summary, document } = await addressesOf(dock, 'shipment', 'S');
    for (const url of [summary, document]) {
      const german = (await call('GET', url, inLanguage('de'))).headers.get('ETag')!;
      const again = (language: string) => call('GET', url, inLanguage(language, { 'If-None-Match': german }));
      expect([(await again('de')).status, (await again('pl')).status]).toEqual([304, 200]);
    }
  });

  it('a public page ignores an unknown language', async () => {
    const dock = await departed();
    const { summary } = await addressesOf(dock, 'shipment', 'S');
    for (const [accepted, language] of [
      ['', 'en'],
      ['*', 'en'],
      ['tlh, ja;q=0.9', 'en'],
      ['de;q=0, pl', 'pl'],
      ['fr;q=0.1, NL-be;q=0.9', 'nl'],
      ['"><script>alert(1)</script>', 'en'],
      ['de;q=abc;;,,,=', 'de'],
      ['__proto__, constructor', 'en'],
      [`${'x-'.repeat(3_000)}, it`, 'it'],
    ] as const) {
      const answer = await call('GET', summary, inLanguage(accepted));
      expect([accepted.slice(0, 20), answer.status, langOf(html(answer))]).toEqual([
        accepted.slice(0, 20),
        200,
        language,
      ]);
    }
  });

  it('a public page shows times of the site', async () => {
    const dock = await departed();
    const { summary } = await addressesOf(dock, 'shipment', 'S');
    const close = Date.UTC(2026, 6, 1, 23, 30, 15);
    for (const table of ['shipment', 'manifest']) {
      await DB.prepare(`UPDATE ${table} SET close_date = ?1 WHERE organization_uuid = ?2`)
        .bind(close, dock.uuid)
        .run();
    }
    await DB.prepare("UPDATE organization SET time_zone = 'Europe/Warsaw' WHERE uuid = ?1")
      .bind(dock.uuid)
      .run();
    const page = html(await call('GET', summary, inLanguage('pl')));
    expect(page).toContain(
      `<time datetime="${new Date(close).toISOString()}">czw., 2 lip 2026, 01:30</time></dd>` +
        '<dd class="note">czas środkowoeuropejski, UTC+02:00</dd>',
    );
    // The zone is shown once, and no time has seconds or an offset.
    expect(page.match(/UTC|[+-]\d\d:\d\d|\d\d:\d\d:\d\d(?!\.)/g)).toEqual(['UTC', '+02:00']);
  });
});

describe('a choice', () => {
  const choose = (to: string, next: string, headers: Record<string, string> = {}) =>
    worker.fetch(
      new Request(`${ORIGIN}/language?${new URLSearchParams({ to, next })}`, { headers, redirect: 'manual' }),
    );

  it('a chosen language is remembered, leads back, and beats the header', async () => {
    const dock = await departed();
    const { summary } = await addressesOf(dock, 'shipment', 'S');
    const path = new URL(summary).pathname;
    const answer = await choose('pl', path, { 'Sec-Fetch-Site': 'same-origin' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, path]);
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^language=pl; Max-Age=31536000; Path=\/; HttpOnly;.* SameSite=Lax$/);
    const again = await call('GET', summary, inLanguage('de', { Cookie: 'language=pl' }));
    expect(langOf(html(again))).toBe('pl');
    expect(html(again)).toContain(`href="/language?to=fr&amp;next=${encodeURIComponent(path)}"`);
    // A cookie without a known language is ignored.
    const broken = await call('GET', summary, inLanguage('de', { Cookie: 'language=%00%22xx' }));
    expect(langOf(html(broken))).toBe('de');
  });

  it('a language can be chosen from our own pages only, and the choice leads nowhere else', async () => {
    for (const [to, headers] of [
      ['pl', { 'Sec-Fetch-Site': 'cross-site' }],
      ['xx', {}],
      ['__proto__', {}],
    ] as const) {
      expect((await choose(to, '/app', headers)).headers.getSetCookie()).toEqual([]);
    }
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/app//x',
      '/integration',
      'app',
    ]) {
      expect((await choose('de', next)).headers.get('Location')).toBe('/app');
    }
  });
});

describe('a proof of shipment', () => {
  it('a proof of shipment is cached by language', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const made = new Map<string, string>();
    for (const language of ['en', 'de', 'pl']) {
      const { status, headers, body } = await call('GET', document, inLanguage(language));
      expect([status, headers.get('Content-Language'), headers.get('Vary')]).toEqual([
        200,
        language,
        'Accept-Language, Cookie',
      ]);
      const text = Buffer.from(body).toString('latin1');
      expect(text).toContain(`/Lang (${language})`);
      made.set(language, text);
    }
    expect(new Set(made.values()).size).toBe(3);
    await vi.waitFor(async () => {
      const { objects } = await bucket.list({ prefix: madePrefix(dock.uuid) });
      expect(objects.map(({ key }) => /-1-(\w\w)\.pdf$/.exec(key)?.[1]).sort()).toEqual(['de', 'en', 'pl']);
    });
    for (const [language, text] of made) {
      const { body } = await call('GET', document, inLanguage(language));
      expect(Buffer.from(body).toString('latin1') === text).toBe(true);
    }
  });

  it('a proof of shipment in another time zone has another tag and the same data', async () => {
    const dock = await departed();
    const { document, data } = await addressesOf(dock, 'shipment', 'S');
    const read = async (url: string) => {
      const { headers, body } = await call('GET', url, inLanguage('de'));
      return [headers.get('ETag'), body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : body];
    };
    const before = [await read(document), await read(data)];
    await DB.prepare("UPDATE organization SET time_zone = 'Europe/Warsaw' WHERE uuid = ?1")
      .bind(dock.uuid)
      .run();
    const after = [await read(document), await read(data)];
    expect([after[0]![0] === before[0]![0], after[0]![1] === before[0]![1]]).toEqual([false, false]);
    expect(after[1]).toEqual(before[1]);
  });
});
