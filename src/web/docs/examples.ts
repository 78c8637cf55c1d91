import type { OpenApiDocument } from '../../core/http/openapi.ts';
import type { Exchange, Exchanges } from './exchanges.ts';

type Operation = OpenApiDocument['paths'][string];

/** Add the recorded requests and answers to an operation as examples. */
export function withExamples(operation: Operation, recorded: Exchanges): Operation {
  const exchanges = recorded[operation.operationId] ?? [];
  const [first] = exchanges;
  if (!first) return operation;
  const bodies = exchanges.filter(({ body }) => body !== undefined);
  return {
    ...operation,
    parameters: operation.parameters?.map((parameter: Operation) =>
      parameter.in === 'path' && first.params[parameter.name] !== undefined
        ? { ...parameter, example: typed(parameter.schema, first.params[parameter.name]!) }
        : parameter,
    ),
    ...(operation.requestBody && bodies.length > 0
      ? {
          requestBody: {
            ...operation.requestBody,
            content: exampled(operation.requestBody.content, bodies, 'body'),
          },
        }
      : {}),
    responses: Object.fromEntries(
      Object.entries<Operation>(operation.responses).map(([status, response]) => {
        const matching = exchanges.filter(
          (exchange) => exchange.status === Number(status) && 'answer' in exchange,
        );
        const shown = matching.length > 0 && response.content;
        return [
          status,
          shown ? { ...response, content: exampled(response.content, matching, 'answer') } : response,
        ];
      }),
    ),
  };
}

/** A content with examples at its first media type. */
function exampled(content: Operation, exchanges: Exchange[], part: 'body' | 'answer'): Operation {
  const [[type, media]] = Object.entries<Operation>(content) as [[string, Operation]];
  const examples = exchanges
    .slice(0, EXAMPLES_MAXIMUM)
    .map((exchange) => [
      exchange.summary,
      { value: part === 'answer' ? brief(exchange.answer) : exchange.body },
    ]);
  return { ...content, [type]: { ...media, examples: Object.fromEntries(examples) } };
}

const ITEMS_MAXIMUM = 1;
/** The maximum number of examples of a body or an answer. */
const EXAMPLES_MAXIMUM = 3;

/** An answer with at most `ITEMS_MAXIMUM` items in each list. Lists of numbers stay whole, because they may be points. */
function brief(value: unknown): unknown {
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAXIMUM).map(brief);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, brief(part)]));
}

const typed = (schema: Operation, value: string): string | number =>
  schema?.type === 'integer' ? Number(value) : value;
