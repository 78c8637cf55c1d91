import type { OpenApiDocument } from '../../core/http/openapi.ts';

type Part = OpenApiDocument['paths'][string];

/** A part of an operation that other operations may share. */
interface Occurrence {
  /** Its preferred component name. */
  name: string;
  text: string;
}

/** The component names of shared parts, by the text of the part. */
type Names = Map<string, string>;

/**
 * Deduplicate the document: repeated parameters and answers become components, and answers with the same schema share one
 * example. The document becomes a third as long, and generated code has one type for each thing.
 */
export function shareParts(given: OpenApiDocument): OpenApiDocument {
  const document = withOneExample(given);
  const all = [...operationsOf(document['paths']), ...operationsOf(document['webhooks'] as Part)];
  const parameters = namesOf(all.flatMap(parametersOf));
  const responses = namesOf(all.flatMap(responsesOf));
  const referring = (items: Part): Part => eachOperation(items, (item) => refer(item, parameters, responses));
  return {
    ...document,
    paths: referring(document.paths),
    webhooks: referring(document['webhooks'] as Part),
    components: {
      ...document.components,
      parameters: components(parameters),
      responses: components(responses),
    },
  };
}

/** The JSON content of a 2xx answer that shows a named resource with examples; undefined for any other answer. */
function shownBy(status: string, { content }: Part): Part | undefined {
  const media = content?.['application/json'];
  return /^2/.test(status) && media?.schema.$ref && media.examples ? media : undefined;
}

/** Let answers with the same schema refer to one example, preferably from a GET. */
function withOneExample(document: OpenApiDocument): OpenApiDocument {
  const answers = Object.values<Part>(document.paths)
    .flatMap((item) => Object.entries<Part>(item))
    .sort(([a], [b]) => Number(b === 'get') - Number(a === 'get'))
    .flatMap(([, { responses }]) =>
      Object.entries<Part>(responses).flatMap(([status, response]) => shownBy(status, response) ?? []),
    );
  const bySchema = Map.groupBy(answers, ({ schema }) => schema.$ref.split('/').at(-1));
  const several = new Map([...bySchema].filter(([, same]) => same.length > 1));
  const examples = [...several].map(([name, [first]]) => [name, Object.values(first.examples)[0]]);
  const referring = (status: string, response: Part): Part => {
    const media = shownBy(status, response);
    const name = media?.schema.$ref.split('/').at(-1);
    if (!media || !several.has(name)) return response;
    const refers = { ...media, examples: { [name]: { $ref: `#/components/examples/${name}` } } };
    return { ...response, content: { 'application/json': refers } };
  };
  return {
    ...document,
    paths: eachOperation(document.paths, (operation) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries<Part>(operation.responses).map(([status, response]) => [
          status,
          referring(status, response),
        ]),
      ),
    })),
    components: { ...document.components, examples: Object.fromEntries(examples) },
  };
}

/** The items of a path with each operation mapped. */
export const eachOperation = (items: Part, replace: (operation: Part) => Part): Part =>
  Object.fromEntries(
    Object.entries<Part>(items).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries<Part>(item).map(([method, part]) => [method, replace(part)])),
    ]),
  );

const operationsOf = (items: Part): Part[] =>
  Object.values<Part>(items).flatMap((item) => Object.values<Part>(item));

const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const parametersOf = ({ parameters = [] }: Part): Occurrence[] =>
  parameters.map((parameter: Part) => ({
    name: pascal(parameter.name),
    text: JSON.stringify(parameter),
  }));

const responsesOf = ({ responses }: Part): Occurrence[] =>
  Object.entries<Part>(responses).map(([status, response]) => ({
    name: pascal(status),
    text: JSON.stringify(response),
  }));

/** Component names of repeated parts. The most common part with a name keeps the name. The other parts get a number. */
function namesOf(occurrences: Occurrence[]): Names {
  const byText = Map.groupBy(occurrences, ({ text }) => text);
  const shared = [...byText.values()].filter((same) => same.length > 1);
  const taken = new Map<string, number>();
  return new Map(
    shared
      .sort((a, b) => b.length - a.length)
      .map(([first]) => {
        const { name, text } = first!;
        const count = (taken.get(name) ?? 0) + 1;
        taken.set(name, count);
        return [text, count === 1 ? name : `${name}_${count}`];
      }),
  );
}

const components = (names: Names): Part =>
  Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text)]));

function refer(operation: Part, parameters: Names, responses: Names): Part {
  const named = (kind: string, names: Names, part: Part): Part => {
    const name = names.get(JSON.stringify(part));
    return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
  };
  return {
    ...operation,
    ...(operation.parameters
      ? { parameters: operation.parameters.map((part: Part) => named('parameters', parameters, part)) }
      : {}),
    responses: Object.fromEntries(
      Object.entries<Part>(operation.responses).map(([status, response]) => [
        status,
        named('responses', responses, response),
      ]),
    ),
  };
}
