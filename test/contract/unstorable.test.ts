import { describe, expect, it } from 'vitest';
import { operation, operations, takesFile } from './document.ts';
import { fieldsOf } from './fields.ts';
import { exampleOf } from './operations.ts';
import { problemFaults } from './problem.ts';
import { send, undocumented } from './request.ts';
import { storedState } from './state.ts';
import { newWorld } from './world.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const withBody = operations.filter((operated) => operated.body !== undefined && !takesFile(operated));

/** JSON with values that cannot be stored: Infinity, lone surrogates and NUL. */
const UNSTORABLE = [
  '1e400',
  '-1e400',
  '[1e400]',
  '{"a":1E400}',
  String.raw`"\ud800"`,
  String.raw`"\udc00x"`,
  String.raw`{"a":["b","\ud800"]}`,
  String.raw`{"\ud800":1}`,
  String.raw`[{"a\u0000":1}]`,
];
/** Every request here is refused and changes nothing, so one world is enough. */
const world = await newWorld();

describe('a value that cannot be stored', () => {
  it.each(withBody)(
    '$operationId refuses a value that cannot be stored in every field, also in ignored ones',
    async (operated) => {
      const before = await storedState(world.tenant);
      const { json } = exampleOf(operated, world.names);
      const found: string[] = [];
      for (const { name, set } of fieldsOf(operated, true)) {
        for (const value of UNSTORABLE) {
          const raw = JSON.stringify(set(json, 'HERE')).replace('"HERE"', () => value);
          const answer = await send(operated, world, { raw, headers: JSON_TYPE });
          const faults = [
            ...problemFaults(answer, 400, answer.body?.code),
            ...undocumented(operated, answer),
          ];
          const fields: string[] = (answer.body?.errors ?? []).map((item: { field: string }) => item.field);
          if (!fields.some((field) => field.startsWith(name))) faults.push(`names ${fields} instead`);
          found.push(...faults.map((fault) => `${name} ${value}: ${fault.slice(0, 300)}`));
        }
      }
      expect(found).toEqual([]);
      expect(await storedState(world.tenant)).toEqual(before);
    },
  );

  it.each(withBody)('$operationId refuses a whole body that cannot be stored', async (operated) => {
    for (const raw of UNSTORABLE) {
      const answer = await send(operated, world, { raw, headers: JSON_TYPE });
      expect([raw, problemFaults(answer, 400, answer.body?.code)]).toEqual([raw, []]);
    }
  });

  const createManifest = operation('createManifest');
  const sendRaw = (raw: string) => send(createManifest, world, { raw, headers: JSON_TYPE });

  it('a refusal names the path of each value that cannot be stored and repeats its number as sent', async () => {
    const { body } = await sendRaw(
      String.raw`{"externalIdentifier":"M","uuid":[{"a":-1e400},"\ud800"],"createDate":{"b\udc00":1},"updateDate":1e400}`,
    );
    const number = 'A number must be finite: at most 1.7976931348623157e308.';
    const text = 'Text has to be well-formed Unicode without NUL.';
    expect(body).toMatchObject({ status: 400, code: 'validationFailed' });
    const key = 'The name of a field has to be well-formed Unicode without NUL.';
    expect(
      body.errors.map((item: Record<string, unknown>) => [
        item['field'],
        item['message'],
        item['rejectedValue'],
      ]),
    ).toEqual([
      ['uuid[0].a', number, Number.NEGATIVE_INFINITY],
      ['uuid[1]', text, '\ufffd'],
      ['createDate.b\ufffd', key, 1],
      ['updateDate', number, Number.POSITIVE_INFINITY],
    ]);
  });

  it('a refusal reports a value that cannot be stored once, beside all other faults', async () => {
    const { body } = await sendRaw(String.raw`{"externalIdentifier":"\ud800","deepLink":1e400,"surprise":1}`);
    expect(body.code).toBe('validationFailed');
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'deepLink',
      'externalIdentifier',
      'surprise',
    ]);
  });
});
