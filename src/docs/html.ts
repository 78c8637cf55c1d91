const page = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
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

/** The interactive reference: the library reads `/openapi.json` and draws it. */
export const referencePage = page(
  'API reference · Warehouse Dispatch',
  `<link rel="stylesheet" href="/assets/docs/swagger-ui/swagger-ui.css">
<link rel="stylesheet" href="/assets/docs/docs.css">
<script src="/assets/docs/swagger-ui/swagger-ui-bundle.js" defer></script>
<script src="/assets/docs/docs.js" defer></script>`,
  `<a class="skip" href="#reference">Skip to the reference</a>
<header class="top">
<a href="/">Warehouse Dispatch</a>
<nav aria-label="Service"><a href="/openapi.json">openapi.json</a> <a href="/app">Operations</a></nav>
</header>
<div id="reference" tabindex="-1">
<noscript><p class="note">This page draws <a href="/openapi.json">/openapi.json</a> by a script. Without one, read that.</p></noscript>
</div>`,
);

/** What the host is, and where to go from here. */
export const indexPage = page(
  'Warehouse Dispatch',
  '<link rel="stylesheet" href="/assets/docs/docs.css">',
  `<main class="index">
<h1>Warehouse Dispatch</h1>
<p>The integration service between a warehouse management system and the dispatch floor.</p>
<ul>
<li><a href="/docs">API reference</a>, to read and to try</li>
<li><a href="/openapi.json">openapi.json</a>, the contract (OpenAPI 3.1)</li>
<li><a href="/app">Operations</a>, for people who sign in</li>
</ul>
</main>`,
);
