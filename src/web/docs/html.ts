import { GUIDE_GROUPS, GUIDES, type Guide } from './guides.ts';

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

const STYLE = '<link rel="stylesheet" href="/assets/docs/docs.css">';

/** The script of guides that show a sample in several languages. */
const SAMPLES = '<script src="/assets/docs/samples.js" type="module"></script>';

/** The bar at the top of every page of documentation. */
const HEADER = `<header class="top" lang="en">
<a href="/">Warehouse Dispatch</a>
<nav aria-label="Service"><a href="/#guides">Guides</a> <a href="/docs">Reference</a>
<a href="/openapi.json">openapi.json</a> <a href="/app">Operations</a></nav>
</header>`;

/** A link to a guide. `more` are attributes. */
function guideLink({ name, title, language }: Guide, more = ''): string {
  const foreign = language ? ` lang="${language}" hreflang="${language}"` : '';
  return `<a href="/docs/${name}"${foreign}${more}>${title}</a>`;
}

/** Links to all guides, by group. The link to the current page is marked. */
const guideLinks = (current?: Guide): string =>
  GUIDE_GROUPS.map(({ title, language, guides }) => {
    const items = guides.map((guide) => {
      const here = guide.name === current?.name ? ' aria-current="page"' : '';
      return `<li>${guideLink(guide, here)}</li>`;
    });
    return `<h2${language ? ` lang="${language}"` : ''}>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  }).join('\n');

/** The words of a guide's page that are not in its Markdown. */
const WORDS = {
  en: {
    skip: 'Skip to the guide',
    contents: 'On this page',
    around: 'Previous and next guide',
    previous: 'Previous',
    next: 'Next',
  },
  de: {
    skip: 'Zum Text springen',
    contents: 'Auf dieser Seite',
    around: 'Vorige und nächste Anleitung',
    previous: 'Zurück',
    next: 'Weiter',
  },
};

/** The table of contents: links to the headings of the second level, if there are at least three. */
function contents(content: string, label: string): string {
  const headings = [...content.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)];
  if (headings.length < 3) return '';
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
<script src="/assets/docs/swagger-ui/swagger-ui-bundle.js" defer></script>
<script src="/assets/docs/docs.js" defer></script>`,
  `<a class="skip" href="#reference">Skip to the reference</a>
${HEADER}
<div id="reference" tabindex="-1">
<noscript><p class="note">Enable JavaScript to see the reference, or read <a href="/openapi.json">/openapi.json</a>.</p></noscript>
</div>`,
);

/** The start page of the host, with links to everything. */
export const indexPage = page(
  'Warehouse Dispatch',
  STYLE,
  `<main class="index">
<h1>Warehouse Dispatch</h1>
<p>The integration service between a warehouse management system and the dispatch floor.</p>
<ul>
<li><a href="/docs">API reference</a>, to read and to try</li>
<li><a href="/openapi.json">openapi.json</a>, the contract (OpenAPI 3.1)</li>
<li><a href="/app">Operations</a>, for people who sign in</li>
</ul>
<div id="guides">
${guideLinks()}
</div>
</main>`,
);

/** The address of a service that `npm start` serves. Commands of guides name it. */
const LOCAL_ORIGIN = 'http://127.0.0.1:8787';

/** The commands and answers of a guide, with the address of the service that shows it. Readers copy them as they are. */
const commandsAt = (origin: string, content: string): string =>
  content.replace(/<pre.*?<\/pre>/gs, (block) => block.replaceAll(LOCAL_ORIGIN, origin));

/** The page of a guide at an origin. `content` is the HTML that the build rendered from its Markdown. */
export function guidePage(guide: Guide, content: string, origin: string): string {
  const words = WORDS[guide.language ?? 'en'];
  // Before the first section, so that the introduction is at the top.
  const text = commandsAt(origin, content).replace('<h2', `${contents(content, words.contents)}<h2`);
  return page(
    `${guide.title} · Warehouse Dispatch`,
    content.includes('class="samples"') ? `${STYLE}\n${SAMPLES}` : STYLE,
    `<a class="skip" href="#guide">${words.skip}</a>
${HEADER}
<div class="guide">
<main id="guide" tabindex="-1">
${otherLanguage(guide)}${text}${around(guide, words)}
</main>
<nav class="guides" aria-label="Guides" lang="en">
${guideLinks(guide)}
</nav>
</div>`,
    guide.language,
  );
}
