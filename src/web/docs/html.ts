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

/** The bar at the top of every page of documentation. */
const HEADER = `<header class="top">
<a href="/">Warehouse Dispatch</a>
<nav aria-label="Service"><a href="/docs">Reference</a> <a href="/docs/${GUIDES[0]!.name}">Guides</a>
<a href="/openapi.json">openapi.json</a> <a href="/app">Operations</a></nav>
</header>`;

/** A link to a guide. `more` are attributes. */
function guideLink({ name, title, language }: Guide, more = ''): string {
  const foreign = language ? ` lang="${language}" hreflang="${language}"` : '';
  return `<a href="/docs/${name}"${foreign}${more}>${title}</a>`;
}

/** Links to all guides, by group. The link to the current page is marked. */
const guideLinks = (current?: Guide): string =>
  GUIDE_GROUPS.map(({ title, guides }) => {
    const items = guides.map((guide) => {
      const here = guide.name === current?.name ? ' aria-current="page"' : '';
      return `<li>${guideLink(guide, here)}</li>`;
    });
    return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  }).join('\n');

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
${guideLinks()}
</main>`,
);

/** The page of a guide. `content` is the HTML that the build rendered from its Markdown. */
export const guidePage = (guide: Guide, content: string): string =>
  page(
    `${guide.title} · Warehouse Dispatch`,
    STYLE,
    `<a class="skip" href="#guide">Skip to the guide</a>
${HEADER}
<div class="guide">
<nav aria-label="Guides">
${guideLinks(guide)}
</nav>
<main id="guide" tabindex="-1">
${content}</main>
</div>`,
    guide.language,
  );
