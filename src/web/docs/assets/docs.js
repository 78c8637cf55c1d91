/* global SwaggerUIBundle */
// Light and dark as the reader's system says, also while the page is open.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// The library draws fields that a screen reader has no name for (a parameter's is that of its row), and code that
// scrolls but takes no focus.
const reference = document.querySelector('#reference');
const mend = () => {
  for (const field of reference.querySelectorAll(':is(select, textarea, input):not([aria-label])')) {
    const said = [...field.labels].some((label) => label.textContent !== field.textContent);
    if (said) continue;
    const row = field.closest('[data-param-name]');
    field.setAttribute('aria-label', row?.dataset.paramName || field.placeholder || field.id || 'Example');
  }
  for (const code of reference.querySelectorAll('pre:not([tabindex])')) code.tabIndex = 0;
};
new MutationObserver(mend).observe(reference, { childList: true, subtree: true });

SwaggerUIBundle({
  url: '/openapi.json',
  domNode: reference,
  deepLinking: true,
  // Tags only: from 150 rows on, the library draws those in view alone, and a search in the page misses the others.
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The one whose numbers can be read on its background.
  syntaxHighlight: { theme: 'tomorrow-night' },
  // Nothing of this page leaves the host: no validator of others, and no configuration from its query.
  validatorUrl: null,
  queryConfigEnabled: false,
});
