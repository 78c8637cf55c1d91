import { expect, it } from 'vitest';
import type { Document } from '../../../contract/schema.ts';
import { document, placed } from './document.ts';

/** Every response of the API: operation, status, and names of its headers. */
const responses = placed.flatMap(({ method, operation }) =>
  Object.entries<Document>(operation.responses).map(([status, { headers = {} }]) => ({
    operation,
    method,
    status: Number(status),
    at: `${operation.operationId} ${status}`,
    headers: Object.keys(headers),
  })),
);
const without = (name: string, asked: typeof responses): string[] =>
  asked.filter(({ headers }) => !headers.includes(name)).map(({ at }) => at);

it('the document defines common response headers once', () => {
  expect(Object.keys(document['x-answer-headers'])).toEqual([
    'X-Request-Id',
    'x-d1-bookmark',
    'RateLimit-Policy',
    'RateLimit',
    'Idempotent-Replayed',
  ]);
});

it.each([
  [401, 'WWW-Authenticate'],
  [405, 'Allow'],
  [429, 'Retry-After'],
  [503, 'Retry-After'],
  [201, 'Location'],
  [202, 'Location'],
  [304, 'ETag'],
])('the document lists for %i the headers %s', (wanted, name) => {
  const asked = responses.filter(({ status }) => status === wanted);
  expect(without(name, asked)).toEqual([]);
  expect(asked.length).toBeGreaterThan(0);
});

it('the document lists the next-page link of every list', () => {
  const done = responses.filter(({ status }) => status < 300);
  const paged = done.filter(({ operation }) =>
    operation.parameters.some(({ name }: Document) => name === 'cursor'),
  );
  expect(without('Link', paged)).toEqual([]);
  expect(paged.length).toBeGreaterThan(15);
});

it('the document lists the common refusals of every operation', () => {
  const always = ['405', '500', '503'];
  const missing = placed.flatMap(
    ({ operation: { operationId, security, requestBody, parameters, responses: all } }) => {
      const needed = [
        ...always,
        ...(security.length > 0 ? ['401'] : []),
        ...(security.some((scheme: object) => !('operatorKey' in scheme)) ? ['429'] : []),
        ...(requestBody ? ['400', '413', '415'] : []),
        ...(parameters.some((parameter: Document) => parameter.in === 'path') ? ['404'] : []),
        ...(parameters.some(({ name }: Document) => name === 'Idempotency-Key') ? ['400', '422'] : []),
      ];
      return needed.filter((status) => !(status in all)).map((status) => `${operationId} ${status}`);
    },
  );
  expect(missing).toEqual([]);
});

it('the document gives no example for optional parameters, so the reference sends none unasked', () => {
  const sent = placed.flatMap(({ operation }) =>
    operation.parameters
      .filter((parameter: Document) => parameter.in !== 'path')
      .filter(
        ({ schema, example, examples }: Document) => example ?? examples ?? schema.example ?? schema.examples,
      )
      .map(({ name }: Document) => `${operation.operationId} ${name}`),
  );
  expect(sent).toEqual([]);
});
