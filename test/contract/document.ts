import { call } from '../workerd/client.ts';
import { type Document, type Schema, spelledOut } from './schema.ts';

/** An operation of the OpenAPI document. */
export interface Operation {
  operationId: string;
  method: string;
  path: string;
  /** Names of the security schemes. A caller needs one of them. Empty for a public operation. */
  schemes: string[];
  parameters: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[];
  body: Schema | undefined;
  bodyRequired: boolean;
  /** The media types of the body; empty for an operation without a body. */
  bodyTypes: string[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The document that the Worker serves, with references replaced in operations. */
export const document: Document = spelledOut((await call('GET', '/openapi.json')).body);

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
      bodyTypes: Object.keys(declared.requestBody?.content ?? {}),
      bodyRequired: declared.requestBody?.required === true,
      responses: declared.responses,
    };
  }),
);

export function operation(operationId: string): Operation {
  const found = operations.find((item) => item.operationId === operationId);
  if (!found) throw new Error(`the document does not contain operation ${operationId}`);
  return found;
}

/** Whether an operation takes an Idempotency-Key. */
export const isWrite = ({ method }: Operation): boolean => method !== 'GET';
/** Whether a GET operation changes something. It has no HEAD then. */
export const changesByGet = ({ operationId }: Pick<Operation, 'operationId'>): boolean =>
  operationId === 'changePrintingBatchStatusByGet';
export const isIntegration = ({ schemes }: Operation): boolean => schemes.includes('apiKey');
/** Whether an operation takes an access token instead of an API key. */
export const isTokened = ({ schemes }: Operation): boolean => schemes.includes('accessToken');
/**
 * Whether the body is a file: any JSON object or array, stored unchanged. Other bodies refuse unknown
 * fields.
 */
export const takesFile = ({ body }: Operation): boolean =>
  body?.$ref === '#/components/schemas/CalibrationFile';
export const isOperator = ({ schemes }: Operation): boolean => schemes.includes('operatorKey');

/** The operations that are missing in a table, and its entries that are not operations. */
export function unlike(table: object): string[] {
  const [ids, named] = [operations.map(({ operationId }) => operationId), Object.keys(table)];
  return [...ids.filter((id) => !named.includes(id)), ...named.filter((name) => !ids.includes(name))];
}
