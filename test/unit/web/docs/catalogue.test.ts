import { expect, it } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../../../src/core/lib/problem.ts';
import { EVENT_TYPES } from '../../../../src/log/event/table.ts';
import { ERRORS, errorCatalogue, eventCatalogue, statusesOf } from '../../../../src/web/docs/catalogue.ts';
import type { Document } from '../../../contract/schema.ts';
import { document, placed } from './document.ts';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];
const errors = errorCatalogue();

/** The part of the page about a code. */
const partOf = (code: string): string =>
  errors.split('<h3 id="').find((part) => part.startsWith(`${code}"`))!;

it('the page of errors explains every problem code, and no other', () => {
  const explained = [...errors.matchAll(/<h3 id="(\w+)"><code>\1<\/code><\/h3>/g)].map(([, code]) => code);
  expect(explained.toSorted()).toEqual(CODES.toSorted());
  expect(Object.keys(ERRORS).toSorted()).toEqual(CODES.toSorted());
});

it.each(CODES)('the page of errors shows statuses, title, cause and action of %s', (code) => {
  const part = partOf(code);
  expect(part).toContain(PROBLEMS[code][1]);
  expect(part).toContain(`Status ${statusesOf(code).join(' or ')}.`);
  for (const [, text] of part.matchAll(/<dd>(.*)<\/dd>/g)) expect(text!.length).toBeGreaterThan(10);
  expect(part.match(/<dd>/g)).toHaveLength(2);
});

it('the page of errors has every status that an operation returns with a code', () => {
  const found = placed.flatMap(({ operation }) =>
    Object.entries<Document>(operation.responses).flatMap(([status, { description }]) =>
      [...description.matchAll(/^`(\w+)`: /gm)].map(([, code]: string[]) => ({
        status: Number(status),
        code,
      })),
    ),
  );
  const missing = found.filter(({ status, code }) => !statusesOf(code as ProblemCode).includes(status));
  expect(missing).toEqual([]);
  expect(found.length).toBeGreaterThan(500);
});

it('the texts of errors name only operations that exist', () => {
  const named = Object.values(ERRORS)
    .flat()
    .flatMap((text) => [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) ([^`?]+)/g)]);
  const shape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
  const known = new Set(placed.map(({ method, path }) => `${method.toUpperCase()} ${shape(path)}`));
  expect(named.length).toBeGreaterThan(20);
  const unknown = named
    .map(([, method, path]) => `${method} ${shape(path!)}`)
    .filter((call) => !known.has(call));
  expect(unknown).toEqual([]);
});

it('the page of events has every type of event with its payload, and no other', () => {
  const [table, ...parts] = eventCatalogue().split('<h2 id="').slice(1);
  const listed = [...table!.matchAll(/<a href="#(\w+)">/g)].map(([, type]) => type);
  expect(listed).toEqual([...EVENT_TYPES]);
  expect(parts.map((part) => part.split('"')[0])).toEqual([...EVENT_TYPES]);
  for (const part of parts) {
    const [, json] = /<pre><code class="language-json">([\s\S]*)<\/code><\/pre>/.exec(part)!;
    const payload = JSON.parse(
      json!
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    );
    const type = part.split('"')[0]!;
    expect(payload.eventType).toBe(type);
    const examples = document.webhooks[type].post.requestBody.content['application/json'].examples;
    expect(payload).toEqual(examples.delivered.value);
  }
});
