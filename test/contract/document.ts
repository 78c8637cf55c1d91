import { call } from '../workerd/client.ts';
import { type Document, type Schema, spelledOut } from './schema.ts';

/** An operation of the OpenAPI document. */
export interface Operation {
  operationId: string;
  method: string;
  path: string;
  /** Names of the security schemes, one of which a caller needs; none for a public operation. */
  schemes: string[];
  parameters: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[];
  body: Schema | undefined;
  bodyRequired: boolean;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The document that the Worker serves. */
export const document: Document = spelledOut((await call('GET', '/openapi.json')).body);

/** All operations of the document. */
export const operations: Operation[] = Object.entries<Document>(document.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method]).map((method) => {
    const declared = item[method];
    return {
      operationId: declared.operationId,
      method: method.toUpperCase(),
      path,
      schemes: (declared.security ?? []).flatMap((scheme: object) => Object.keys(scheme)),
      parameters: declared.parameters ?? [],
      body: declared.requestBody?.content['application/json']?.schema,
      bodyRequired: declared.requestBody?.required === true,
      responses: declared.responses,
    };
  }),
);

/** One operation by its id. */
export function operation(operationId: string): Operation {
  const found = operations.find((item) => item.operationId === operationId);
  if (!found) throw new Error(`the document has no operation ${operationId}`);
  return found;
}

/** Whether it takes an Idempotency-Key. */
export const isWrite = ({ method }: Operation): boolean => method !== 'GET';
/** Whether its GET changes something, so that it has no HEAD. */
export const changesByGet = ({ operationId }: Pick<Operation, 'operationId'>): boolean =>
  operationId === 'changePrintingBatchStatusByGet';
export const isIntegration = ({ schemes }: Operation): boolean => schemes.includes('apiKey');
/** Whether it takes an access token instead of an API key. */
export const isTokened = ({ schemes }: Operation): boolean => schemes.includes('accessToken');
/** Whether its body is a file, any JSON object or array, kept as it is; other bodies are strict. */
export const takesFile = ({ body }: Operation): boolean =>
  body?.$ref === '#/components/schemas/CalibrationFile';
export const isOperator = ({ schemes }: Operation): boolean => schemes.includes('operatorKey');

/** Operations that a table leaves out, and what it has that is none. */
export function unlike(table: object): string[] {
  const [ids, named] = [operations.map(({ operationId }) => operationId), Object.keys(table)];
  return [...ids.filter((id) => !named.includes(id)), ...named.filter((name) => !ids.includes(name))];
}
