import { expect, it } from 'vitest';
import { app } from '../../../../src/app.ts';
import { GUIDES } from '../../../../src/web/docs/guides.ts';
import { VARIABLES } from './document.ts';

it('/llms.txt links the contract and every guide', async () => {
  const answer = await app.request('/llms.txt', {}, VARIABLES);
  const text = await answer.text();
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
  for (const path of ['/openapi.json', ...GUIDES.map(({ name }) => `/docs/${name}`)]) {
    expect(text).toContain(`http://localhost${path})`);
  }
});
