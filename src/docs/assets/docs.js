/* global SwaggerUIBundle */
// Light and dark as the reader's system says, also while the page is open.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // Nothing of this page leaves the host: no validator of others, and no configuration from its query.
  validatorUrl: null,
  queryConfigEnabled: false,
});
