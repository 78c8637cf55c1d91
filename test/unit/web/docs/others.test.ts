import { expect, it } from 'vitest';
import { app } from '../../../../src/app.ts';
import { GUIDES } from '../../../../src/web/docs/guides.ts';
import type { Document } from '../../../contract/schema.ts';
import { placed, VARIABLES } from './document.ts';

it('/postman.json has every operation, in an order in which names are known before use', async () => {
  const collection: Document = await (await app.request('/postman.json', {}, VARIABLES)).json();
  expect(collection.info.schema).toContain('/v2.1.0/');
  expect(collection.variable.map(({ key }: Document) => key)).toEqual(
    expect.arrayContaining(['baseUrl', 'apiKey', 'accessToken', 'operatorKey']),
  );
  const named = new Set(collection.item.map(({ name }: Document) => /\((\w+)\)$/.exec(name)![1]));
  expect([...named].sort()).toEqual(placed.map(({ operation }) => operation.operationId).sort());
  const known = new Set<string>(['baseUrl', 'operatorKey', 'run']);
  for (const { name, request, event } of collection.item) {
    const used = [...JSON.stringify(request).matchAll(/\{\{(\w+)\}\}/g)].map(([, variable]) => variable);
    expect([name, used.filter((variable) => !known.has(variable!))]).toEqual([name, []]);
    for (const [, variable] of JSON.stringify(event).matchAll(/environment\.set\('(\w+)'/g))
      known.add(variable!);
  }
});

it('/llms.txt links the contract and every guide', async () => {
  const answer = await app.request('/llms.txt', {}, VARIABLES);
  const text = await answer.text();
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
  for (const path of ['/openapi.json', '/postman.json', ...GUIDES.map(({ name }) => `/docs/${name}`)]) {
    expect(text).toContain(`http://localhost${path})`);
  }
});
