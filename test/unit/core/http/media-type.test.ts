import { expect, it } from 'vitest';
import { codingOf, isJson } from '../../../../src/core/http/media-type.ts';
import type { AppContext } from '../../../../src/core/http/types.ts';

const sent = (headers: Record<string, string>): AppContext =>
  ({ req: { header: (name: string) => headers[name] } }) as unknown as AppContext;

it.each([
  'application/json',
  'Application/JSON; Charset="UTF-8"',
  'application/json;charset=utf_8',
  "application/json ; charset = 'utf8'",
  'application/json; charset=csUTF8',
  'application/json; charset=unicode-1-1-utf-8',
  'application/json; charset=cp65001',
  'application/json; charset=utf-8; charset=UTF8',
  'application/json; odata=verbose; charset=UTF 8;',
])('a body is JSON in UTF-8 with Content-Type: %s', (type) => {
  expect(isJson(sent({ 'Content-Type': type }))).toBe(true);
});

it.each([
  '',
  'text/json',
  'application/json, text/plain',
  'application/jsonp',
  'application/ld+json',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'application/json; charset=utf8; charset=us-ascii',
  'application/json; utf-8',
])('a body is not JSON in UTF-8 with Content-Type: %s', (type) => {
  expect(isJson(sent({ 'Content-Type': type }))).toBe(false);
});

it.each([
  ['', null],
  ['identity', null],
  ['GZIP', 'gzip'],
  ['x-gzip, identity', 'gzip'],
  ['gzip, gzip', 'unknown'],
  ['gzip;q=1', 'unknown'],
  ['br', 'unknown'],
])('Content-Encoding: %s is the coding %s', (coding, expected) => {
  expect(codingOf(sent({ 'Content-Encoding': coding }))).toBe(expected);
});
