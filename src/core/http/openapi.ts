import type { OpenAPIHono } from '@hono/zod-openapi';
import { PROBLEMS } from '../lib/problem.ts';
import { ANSWER_HEADERS, COMMON_HEADERS } from './answer-headers.ts';
import type { AppEnv } from './types.ts';

const SECURITY_SCHEMES = {
  apiKey: ['X-AUTH-KEY', 'API key of an organization: `wdk_<env>_…`'],
  accessToken: ['X-Auth-Token', 'Access token of a device, with scopes: `wdt_<env>_…`'],
  operatorKey: [
    'X-OPERATOR-KEY',
    'Secret of an operator of the service: `wdo_<env>_…`, or the bootstrap key',
  ],
} as const;

/** The parts of an OpenAPI document that are processed here. */
export interface OpenApiDocument {
  openapi: string;
  // biome-ignore lint/suspicious/noExplicitAny: path items are passed on as they are
  paths: Record<string, any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  components: Record<string, any>;
  [member: string]: unknown;
}

/** Serve the contract of all declared routes as OpenAPI 3.1, and documents derived from it at other paths. */
export function openApiDocument(
  app: OpenAPIHono<AppEnv>,
  complete: (declared: OpenApiDocument) => OpenApiDocument,
  others: Record<string, (document: OpenApiDocument) => object>,
): void {
  for (const [name, [header, description]] of Object.entries(SECURITY_SCHEMES)) {
    const scheme = { type: 'apiKey', in: 'header', name: header, description } as const;
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  }
  for (const [name, header] of Object.entries(ANSWER_HEADERS)) {
    app.openAPIRegistry.registerComponent('headers', name, { ...header });
  }
  let document: OpenApiDocument | undefined;
  const completed = () => {
    document ??= complete(declaredOf(app));
    return document;
  };
  app.get('/openapi.json', (c) => c.json(completed()));
  for (const [path, made] of Object.entries(others)) app.get(path, (c) => c.json(made(completed())));
}

function declaredOf(app: OpenAPIHono<AppEnv>): OpenApiDocument {
  const declared = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: '', version: '' },
  }) as unknown as OpenApiDocument;
  return {
    ...declared,
    'x-answer-headers': COMMON_HEADERS,
    'x-problems': Object.fromEntries(
      Object.entries(PROBLEMS).map(([code, [status, title]]) => [code, { status, title }]),
    ),
  };
}
