import type { Env } from '../../core/env.ts';
import type { OpenApiDocument } from '../../core/http/openapi.ts';
import { PAYLOADS } from '../../delivery/event-format/formats.ts';
import { webhookSchemas } from './event-schemas.ts';
import { withExamples } from './examples.ts';
import { readExchanges } from './exchanges.ts';
import { INFO, SERVERS, TAGS } from './guide.ts';
import { PARAMETERS } from './parameters.ts';
import { eachOperation, shared } from './shared.ts';
import { typedParameter, typedSchemas } from './types.ts';
import { webhooksOf } from './webhooks.ts';

type Part = OpenApiDocument['paths'][string];

/** Complete the document of the declared routes to a readable contract: guide, tags, webhooks, examples. */
export async function completeDocument(
  declared: OpenApiDocument,
  env: Pick<Env, 'ASSETS'>,
): Promise<OpenApiDocument> {
  const exchanges = await readExchanges(env);
  const { openapi, paths, components, ...rest } = declared;
  const { webhooks: _, ...others } = rest;
  return shared({
    openapi,
    ...others,
    info: INFO,
    servers: SERVERS,
    tags: TAGS,
    paths: eachOperation(paths, (operation) => withExamples(described(operation), exchanges)),
    webhooks: webhooksOf(PAYLOADS),
    components: {
      ...components,
      schemas: typedSchemas({ ...components['schemas'], ...webhookSchemas(components['schemas']) }),
    },
  });
}

/** Add missing descriptions to the parameters of an operation. */
function described(operation: Part): Part {
  return {
    ...operation,
    parameters: operation.parameters?.map((parameter: Part) => {
      const description = parameter.description ?? PARAMETERS[parameter.in]?.[parameter.name];
      return typedParameter(description ? { ...parameter, description } : parameter);
    }),
  };
}
