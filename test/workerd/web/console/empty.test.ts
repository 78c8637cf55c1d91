import { expect, it } from 'vitest';
import { DESK_LANGUAGES, type Language } from '../../../../src/messages/languages.ts';
import type { Key } from '../../../../src/messages/messages.ts';
import { MESSAGES, wordsIn } from '../../../messages.ts';
import { newTenant } from '../../client.ts';
import { look, signIn } from '../../delivery/live/listener.ts';

/** The messages for a filter without results. They do not help in a list that is empty without a filter. */
const GENERAL = (Object.keys(MESSAGES.en) as Key[]).filter((key) => /these filters\./.test(MESSAGES.en[key]));
/** Their texts in a language. A message that selects a text has several. */
const generalIn = (language: Language): string[] =>
  GENERAL.map((key) => MESSAGES[language][key]).flatMap((text) =>
    text.includes('{') ? [...text.matchAll(/\{([^{},]{12,})\}/g)].map(([, choice]) => choice!) : [text],
  );

it.each(DESK_LANGUAGES)(
  'the empty list %s of a new organization says how to create the first item',
  async (language) => {
    expect(GENERAL.length).toBeGreaterThan(8);
    const settings = { dispatchStrategy: 'SHIPMENT', clientFeatureEnabled: true };
    const { cookie } = await signIn(await newTenant(settings));
    const get = async (path: string) => (await look(path, `${cookie}; language=${language}`)).text();
    const menu = /<nav id="menu".*?<\/nav>/s.exec(await get('/app'))![0];
    const lists = [...menu.matchAll(/<li><a href="(\/app\/[a-z-]+)[?"]/g)].map(([, path]) => path!);
    const empty: string[] = [];
    for (const path of lists) {
      const html = await get(path);
      if (!html.includes('class="empty"')) continue;
      empty.push(path);
      expect([path, generalIn(language).filter((text) => html.includes(text))]).toEqual([path, []]);
    }
    expect(empty).toEqual(
      expect.arrayContaining(['alert', 'archive', 'calibration', 'operation'].map((of) => `/app/${of}`)),
    );
    const { t } = wordsIn(language);
    expect(await get('/app/operation?status=FAILED')).toContain(t('operation.empty'));
    expect(await get('/app/audit-log?action=TRACK_RETIRED')).toContain(t('audit.empty'));
  },
);

it('a list says that its view is empty, or that no row matches the filters', async () => {
  const { cookie } = await signIn(await newTenant());
  const get = async (path: string) => (await look(path, `${cookie}; language=de`)).text();
  const { t } = wordsIn('de');
  expect(await get('/app/alert?status=OPEN')).toContain(t('list.noneInView'));
  expect(await get('/app/alert?status=OPEN&severity=CRITICAL')).toContain(t('alert.empty'));
});

it('an empty list says to a viewer who may not create anything that it has no entries yet', async () => {
  const { cookie } = await signIn(await newTenant(), 'VIEWER');
  const html = await (await look('/app/gate', `${cookie}; language=de`)).text();
  expect(html).toContain(wordsIn('de').t('list.noneYet'));
});

it.each(DESK_LANGUAGES)(
  'a day that cannot be read is refused in words of the language %s',
  async (language) => {
    const { cookie } = await signIn(await newTenant({ dispatchStrategy: 'SHIPMENT' }));
    for (const path of ['/app/today?day=tomorrow', '/app/audit-log?when=tomorrow']) {
      const html = await (await look(path, `${cookie}; language=${language}`)).text();
      expect(html).toContain(MESSAGES[language]['field.noDay']);
    }
  },
);

it('a list names its active filters, also several and unknown ones', async () => {
  const { cookie } = await signIn(await newTenant());
  const chosen = async (path: string) =>
    /<option value="[^"]+" selected[^>]*>.*?<\/option>/.exec(await (await look(path, cookie)).text())?.[0];
  expect(await chosen('/app/audit-log?action=TRACK_COUPLED')).toBe(
    '<option value="TRACK_COUPLED" selected="">coupled pallet … to a marker</option>',
  );
  expect(await chosen('/app/audit-log?action=TRACK_COUPLED,GONE_AWAY')).toBe(
    '<option value="TRACK_COUPLED,GONE_AWAY" selected="">coupled pallet … to a marker and GONE_AWAY</option>',
  );
  expect(await chosen('/app/track?trackStatus=FLAGGED,NOT_ACTIVE')).toMatch(/FLAGGED,NOT_ACTIVE" selected/);
});
