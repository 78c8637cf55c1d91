import { type Answer, call, ORIGIN } from '../workerd/client.ts';
import { document, type Operation } from './document.ts';
import { type Example, exampleOf } from './operations.ts';
import { faults } from './schema.ts';
import type { World } from './world.ts';

/** The path of a request: the operation's path with the example's parameters. */
export function pathOf(
  { path }: Operation,
  { params = {}, query = {} }: Pick<Example, 'params' | 'query'>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** The headers with a caller's credentials. */
export function credentials({ schemes, operationId }: Operation, { tenant }: Pick<World, 'tenant'>) {
  const headers: Record<string, Record<string, string>> = {
    apiKey: { 'X-AUTH-KEY': tenant.key },
    accessToken: { 'X-Auth-Token': tenant.token },
    operatorKey: { 'X-OPERATOR-KEY': 'local-operator-key' },
  };
  const sent: Record<string, string> = {};
  for (const scheme of schemes) {
    if (!headers[scheme]) throw new Error(`${operationId} needs ${scheme}: add its headers here`);
    Object.assign(sent, headers[scheme]);
  }
  return sent;
}

/** The parts of a request that a test changes. */
export interface Change extends Partial<Omit<Example, 'raw'>> {
  method?: string;
  headers?: Record<string, string>;
  /** Send no credential. */
  anonymous?: boolean;
  /** The raw body, instead of JSON. */
  raw?: BodyInit;
  /** Host of the request, such as `http://acme.localhost:8787`. */
  host?: string;
  /** The exact path. */
  at?: string;
}

/** Send an operation's example with a change, as the tenant of a world. */
export async function send(
  operated: Operation,
  { tenant, names }: Pick<World, 'tenant' | 'names'>,
  change: Change = {},
): Promise<Answer> {
  const example = { ...exampleOf(operated, names), ...change };
  const json = example.raw === undefined ? example.json : undefined;
  return call(
    change.method ?? operated.method,
    `${change.host ?? ORIGIN}${change.at ?? pathOf(operated, example)}`,
    {
      headers: {
        ...(change.anonymous ? {} : credentials(operated, { tenant })),
        ...(example.type === undefined ? {} : { 'Content-Type': example.type }),
        ...change.headers,
      },
      ...(json === undefined ? {} : { json }),
      ...(example.raw === undefined ? {} : { raw: example.raw }),
    },
  );
}

/** The differences between an answer and its operation's documentation, one per line. */
export function undocumented({ operationId, responses }: Operation, answer: Answer): string[] {
  const response = responses[answer.status];
  if (!response)
    return [`${operationId}: ${answer.status} is not documented: ${JSON.stringify(answer.body)}`];
  const type = answer.headers.get('Content-Type')?.split(';')[0];
  const content = type === undefined ? undefined : response.content?.[type];
  if (response.content && !content) return [`${operationId}: ${answer.status} of ${type} is not documented`];
  if (!content || !/[/+]json$/.test(type!)) return [];
  return faults(document, content.schema, answer.body).map(
    (line) => `${operationId} ${answer.status} ${line}`,
  );
}
