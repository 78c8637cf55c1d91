import { OpenAPIHono } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { Env } from '../env.ts';
import { PROBLEMS } from '../lib/problem.ts';
import { ANSWER_HEADERS, COMMON_HEADERS } from './answer-headers.ts';
import { contractOf } from './contract.ts';
import { DECLARED } from './endpoint.ts';
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

/** Serve the contract of all declared routes as OpenAPI 3.1. */
export function openApiDocument(
  app: Hono<AppEnv>,
  complete: (declared: OpenApiDocument, env: Env) => Promise<OpenApiDocument>,
): void {
  let document: OpenApiDocument | undefined;
  app.get('/openapi.json', async (c) => {
    document ??= await complete(declaredOf(app), c.env);
    return c.json(document);
  });
}

/** The contract of all declared routes. It is made at the first read, because few isolates need it. */
function declaredOf(app: Hono<AppEnv>): OpenApiDocument {
  const contracts = new OpenAPIHono();
  const registry = contracts.openAPIRegistry;
  for (const { handler } of app.routes) {
    const declared = DECLARED.get(handler);
    if (declared) registry.registerPath(contractOf(declared));
  }
  for (const [name, [header, description]] of Object.entries(SECURITY_SCHEMES)) {
    const scheme = { type: 'apiKey', in: 'header', name: header, description } as const;
    registry.registerComponent('securitySchemes', name, scheme);
  }
  for (const [name, header] of Object.entries(ANSWER_HEADERS)) {
    registry.registerComponent('headers', name, { ...header });
  }
  const declared = contracts.getOpenAPI31Document({
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
