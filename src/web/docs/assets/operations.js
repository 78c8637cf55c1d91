// Reads the document of the API, for the filter of the reference and the search of the guides.
const CALLS = ['get', 'post', 'put', 'patch', 'delete'];

/** The part of the document to which a reference leads, or the part itself. */
const resolved = (part, document) =>
  part.$ref
    ? part.$ref
        .split('/')
        .slice(1)
        .reduce((at, name) => at[name], document)
    : part;

/** Every object within a part of the document, also in the parts that it refers to. Examples are left out. */
function* objectsIn(part, document, seen = new Set()) {
  if (typeof part !== 'object' || part === null) return;
  const object = resolved(part, document);
  if (seen.has(object)) return;
  seen.add(object);
  yield object;
  for (const [key, value] of Object.entries(object)) {
    if (!['example', 'examples', 'default'].includes(key)) yield* objectsIn(value, document, seen);
  }
}

const namesOf = (properties) => Object.keys(typeof properties === 'object' ? properties : {});

/** The names, values and descriptions within a part of the document. */
export const textOf = (part, document) =>
  [...objectsIn(part, document)]
    .flatMap(({ name, summary, description, properties, enum: values }) => [
      ...[name, summary, description].filter((text) => typeof text === 'string'),
      ...namesOf(properties),
      ...(Array.isArray(values) ? values : []),
    ])
    .join(' ');

/** The parameters of an operation: name and description. */
const parametersOf = ({ parameters = [] }, document) =>
  parameters.map((part) => resolved(part, document)).map(({ name, description }) => [name, description]);

/** The fields of the bodies of an operation: name and description. */
function fieldsOf({ requestBody, responses }, document) {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return [...objectsIn([requestBody ?? {}, answers], document)].flatMap(({ properties }) =>
    namesOf(properties).map((name) => [name, resolved(properties[name], document).description]),
  );
}

/** Every operation of the document in the order of the reference, with the link to it. */
function operationsOf({ paths, tags }) {
  const groups = tags.map(({ name }) => name);
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      CALLS.filter((method) => item[method]).map((method) => {
        const [tag] = item[method].tags;
        const href = `/docs#/${encodeURIComponent(tag)}/${item[method].operationId}`;
        return {
          operation: item[method],
          call: `${method.toUpperCase()} ${path}`,
          href,
          group: groups.indexOf(tag),
        };
      }),
    )
    .sort((a, b) => a.group - b.group);
}

/** An entry for each name with its meaning. The link leads to its first operation. */
function entriesOf(kind, named) {
  const uses = new Map();
  for (const { name, description = '', call, href } of named) {
    const key = `${name} ${description}`;
    const use = uses.get(key) ?? { name, description, calls: new Set(), href };
    use.calls.add(call);
    uses.set(key, use);
  }
  return [...uses.values()].map(({ name, description, calls: [first, ...others], href }) => {
    const place = others.length === 0 ? first : `${first} and ${others.length} more`;
    const meaning = description && `. ${description.replaceAll('`', '')}`;
    return [name, `${kind} of ${place}${meaning}`, href];
  });
}

/** Entries of the search by kind: operations, parameters and fields. */
export function searchEntries(document) {
  const all = operationsOf(document);
  const named = (of) =>
    all.flatMap(({ operation, ...at }) =>
      of(operation, document).map(([name, description]) => ({ ...at, name, description })),
    );
  return [
    all.map(({ operation, call, href }) => {
      const { operationId, summary, description, parameters, requestBody } = operation;
      const more = textOf({ parameters, requestBody }, document);
      return [summary, call, href, `${operationId} ${description ?? ''}`, more];
    }),
    entriesOf('Parameter', named(parametersOf)),
    entriesOf('Field', named(fieldsOf)),
  ];
}
