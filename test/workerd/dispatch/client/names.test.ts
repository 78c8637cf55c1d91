import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newTenant } from '../../client.ts';
import { request, writerOf } from '../../core/writer/requests.ts';
import { create, items, outcome, remove, rename } from './calls.ts';

describe('names in use', () => {
  it.each([
    ['Acme', 'ACME'],
    ['Café', 'CAFE\u0301'],
    ['Straße', 'STRASSE'],
    ['İstanbul', 'i\u0307STANBUL'],
    ['ΟΔΟΣ', 'οδος'],
  ])('%s and %s are the same client name, in either field', async (one, other) => {
    const tenant = await newTenant();
    const made = (await create(tenant, one, one)).body;
    const displayName = await create(tenant, other, 'free');
    expect(outcome(displayName)).toEqual([409, 'displayNameInUse']);
    expect(items(displayName)).toEqual([['displayName', 'displayNameInUse', other]]);
    const externalId = await create(tenant, 'free', other);
    expect(outcome(externalId)).toEqual([409, 'externalIdInUse']);
    expect(items(externalId)).toEqual([['externalId', 'externalIdInUse', other]]);
    expect(items(await create(tenant, other, other))).toEqual([
      ['displayName', 'displayNameInUse', other],
      ['externalId', 'externalIdInUse', other],
    ]);
    expect((await tenant.call('GET', '/client')).body.content).toEqual([made]);
  });

  it('each client name is compared in its own field only', async () => {
    const tenant = await newTenant();
    await create(tenant, 'A', 'B');
    expect((await create(tenant, 'B', 'A')).status).toBe(201);
  });

  it("two names that other clients use are both reported, and the client's own are not", async () => {
    const tenant = await newTenant();
    await create(tenant, 'One', '1');
    await create(tenant, 'Two', 'two');
    const { uuid } = (await create(tenant, 'Three', '3')).body;
    const refused = await rename(tenant, '3', 'ONE', 'TWO');
    expect([refused.status, items(refused)]).toEqual([
      409,
      [
        ['displayName', 'displayNameInUse', 'ONE'],
        ['externalId', 'externalIdInUse', 'TWO'],
      ],
    ]);
    expect(items(await rename(tenant, '3', 'Three', 'TWO'))).toEqual([
      ['externalId', 'externalIdInUse', 'TWO'],
    ]);
    const cased = await rename(tenant, '3', 'THREE', '3');
    expect([cased.status, cased.body.displayName, cased.body.uuid]).toEqual([200, 'THREE', uuid]);
  });

  it('a client name is free again after deletion or renaming', async () => {
    const tenant = await newTenant();
    const first = (await create(tenant, 'Acme', 'A-1')).body;
    expect((await remove(tenant, 'a-1')).body).toEqual({});
    const second = await create(tenant, 'ACME', 'a-1');
    expect(second.status).toBe(201);
    expect(second.body.uuid).not.toBe(first.uuid);
    await rename(tenant, 'a-1', 'Other', 'O-1');
    expect((await create(tenant, 'acme', 'A-1')).status).toBe(201);
    expect(outcome(await create(tenant, 'other', 'o-1'))).toEqual([409, 'displayNameInUse']);
  });

  it('one of many concurrent requests gets a client name', async () => {
    const tenant = await newTenant();
    const forms = ['Straße', 'STRASSE', 'strasse', 'StraSSe', 'strAße'];
    const answers = await Promise.all(forms.map((form, index) => create(tenant, form, `E${index}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const externals = await Promise.all(forms.map((form, index) => create(tenant, `D${index}`, form)));
    expect(externals.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await tenant.call('GET', '/client')).body.totalElements).toBe(2);
  });

  it('one of two writers that read before either wrote gets a client name', async () => {
    const tenant = await newTenant();
    const writers = [writerOf(tenant), writerOf(tenant)];
    // After a first write, both writers know the end of the log.
    for (const [index, writer] of writers.entries()) {
      await writer.execute(request('createClient', { displayName: `w${index}`, externalId: `w${index}` }));
    }
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.all(
        writers.map((writer, index) =>
          writer.execute(
            request('createClient', {
              displayName: index === 0 ? `É${round}` : `é${round}`,
              externalId: `${round}.${index}`,
            }),
          ),
        ),
      );
      expect(
        outcomes.map((found) => (found.kind === 'refused' ? found.refusal.code : found.kind)).sort(),
      ).toEqual(['displayNameInUse', 'done']);
    }
    expect((await tenant.call('GET', '/client')).body.totalElements).toBe(7);
  });
});

describe('for any history', () => {
  const letter = fc.constantFrom(
    'a',
    'A',
    'é',
    'E\u0301',
    'ß',
    'ss',
    'S',
    'İ',
    'i\u0307',
    'Σ',
    'σ',
    'ς',
    '%',
  );
  const name = fc.array(letter, { minLength: 1, maxLength: 2 }).map((letters) => letters.join(''));
  const step = fc.record({
    action: fc.constantFrom('create' as const, 'create' as const, 'put' as const, 'delete' as const),
    displayName: name,
    externalId: name,
    at: fc.nat(),
  });
  const fold = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

  it('client names follow a plain model of folded names for any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const tenant = await newTenant();
        const model = new Map<string, { displayName: string; externalId: string }>();
        for (const { action, displayName, externalId, at: position } of steps) {
          const [own] = [...model.keys()].slice(position % Math.max(1, model.size));
          const others = [...model].filter(([uuid]) => action === 'create' || uuid !== own);
          const conflicts = (
            [
              ['displayName', 'displayNameInUse', displayName],
              ['externalId', 'externalIdInUse', externalId],
            ] as const
          ).filter(([field, , value]) => others.some(([, row]) => fold(row[field]) === fold(value)));
          const identifier = own === undefined ? 'nobody' : model.get(own)!.externalId.toUpperCase();
          const answer =
            action === 'create'
              ? await create(tenant, displayName, externalId)
              : action === 'put'
                ? await rename(tenant, identifier, displayName, externalId)
                : await remove(tenant, identifier);
          if (action !== 'create' && own === undefined) expect(answer.status).toBe(404);
          else if (action === 'delete') {
            expect(answer.status).toBe(200);
            model.delete(own!);
          } else if (conflicts.length > 0) expect([answer.status, items(answer)]).toEqual([409, conflicts]);
          else {
            expect(answer.status).toBe(action === 'create' ? 201 : 200);
            if (action === 'put') expect(answer.body.uuid).toBe(own);
            model.set(answer.body.uuid, { displayName, externalId });
          }
        }
        const { body } = await tenant.call('GET', '/client?pageSize=100');
        expect(
          Object.fromEntries(
            body.content.map((row: Record<string, string>) => [
              row['uuid'],
              { displayName: row['displayName'], externalId: row['externalId'] },
            ]),
          ),
        ).toEqual(Object.fromEntries(model));
      }),
      { numRuns: 40 },
    );
  });
});
