import type { Env } from '../../core/env.ts';
import type { OpenApiDocument } from '../../core/http/openapi.ts';
import { isUuid } from '../../core/lib/id.ts';
import { type Exchange, type Exchanges, readExchanges } from './exchanges.ts';

type Operation = OpenApiDocument['paths'][string];

/** An exchange of the day with its operation. */
interface Step extends Exchange {
  method: string;
  path: string;
  operation: Operation;
}

/** A value of an answer that later requests need: the step of the answer, and a script expression that reads it. */
interface Source {
  step: Step;
  read: string;
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const MARKER_CODE = /^1\d{9}$/;

/** Statuses of steps that some services refuse, such as a service with one database or without a dead letter. */
const MAY_REFUSE: Record<string, number[]> = {
  moveOrganization: [400],
  getOperatorOperation: [404],
  updateDatabase: [404],
  resendDeadLetter: [404],
  // Erasure happens in the background.
  importOrganization: [409],
  // The collection contains no image.
  addPhoto: [415],
  addPhotoAtGate: [415],
  getPhoto: [404],
  getPhotoBytes: [404],
  deletePhoto: [404],
  // No work is old enough within a day.
  getArchived: [404],
};

/** An answer text that another operation takes as its body, and the variable that stores it. */
const TEXTS = { from: 'exportOrganization', to: 'importOrganization', variable: 'exported' };

/** The Postman collection of `/openapi.json`: the recorded day in its order, in organizations that it creates. */
export async function postmanCollection(
  { paths, components }: OpenApiDocument,
  env: Pick<Env, 'ASSETS'>,
): Promise<object> {
  const steps = stepsOf(paths, await readExchanges(env));
  const sources = new Map<string, Source>();
  const tokens: [string, Source][] = [];
  const captured = new Map<Source, string>();
  const variable = (source: Source): string => {
    const name = captured.get(source) ?? `v${captured.size + 1}`;
    captured.set(source, name);
    return name;
  };
  /** Replace a value in a request by the variable of an earlier answer, if it came from one. */
  const withVariables = (value: string): string => {
    const source =
      sources.get(value) ?? tokens.find(([url]) => value.length > 20 && url.includes(`/${value}`))?.[1];
    return source ? `{{${variable(source)}}}` : value;
  };
  const issued = new Map<number, string>();
  const items = steps.map((step) => {
    const request = requestOf(step, components['securitySchemes'], withVariables, issued);
    // Values of examples written by hand are in no real answer.
    if (step.order) remember(step, step.answer, 'json', sources, tokens);
    if (step.order && holds(step.answer, 'secret')) {
      const kind = step.operation.operationId === 'createAccessToken' ? 'accessToken' : 'apiKey';
      const others = [...issued.values()].filter((name) => name.startsWith(kind)).length;
      if (/^create(ApiKey|AccessToken)$/.test(step.operation.operationId))
        issued.set(step.order, others === 0 ? kind : `${kind}${others + 1}`);
    }
    return { step, request };
  });
  return {
    info: {
      name: 'Warehouse Dispatch',
      description:
        'A dispatch day through every operation. It creates its own organizations: set `operatorKey`.',
      schema: SCHEMA,
    },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8787' },
      ...['apiKey', 'accessToken', 'operatorKey', 'run'].map((key) => ({ key, value: '' })),
    ],
    event: [
      scripted('prerequest', [
        `if (!pm.variables.get('run')) pm.environment.set('run', Date.now().toString(36));`,
      ]),
    ],
    item: items.map(({ step, request }, index) => ({
      name: `${String(index + 1).padStart(3, '0')} ${step.summary} (${step.operation.operationId})`,
      request,
      event: [scripted('test', testOf(step, captured, issued.get(step.order ?? -1)))],
    })),
  };
}

const scripted = (listen: string, exec: string[]) => ({ listen, script: { type: 'text/javascript', exec } });

const holds = (answer: unknown, field: string): boolean =>
  typeof answer === 'object' && answer !== null && field in answer;

/** All exchanges in order. Exchanges without a position come last. */
function stepsOf(paths: OpenApiDocument['paths'], recorded: Exchanges): Step[] {
  const steps = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries<Operation>(item).flatMap(([method, operation]) =>
      (recorded[operation.operationId] ?? []).map((exchange) => ({ ...exchange, method, path, operation })),
    ),
  );
  return steps.sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0);
}

/** Record the places of all values of an answer that later requests may use. */
function remember(
  step: Step,
  value: unknown,
  read: string,
  sources: Map<string, Source>,
  tokens: [string, Source][],
): void {
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) remember(step, part, `${read}[${index}]`, sources, tokens);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      remember(step, part, `${read}[${JSON.stringify(key)}]`, sources, tokens);
    }
  } else if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if ((isUuid(text) || MARKER_CODE.test(text)) && !sources.has(text)) sources.set(text, { step, read });
    const [, url] = /^https?:(.*\/public\/shipment-summary\/.*)$/.exec(text) ?? [];
    if (url) tokens.push([url, { step, read: `${read}.split('/').at(-1)` }]);
  }
}

function requestOf(
  step: Step,
  schemes: Record<string, { name: string }>,
  withVariables: (value: string) => string,
  issued: Map<number, string>,
): object {
  const { method, path, params, query, body, operation, credential } = step;
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) =>
      segment.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = withVariables(params[name] ?? '');
        return value.startsWith('{{') ? value : encodeURIComponent(value);
      }),
    );
  const asked = Object.entries(query).map(([key, value]) => ({
    key,
    value: key === 'slug' ? `${value}-{{run}}` : withVariables(value),
  }));
  const scheme = (operation.security ?? []).flatMap((one: object) => Object.keys(one))[0];
  // Examples written by hand come last, when the first key is revoked.
  const last = step.order ? undefined : [...issued.values()].findLast((name) => name.startsWith(scheme));
  const secret = (credential && issued.get(credential)) || last || scheme;
  const text = operation.operationId === TEXTS.to ? `{{${TEXTS.variable}}}` : undefined;
  const raw = text ?? (body === undefined ? undefined : textOf(step, withVariables));
  const search = asked.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    method: method.toUpperCase(),
    header: [
      ...(scheme ? [{ key: schemes[scheme]!.name, value: `{{${secret}}}` }] : []),
      ...(raw === undefined
        ? []
        : [{ key: 'Content-Type', value: text ? 'application/x-ndjson' : 'application/json' }]),
    ],
    url: {
      raw: `{{baseUrl}}/${segments.join('/')}${search === '' ? '' : `?${search}`}`,
      host: ['{{baseUrl}}'],
      path: segments,
      ...(asked.length === 0 ? {} : { query: asked }),
    },
    ...(raw === undefined ? {} : { body: { mode: 'raw', raw } }),
    description: operation.summary,
  };
}

/** The text of a body with variables. Variables in place of numbers have no quotes. */
function textOf({ body, operation }: Step, withVariables: (value: string) => string): string {
  const own = operation.operationId === 'updateDatabase' ? { open: true } : body;
  const text = JSON.stringify(
    own,
    (key, value) => {
      if (key === 'slug') return `${value}-{{run}}`;
      if (typeof value === 'string') return withVariables(value);
      if (typeof value !== 'number') return value;
      const name = withVariables(String(value));
      return name.startsWith('{{') ? `#${name}#` : value;
    },
    2,
  );
  return text.replace(/"#(\{\{\w+\}\})#"/g, '$1');
}

/** The assertions on an answer, and the values stored from it. */
function testOf(step: Step, captured: Map<Source, string>, credential: string | undefined): string[] {
  const expected = [step.status, ...(MAY_REFUSE[step.operation.operationId] ?? [])];
  const kept = [...captured].filter(([source]) => source.step === step);
  const sets = [
    ...kept.map(([{ read }, name]) => `pm.environment.set('${name}', ${read});`),
    ...(credential ? [`pm.environment.set('${credential}', json.secret);`] : []),
  ];
  const keeps = step.operation.operationId === TEXTS.from;
  return [
    ...(keeps ? [`pm.environment.set('${TEXTS.variable}', pm.response.text());`] : []),
    `pm.test('is answered ${expected.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${expected.join(', ')}]));`,
    ...(sets.length === 0
      ? []
      : [
          'if (pm.response.code < 300) {',
          '  const json = pm.response.json();',
          ...sets.map((set) => `  ${set}`),
          '}',
        ]),
  ];
}
