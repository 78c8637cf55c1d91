import { app } from '../../../../src/app.ts';
import recorded from '../../../../src/web/docs/assets/examples.json' with { type: 'json' };
import type { Exchanges } from '../../../../src/web/docs/document.ts';
import { type Document, spelledOut } from '../../../contract/schema.ts';

/** The recorded requests and answers of the document. */
export const EXCHANGES = recorded as unknown as Exchanges;

export const VARIABLES = {
  ENVIRONMENT: 'development',
  OPERATOR_KEY: 'local-operator-key',
  SEALING_KEY: 'local-sealing-key',
  BASE_DOMAIN: 'localhost',
  /** The files of the Worker's assets that documents contain. */
  ASSETS: { fetch: async () => new Response(JSON.stringify(EXCHANGES)) },
};

/** `/openapi.json` as the Worker serves it, as text and parsed. */
export const source: string = await (await app.request('/openapi.json', {}, VARIABLES)).text();
export const document: Document = spelledOut(JSON.parse(source));

/** An operation with its method and path. */
export interface Placed {
  method: string;
  path: string;
  operation: Document;
}

export const placed: Placed[] = Object.entries<Document>(document.paths).flatMap(([path, item]) =>
  Object.entries<Document>(item).map(([method, operation]) => ({ method, path, operation })),
);
