import { GUIDE_GROUPS, GUIDES, type Guide } from './guides.ts';

/** A page. `title`, `head` and `body` are HTML. */
const page = (title: string, head: string, body: string, language = 'en'): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/assets/docs/icon.svg">
${head}
</head>
<body>
${body}
</body>
</html>
`;

/** The words of a guide's page that are not in its Markdown. */
const WORDS = {
  en: {
    service: 'Service',
    guides: 'Guides',
    reference: 'Reference',
    operations: 'Operations',
    english: '',
    skip: 'Skip to the guide',
    contents: 'On this page',
    around: 'Previous and next guide',
    previous: 'Previous',
    next: 'Next',
    search: 'Search',
    found: 'Results',
    none: 'No results. Try other words.',
  },
  de: {
    service: 'Dienst',
    guides: 'Anleitungen',
    reference: 'Referenz (auf Englisch)',
    operations: 'Betrieb',
    english: ' <span lang="de">(auf Englisch)</span>',
    skip: 'Zum Text springen',
    contents: 'Auf dieser Seite',
    around: 'Vorige und nächste Anleitung',
    previous: 'Zurück',
    next: 'Weiter',
    search: 'Suche (auf Englisch)',
    found: 'Treffer',
    none: 'Keine Treffer. Versuchen Sie andere Wörter.',
  },
};

const STYLE = `<link rel="stylesheet" href="/assets/console/base.css">
<link rel="stylesheet" href="/assets/docs/docs.css">`;

/** The scripts of guides with code: buttons that copy it, and tabs for samples in several languages. */
const SCRIPTS = ['/assets/docs/code.js', '/assets/console/copy.js', '/assets/docs/samples.js'].map(
  (path) => `<script src="${path}" type="module"></script>`,
);

/** The script of the search box. */
const SEARCH = '<script src="/assets/docs/search.js" type="module"></script>';

/** The search box. Without its script, it is hidden. */
const searchBox = ({ search, found, none }: (typeof WORDS)['en']): string =>
  `<search class="finder" data-found="${found}" data-none="${none}" hidden><input type="search" aria-label="${search}" placeholder="${search}"></search>`;

/** The bar at the top of every page of documentation. */
const header = (words: (typeof WORDS)['en']): string => `<header class="bar">
<a href="/">Warehouse Dispatch</a>
<nav aria-label="${words.service}"><a href="/#guides">${words.guides}</a> <a href="/docs">${words.reference}</a>
<a href="/openapi.json">openapi.json</a> <a href="/app">${words.operations}</a></nav>
${searchBox(words)}
</header>`;

/** A link to a guide. `more` are attributes. */
function guideLink({ name, title, language }: Guide, more = ''): string {
  const foreign = language ? ` lang="${language}" hreflang="${language}"` : '';
  return `<a href="/docs/${name}"${foreign}${more}>${title}</a>`;
}

/**
 * Links to all guides, by group. The link to the current page is marked. A page in another language says which guides
 * are in English.
 */
const guideLinks = (current?: Guide): string =>
  GUIDE_GROUPS.map(({ title, language, guides }) => {
    const items = guides.map((guide) => {
      const here = guide.name === current?.name ? ' aria-current="page"' : '';
      return `<li>${guideLink(guide, here)}</li>`;
    });
    const foreign = current?.language && !language ? WORDS[current.language].english : '';
    return `<h2 lang="${language ?? 'en'}">${title}${foreign}</h2>\n<ul lang="${language ?? 'en'}">\n${items.join('\n')}\n</ul>`;
  }).join('\n');

/** The table of contents: links to the headings of the second level. If there is only one, also of the third level. */
function contents(content: string, label: string): string {
  const headingsOf = (levels: string) => [
    ...content.matchAll(new RegExp(`<h${levels} id="([^"]+)">(.*?)</h`, 'g')),
  ];
  const sections = headingsOf('2');
  const headings = sections.length > 1 ? sections : headingsOf('[23]');
  const items = headings.map(
    ([, id, text]) => `<li><a href="#${id}">${text!.replace(/<[^>]+>/g, '')}</a></li>`,
  );
  return `<nav class="contents" aria-label="${label}"><div>\n<p>${label}</p>\n<ul>\n${items.join('\n')}\n</ul>\n</div></nav>\n`;
}

/** A link to the same manual in the other language. Other guides are in English only. */
function otherLanguage({ name }: Guide): string {
  const other = name.startsWith('de/') ? name.slice('de/'.length) : `de/${name}`;
  if (!GUIDES.some((guide) => guide.name === other)) return '';
  const [language, title] = other === name.slice('de/'.length) ? ['en', 'English'] : ['de', 'Deutsch'];
  return `<p class="other"><a href="/docs/${other}" lang="${language}" hreflang="${language}">${title}</a></p>\n`;
}

/** Links to the guides before and after a guide, in its language. */
function around(guide: Guide, words: (typeof WORDS)['en']): string {
  const same = GUIDES.filter(({ language }) => language === guide.language);
  const at = same.indexOf(guide);
  const [previous, next] = [same[at - 1], same[at + 1]];
  return `<nav class="around" aria-label="${words.around}">
${previous ? `<p>${words.previous}<br>${guideLink(previous, ' rel="prev"')}</p>` : ''}
${next ? `<p class="next">${words.next}<br>${guideLink(next, ' rel="next"')}</p>` : ''}
</nav>`;
}

/** The interactive reference. A library draws it from `/openapi.json`. */
export const referencePage = page(
  'API reference · Warehouse Dispatch',
  `<link rel="stylesheet" href="/assets/docs/swagger-ui/swagger-ui.css">
${STYLE}
${SEARCH}
<script src="/assets/docs/swagger-ui/swagger-ui-bundle.js" defer></script>
<script src="/assets/docs/docs.js" type="module"></script>`,
  `<a class="skip" href="#reference">Skip to the reference</a>
${header(WORDS.en)}
<div id="reference" tabindex="-1">
<noscript><p class="note">Enable JavaScript to see the reference, or read <a href="/openapi.json">/openapi.json</a>. The
guides need no JavaScript. Start with the <a href="/docs/quickstart">quick start</a>.</p></noscript>
</div>`,
);

/** The start page of the host, with links to everything. */
export const indexPage = page(
  'Warehouse Dispatch',
  `${STYLE}\n${SEARCH}`,
  `<main class="index">
<h1>Warehouse Dispatch</h1>
<p class="lead">The integration service between a warehouse management system (WMS) and the dispatch floor. Choose what
you want to do, or search the documentation:</p>
${searchBox(WORDS.en)}
<ul class="starts">
<li><a href="/docs/quickstart">Connect a WMS</a> Load your first pallet in 10 minutes, with commands to copy.</li>
<li><a href="/docs/manual/loader">Load trucks</a> A manual with pictures, for the people at the gates.</li>
<li><a href="/docs/first-deployment">Run the service</a> From a clone of the repository to Cloudflare in 30 minutes.</li>
</ul>
<ul>
<li><a href="/docs">API reference</a>, to read and to try</li>
<li><a href="/openapi.json">openapi.json</a>, the contract (OpenAPI 3.1)</li>
<li><a href="/app">Operations</a>, for people who sign in</li>
</ul>
<div id="guides" class="guide-list">
${guideLinks()}
</div>
</main>`,
);

/** The address of a service that `npm start` serves. Commands of guides name it. */
const LOCAL_ORIGIN = 'http://127.0.0.1:8787';

/** The commands and answers of a guide, with the address of the service that shows it. Readers copy them as they are. */
const commandsAt = (origin: string, content: string): string =>
  content.replace(/<pre.*?<\/pre>/gs, (block) => block.replaceAll(LOCAL_ORIGIN, origin));

/** The first paragraph of a guide, for search engines and link previews. */
function description(content: string): string {
  const [, first = ''] = /<p>(.*?)<\/p>/s.exec(content) ?? [];
  const text = first
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll('"', '&quot;');
  return `<meta name="description" content="${text}">`;
}

/** The page of a guide at an origin. `content` is the HTML that the build rendered from its Markdown. */
export function guidePage(guide: Guide, content: string, origin: string): string {
  const words = WORDS[guide.language ?? 'en'];
  // Before the first section, so that the introduction is at the top.
  const text = commandsAt(origin, content).replace('<h2', `${contents(content, words.contents)}<h2`);
  return page(
    `${guide.title} · Warehouse Dispatch`,
    [description(content), STYLE, SEARCH, ...(content.includes('<pre') ? SCRIPTS : [])].join('\n'),
    `<a class="skip" href="#guide">${words.skip}</a>
${header(words)}
<div class="guide">
<main id="guide" tabindex="-1">
${otherLanguage(guide)}${text}${around(guide, words)}
</main>
<nav class="guides" aria-label="${words.guides}">
${guideLinks(guide)}
</nav>
</div>`,
    guide.language,
  );
}
