import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newGate, newTenant, type Tenant } from '../workerd/client.ts';

/** The contract's case folding, implemented a second time. */
const fold = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** The identifiers of manifests, or WMS ids of tracks, that a search finds. */
async function found(
  tenant: Tenant,
  q: string,
  list: '/manifest' | '/track' = '/manifest',
): Promise<string[]> {
  const answer = await tenant.call('GET', `${list}?pageSize=100&q=${encodeURIComponent(q)}`);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const names = answer.body.content.map(
    (row: Record<string, string>) => row['externalIdentifier'] ?? row['wmsId'],
  );
  expect(answer.body.totalElements).toBe(names.length);
  return names.sort();
}

/** Create a tenant with manifests of these identifiers. */
async function withManifests(identifiers: Iterable<string>): Promise<Tenant> {
  const tenant = await newTenant();
  for (const externalIdentifier of identifiers) {
    const { status, body } = await tenant.call('POST', '/manifest', { externalIdentifier });
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
  return tenant;
}

describe('q', () => {
  it('q takes % and _ and other wildcards as plain characters', async () => {
    const names = [
      '100%',
      '100x',
      'a_b',
      'axb',
      'a*b',
      'a?b',
      'a[b]',
      'a\\b',
      "a'b",
      'a"b',
      'a b',
      'a+b',
      'a--b',
      '*',
    ];
    const tenant = await withManifests(names);
    for (const q of [
      '%',
      '_',
      '%%',
      '0%',
      'a_b',
      'a*b',
      '?',
      '[b]',
      '\\',
      "'",
      '"',
      ' ',
      '+',
      '--',
      '**',
      "' OR 1=1 --",
    ]) {
      expect([q, await found(tenant, q)]).toEqual([q, names.filter((name) => name.includes(q)).sort()]);
    }
  });

  it('q that is * alone or empty matches everything', async () => {
    const tenant = await withManifests(['a', 'b', '*']);
    expect([await found(tenant, '*'), await found(tenant, '')]).toEqual([
      ['*', 'a', 'b'],
      ['*', 'a', 'b'],
    ]);
  });

  it.each([
    ['É', 'é'],
    ['é', 'É'],
    ['E\u0301', 'é'],
    ['é', 'E\u0301'],
    ['ß', 'ss'],
    ['SS', 'ß'],
    ['STRASSE', 'Straße'],
    ['straße', 'STRASSE'],
    ['ﬁ', 'FI'],
    ['Ω', 'ω'],
    ['\u2126', 'ω'],
    ['Ж', 'ж'],
    ['Ǆ', 'ǆ'],
    ['ΐ', 'Ϊ́'],
    ['\u{10400}', '\u{10428}'],
    ['pAl', 'PaL'],
  ])('q %s finds %s, and the other way round', async (q, text) => {
    const tenant = await withManifests([`1 ${text} 2`, 'other', `3 ${q} 4`]);
    const both = [`1 ${text} 2`, `3 ${q} 4`].sort();
    expect([await found(tenant, q), await found(tenant, text)]).toEqual([both, both]);
  });

  it('q looks into each field alone and finds nothing across the end of a field', async () => {
    const tenant = await newTenant({ markerCodeStart: 1_000 });
    await newGate(tenant, 'G');
    await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'PALLET' });
    expect([await found(tenant, 'pallet', '/track'), await found(tenant, '1000', '/track')]).toEqual([
      ['PALLET'],
      ['PALLET'],
    ]);
    for (const separator of ['', ' ', '\n', '\t', '|', ',']) {
      expect([separator, await found(tenant, `LET${separator}10`, '/track')]).toEqual([separator, []]);
      const gates = await tenant.call('GET', `/gate?q=${encodeURIComponent(`G${separator}Gate`)}`);
      expect([separator, gates.body.totalElements]).toEqual([separator, 0]);
    }
  });

  it('q finds deleted rows only on request', async () => {
    const tenant = await withManifests(['gone', 'there']);
    await tenant.call('DELETE', '/manifest/gone');
    const asked = async (more: string) =>
      (await tenant.call('GET', `/manifest?q=e${more}`)).body.content.map(
        (row: { externalIdentifier: string; deleted: boolean }) => [row.externalIdentifier, row.deleted],
      );
    expect(await asked('')).toEqual([['there', false]]);
    expect((await asked('&includeDeleted=false')).length).toBe(1);
    expect((await asked('&includeDeleted=true')).sort()).toEqual([
      ['gone', true],
      ['there', false],
    ]);
  });
});

/** Characters that change in case, form or length when they are folded, and characters of any kind. */
const letter = fc.constantFrom(...'aAbBéÉßsSẞΣσςıIiİﬁǅæÆ%_*\\\'" \u0301\u0307\u{10400}\u{10428}\u{1f4e6}');
const anyText = fc
  .oneof(
    fc.string({ unit: letter, minLength: 1, maxLength: 12 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  )
  // The other texts are no identifiers.
  .filter((text) => text.isWellFormed() && !text.includes('\0') && !/^\.{1,2}$/.test(text));

/** Whether a path can contain a text. URL parsers remove some segments. */
const inPath = (text: string) => !/^(\.|%2e){1,2}$/i.test(text);

describe('for any text', () => {
  it('q finds exactly the rows that contain any given text, folded', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyText, { minLength: 1, maxLength: 15 }),
        fc.array(fc.tuple(anyText, fc.nat(), fc.nat(), fc.constantFrom('as it is', 'upper', 'lower')), {
          minLength: 1,
          maxLength: 15,
        }),
        async (names, searches) => {
          const tenant = await withManifests(names);
          for (const [text, start, length, way] of searches) {
            // Usually a part of an existing name.
            const characters = [...(start % 3 === 0 ? text : names[start % names.length]!)];
            const from = start % characters.length;
            const part = characters.slice(from, from + 1 + (length % 4)).join('');
            const q = way === 'upper' ? part.toUpperCase() : way === 'lower' ? part.toLowerCase() : part;
            const expected = names.filter((name) => q === '*' || fold(name).includes(fold(q))).sort();
            expect(await found(tenant, q)).toEqual(expected);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('any identifier is stored and returned exactly, and names its manifest in a path', async () => {
    const tenant = await newTenant();
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const identifier = `${text}${crypto.randomUUID().slice(0, 4)}`;
        const created = await tenant.call('POST', '/manifest', {
          externalIdentifier: identifier,
          assets: [text],
        });
        expect([created.status, created.body.externalIdentifier]).toEqual([201, identifier]);
        const read = await tenant.call('GET', `/manifest/${encodeURIComponent(identifier)}`);
        expect([read.status, read.body.uuid, read.body.externalIdentifier]).toEqual([
          200,
          created.body.uuid,
          identifier,
        ]);
        const located = await tenant.call('GET', created.headers.get('Location')!.replace(/^.*?\/v1/, ''));
        expect(located.body.uuid).toBe(created.body.uuid);
        const assets = await tenant.call('GET', `/manifest/${created.body.uuid}/asset`);
        expect(assets.body[0].trackIdentifier).toBe(text);
        if (!inPath(text)) return;
        const detached = await tenant.call(
          'DELETE',
          `/manifest/${created.body.uuid}/track-record/${encodeURIComponent(text)}`,
        );
        expect([text, detached.status]).toEqual([text, 200]);
      }),
      { numRuns: 150 },
    );
  });

  it('any custom field key and value are stored and returned exactly, and the filter finds them', async () => {
    const tenant = await newTenant();
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (key, value) => {
        fc.pre(value.trim() !== '');
        const { body } = await tenant.call('POST', '/manifest', {
          externalIdentifier: crypto.randomUUID(),
          customFields: [{ fieldKey: key, fieldValue: value }],
        });
        const read = await tenant.call('GET', `/manifest/${body.uuid}`);
        expect(read.body.customFields).toMatchObject([{ fieldKey: key, fieldValue: value }]);
        const filter = `customField=${encodeURIComponent(`${key}:${value}`)}`;
        // The filter is sent twice, because a single value is split at its commas.
        const filtered = await tenant.call('GET', `/manifest?pageSize=100&${filter}&${filter}`);
        expect(filtered.body.content.map((row: { uuid: string }) => row.uuid)).toContain(body.uuid);
      }),
      { numRuns: 60 },
    );
  });

  it('a filter of a custom field finds keys and values with colons', async () => {
    const tenant = await newTenant();
    const create = async (externalIdentifier: string, fields: Record<string, string>) => {
      const customFields = Object.entries(fields).map(([fieldKey, fieldValue]) => ({ fieldKey, fieldValue }));
      const { status } = await tenant.call('POST', '/manifest', { externalIdentifier, customFields });
      expect(status).toBe(201);
    };
    await create('A', { 'po:line': '4711' });
    await create('B', { po: 'line:4711', 'po:line': '4711' });
    await create('C', { po: 'line', 'po:line:': '4711' });
    await create('D', { ':a:': ':b', carrier: 'X' });
    const found = async (...filters: string[]) => {
      const query = filters.map((filter) => `&customField=${encodeURIComponent(filter)}`).join('');
      const { body } = await tenant.call('GET', `/manifest?sort.sortBy=externalIdentifier${query}`);
      return body.content.map(({ externalIdentifier }: { externalIdentifier: string }) => externalIdentifier);
    };
    expect(await found('po:line:4711')).toEqual(['A', 'B']);
    expect(await found('po:line:4711', 'carrier:X')).toEqual([]);
    expect(await found('po:line::4711', 'po:line')).toEqual(['C']);
    expect(await found(':a:::b', 'carrier:X', 'carrier:X')).toEqual(['D']);
    expect(await found(`po:${'x:'.repeat(500)}`)).toEqual([]);
    for (const filter of [':4711', 'po', ':']) {
      const { status } = await tenant.call('GET', `/manifest?customField=${encodeURIComponent(filter)}`);
      expect([filter, status]).toEqual([filter, 400]);
    }
  });
});
