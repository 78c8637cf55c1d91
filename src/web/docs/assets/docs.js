/* global SwaggerUIBundle */
import { textOf } from './operations.js';

// Follow the system's light or dark mode, also when it changes while the page is open.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// The library draws fields without a name for screen readers, and scrolling code without keyboard focus. The field of a
// parameter gets the name of its row.
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

/** A filter of the library that finds operations by their path, texts, parameters and fields. By itself, it finds tags only. */
function operationFilter({ specSelectors }) {
  const texts = new Map();
  const found = (operation, words) => {
    const id = operation.get('id');
    if (!texts.has(id)) {
      const { parameters, requestBody, summary, description } = operation.get('operation').toJS();
      const path = operation.get('path');
      const searched = textOf(
        { summary, description, parameters, requestBody },
        specSelectors.specJson().toJS(),
      );
      texts.set(id, `${id} ${path} ${searched}`.toLowerCase());
    }
    return words.every((word) => texts.get(id).includes(word));
  };
  return {
    fn: {
      opsFilter(tags, phrase) {
        const words = phrase.toLowerCase().split(/\s+/);
        return tags
          .map((tag, name) =>
            words.every((word) => name.toLowerCase().includes(word))
              ? tag
              : tag.update('operations', (operations) => operations.filter((each) => found(each, words))),
          )
          .filter((tag) => tag.get('operations').size > 0);
      },
    },
  };
}

SwaggerUIBundle({
  url: '/openapi.json',
  domNode: reference,
  deepLinking: true,
  // Show tags only. From 150 rows on, the library draws only the visible rows, and the browser's search misses the others.
  docExpansion: 'none',
  filter: true,
  plugins: [operationFilter],
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // Only this theme has numbers that are readable on its background.
  syntaxHighlight: { theme: 'tomorrow-night' },
  // No data of this page leaves the host: no external validator, and no configuration from the query.
  validatorUrl: null,
  queryConfigEnabled: false,
});
