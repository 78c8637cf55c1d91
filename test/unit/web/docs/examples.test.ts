import { expect, it } from 'vitest';
import { PROBLEMS } from '../../../../src/core/lib/problem.ts';
import { EVENT_TYPES } from '../../../../src/log/event/table.ts';
import { type Document, faults } from '../../../contract/schema.ts';
import { document, EXCHANGES, placed } from './document.ts';

const isJson = (type: string): boolean => /[/+]json$/.test(type);

/** Every example of the document, with its location and its schema. */
function* examplesOf(): Generator<{ at: string; schema: Document; value: unknown }> {
  const hooks = Object.entries<Document>(document.webhooks).map(([path, { post }]) => ({
    path,
    operation: post,
  }));
  for (const { path, operation } of [...placed, ...hooks]) {
    for (const { name, schema, example } of operation.parameters ?? []) {
      if (example !== undefined) yield { at: `${path} ${name}`, schema, value: example };
    }
    const parts: Document[] = [operation.requestBody, ...Object.values(operation.responses)];
    for (const { schema, examples = {} } of parts.flatMap((part) =>
      Object.values<Document>(part?.content ?? {}),
    )) {
      for (const [name, example] of Object.entries<Document>(examples)) {
        const value = example.$ref
          ? document.components.examples[example.$ref.split('/').at(-1)].value
          : example.value;
        yield { at: `${operation.operationId} ${name}`, schema, value };
      }
    }
  }
}

it('every operation has an example of its request and of every success', () => {
  const without = placed.flatMap(({ operation }) => {
    const { operationId, parameters = [], requestBody, responses } = operation;
    const named = parameters.filter(
      (parameter: Document) => parameter.in === 'path' && parameter.example === undefined,
    );
    const contents: [string, Document][] = [
      ['body', requestBody?.content],
      ...Object.entries<Document>(responses).map(([status, { content }]): [string, Document] => [
        status,
        content,
      ]),
    ];
    return [
      ...named.map(({ name }: Document) => `${operationId} ${name}`),
      ...contents
        .filter(([, content]) =>
          Object.entries<Document>(content ?? {}).some(
            ([type, { examples }]) => isJson(type) && !type.includes('problem') && !examples,
          ),
        )
        .map(([what]) => `${operationId} ${what}`),
    ];
  });
  const how = 'add a step to test/e2e/docs/day-*.ts, then npm run test:e2e -- test/e2e/docs -u';
  expect(without, how).toEqual([]);
  expect(Object.keys(EXCHANGES).sort()).toEqual(placed.map(({ operation }) => operation.operationId).sort());
});

it('every example matches its schema', () => {
  const all = [...examplesOf()];
  expect(
    all.flatMap(({ at, schema, value }) => faults(document, schema, value).map((fault) => `${at} ${fault}`)),
  ).toEqual([]);
  expect(all.length).toBeGreaterThan(300);
});

it('the example check finds a wrong example', () => {
  const { schema, value } = [...examplesOf()].find(({ at }) => at.startsWith('getManifest '))!;
  expect(faults(document, schema, { ...(value as object), tracksCount: '2' })).toHaveLength(1);
  expect(faults(document, schema, { ...(value as object), surprise: 2 })).toHaveLength(1);
});

it('the document lists every problem code', () => {
  const failures = placed.flatMap(({ operation }) =>
    Object.entries<Document>(operation.responses).filter(([status]) => Number(status) >= 400),
  );
  const codes = new Set(
    failures.flatMap(([, { description }]) =>
      [...description.matchAll(/^`(\w+)`: /gm)].map(([, code]: string[]) => code),
    ),
  );
  // Codes that only items of a batch have (`ofItems`), and codes that only pages show (`ofPages`).
  const ofItems = ['manifestNotPlanned', 'manifestInAnotherShipment', 'manifestRepeated', 'rolledBack'];
  const ofPages = [
    ...['signInFailed', 'permissionRequired', 'crossOriginRefused', 'formExpired', 'inviteNotFound'],
    ...[
      'upgradeRequired',
      'tabletRevoked',
      'workerRequired',
      'workerGone',
      'tabletNotFound',
      'workerNotFound',
    ],
    ...[
      'signingLinkUsed',
      'tabletLinkUsed',
      'tabletLimitReached',
      'workerNameInUse',
      'workerCodeInUse',
      'workerLimitReached',
    ],
  ];
  const unlisted = Object.keys(PROBLEMS).filter((code) => !codes.has(code));
  expect(unlisted.sort()).toEqual([...ofItems, ...ofPages].sort());
});

it('every event type is a webhook of the document with a payload', () => {
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES, 'WEBHOOK_TEST', 'EPCIS_2_0']);
  for (const [eventType, { post }] of Object.entries<Document>(document.webhooks)) {
    const [example] = Object.values<Document>(post.requestBody.content['application/json'].examples);
    expect(example.value.eventType ?? 'EPCIS_2_0').toBe(eventType);
  }
});

/** The first answer of an operation in the dispatch day. */
const answerOf = (operationId: string): Document => EXCHANGES[operationId]![0]!.answer;

it('the examples use the same identifiers from the marker to the truck', () => {
  const [couple] = EXCHANGES['coupleTrack'] as Document[];
  const [create] = EXCHANGES['createManifest'] as Document[];
  const [ship] = EXCHANGES['createShipment'] as Document[];
  const [scan] = EXCHANGES['recordScan'] as Document[];
  expect(answerOf('allocateMarkers').entries.map(({ markerCode }: Document) => markerCode)).toContain(
    couple.body.markerCode,
  );
  expect(couple.answer.track).toMatchObject({ wmsId: couple.body.wmsId, markerCode: couple.body.markerCode });
  expect(create.body.assets).toContain(couple.body.wmsId);
  expect(ship.body.manifests).toEqual([{ manifestExternalId: create.body.externalIdentifier }]);
  expect(EXCHANGES['assignShipmentGate']![0]!.params['gateExternalId']).toBe(scan.params.gateExternalId);
  expect(scan.body.markerCode).toBe(couple.body.markerCode);
  expect(scan.answer).toMatchObject({
    manifestExternalId: create.body.externalIdentifier,
    trackIdentifier: couple.body.wmsId,
    outcome: 'LOADED',
  });
  expect(answerOf('getShipment')).toMatchObject({
    externalIdentifier: ship.body.identifier,
    status: 'COMPLETED',
  });
  expect(answerOf('getManifest')).toMatchObject({ uuid: create.answer.uuid, manifestStatus: 'COMPLETED' });
});
