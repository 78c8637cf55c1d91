import { exports } from 'cloudflare:workers';
import { type Document, faults, spelledOut } from '../contract/schema.ts';
import type { Answer } from './client.ts';

interface Documented {
  path: RegExp;
  /** The number of characters outside of parameters. If two paths match, the higher number wins. */
  literal: number;
  operations: Document;
}

let document: Document;
let paths: Documented[];

async function load(): Promise<void> {
  const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;
  document = spelledOut(await (await worker.fetch(new Request('http://127.0.0.1:8787/openapi.json'))).json());
  paths = Object.entries<Document>(document.paths)
    .map(([path, operations]) => ({
      path: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      literal: path.replace(/\{\w+\}/g, '').length,
      operations,
    }))
    .sort((a, b) => b.literal - a.literal);
}

/** The differences between an answer and its operation in `/openapi.json`, one line each. */
export async function undocumented(method: string, url: string, answer: Answer): Promise<string[]> {
  if (document === undefined) await load();
  const { pathname } = new URL(url);
  const operation = paths.find(({ path }) => path.test(pathname))?.operations[method.toLowerCase()];
  if (!operation) return [];
  const { status, body } = answer;
  const at = `${method} ${pathname} ${status}`;
  const response = operation.responses[status];
  if (!response) return [`${at} ${body?.code ?? ''}: the status is not documented`];
  const unknown = Object.keys(document.components.headers).filter(
    (name) => answer.headers.has(name) && !(name in response.headers),
  );
  if (unknown.length > 0) return unknown.map((name) => `${at}: the header ${name} is not documented`);
  const type = answer.headers.get('Content-Type')?.split(';')[0] ?? '';
  const schema = response.content?.[type]?.schema;
  if (status >= 400 && /problem\+json$/.test(type) && !response.description.includes(`\`${body?.code}\``)) {
    return [`${at} ${body?.code}: the code is not documented`];
  }
  if (!schema || !/[/+]json$/.test(type)) return [];
  return faults(document, schema, body).map((line) => `${at}: ${line}`);
}
