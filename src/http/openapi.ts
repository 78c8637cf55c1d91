import type { OpenAPIHono } from '@hono/zod-openapi';
import { PROBLEMS, type ProblemCode } from '../lib/problem.ts';
import { ANSWER_HEADERS } from './answer-headers.ts';
import { exampleName } from './contract.ts';
import type { AppEnv } from './types.ts';

const SECURITY_SCHEMES = {
  apiKey: ['X-AUTH-KEY', 'API key of an organization: `wdk_<env>_…`'],
  accessToken: ['X-Auth-Token', 'Access token of a device with its scopes: `wdt_<env>_…`'],
  operatorKey: ['X-OPERATOR-KEY', 'Secret of the operator of the service'],
} as const;

/** An OpenAPI document as far as it is put together here. */
export interface OpenApiDocument {
  openapi: string;
  // biome-ignore lint/suspicious/noExplicitAny: path items are passed on as they are
  paths: Record<string, any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  components: Record<string, any>;
  [member: string]: unknown;
}

/** Serve the contract that the routes declared, completed: OpenAPI 3.1. */
export function openApiDocument(
  app: OpenAPIHono<AppEnv>,
  complete: (declared: OpenApiDocument) => OpenApiDocument,
): void {
  for (const [name, [header, description]] of Object.entries(SECURITY_SCHEMES)) {
    const scheme = { type: 'apiKey', in: 'header', name: header, description } as const;
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  }
  for (const [name, header] of Object.entries(ANSWER_HEADERS)) {
    app.openAPIRegistry.registerComponent('headers', name, { ...header });
  }
  let document: OpenApiDocument | undefined;
  app.get('/openapi.json', (c) => {
    document ??= complete(declaredOf(app));
    return c.json(document);
  });
}

function declaredOf(app: OpenAPIHono<AppEnv>): OpenApiDocument {
  const declared = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: '', version: '' },
  }) as unknown as OpenApiDocument;
  const { components } = declared;
  return {
    ...declared,
    components: { ...components, examples: { ...components['examples'], ...problemExamples(declared) } },
    'x-problems': Object.fromEntries(
      Object.entries(PROBLEMS).map(([code, [status, title]]) => [code, { status, title }]),
    ),
  };
}

const EXAMPLE_ORIGIN = 'https://dispatch.example.com';

/** An example of every problem that an operation documents, by name. */
function problemExamples({ paths }: OpenApiDocument): Record<string, object> {
  const named = new Map<string, [ProblemCode, number]>();
  const operations = Object.values(paths).flatMap((item) => Object.values<{ responses: object }>(item));
  for (const [status, response] of operations.flatMap(({ responses }) => Object.entries(responses))) {
    const examples = response.content?.['application/problem+json']?.examples ?? {};
    for (const code of Object.keys(examples) as ProblemCode[]) {
      named.set(exampleName(code, Number(status)), [code, Number(status)]);
    }
  }
  return Object.fromEntries([...named].map(([name, [code, status]]) => [name, problemExample(code, status)]));
}

function problemExample(code: ProblemCode, status: number): object {
  const title = PROBLEMS[code][1];
  return {
    summary: title,
    value: {
      type: `${EXAMPLE_ORIGIN}/openapi.json#/x-problems/${code}`,
      title,
      status,
      detail: `${title}.`,
      instance: '/integration/rest/api/v1/…',
      code,
      requestId: 'wms-20261121-0815',
      timestamp: '2026-11-21T08:15:30.123Z',
      errors: [],
    },
  };
}
