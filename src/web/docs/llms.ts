import { INFO, TAGS } from './guide.ts';
import { GUIDES } from './guides.ts';

/** The text of `/llms.txt`: links to documentation for a language model that writes a client (llmstxt.org). */
export const llmsText = (origin: string): string => {
  const link = (title: string, path: string, what: string) => `- [${title}](${origin}${path}): ${what}`;
  return `# ${INFO.title}

> ${INFO.summary}

Every write takes an \`Idempotency-Key\`. After a timeout, 429 or 5xx, send the same request with the same key again.
Errors are \`application/problem+json\`: branch on \`code\`. Bodies and queries are strict. To read a whole list, follow
\`Link: <…>; rel="next"\`. API keys go in \`X-AUTH-KEY\`, access tokens of devices in \`X-Auth-Token\`.
Webhooks follow Standard Webhooks.

## Contract

${link('OpenAPI 3.1', '/openapi.json', 'every operation with its schemas, errors and examples; generate clients from it')}
${link('Reference', '/docs', 'the contract as a page')}

## Guides

${GUIDES.map(({ name, title }) => link(title, `/docs/${name}`, 'guide')).join('\n')}

## Operations by tag

${TAGS.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}
`;
};
