import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchCondition } from '../../../../src/core/http/list-statements.ts';
import { Database } from '../../../../src/core/lib/database.ts';
import type { Write } from '../../../../src/core/lib/scope.ts';
import { forD1 } from '../../../../src/core/lib/sql.ts';
import { foldNames, type NameOwners, nameConflicts } from '../../../../src/dispatch/client/rules.ts';
import { client, clientReferenceQuery, nameOwnersQuery } from '../../../../src/dispatch/client/store.ts';
import { migratedDatabase } from '../../../migrations.ts';

/** The contract's case folding, implemented a second time. */
const folded = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Letters that change in case, length or form when they are folded, and wildcards of SQL. */
const letter = fc.constantFrom(...'aAéÉßsSẞİiIıΣσς%_*\\\'"', 'e\u0301', 'I\u0307', '\u0307', 'ﬁ', 'ǅ', '📦');
const name = fc
  .oneof(
    fc.array(letter, { minLength: 1, maxLength: 4 }).map((letters) => letters.join('')),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
  )
  .filter((text) => text.isWellFormed() && !text.includes('\0'));
const names = fc.record({ displayName: name, externalId: name });

interface Row {
  uuid: string;
  displayName: string;
  externalId: string;
  deleted: boolean;
}

/** A migrated database. It is made only once, because that takes longer than all tests. */
const sqlite = migratedDatabase();

/** Empty the tables. @returns the statements of the service. */
function emptyDatabase() {
  if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
  sqlite.exec('BEGIN');
  const scope = new Database('organization', undefined as never);
  const run = <T>(statement: Write): T[] => {
    const { text, params } = forD1(statement);
    return sqlite.prepare(text).all(...(params as string[])) as T[];
  };
  return { run, scope };
}

const insert = ({ run, scope }: ReturnType<typeof emptyDatabase>, row: Omit<Row, 'deleted'>) => {
  for (const write of scope.insert(client, [{ ...row, ...foldNames(row), createDate: 1, updateDate: 1 }])) {
    run(write);
  }
};

describe('names of clients', () => {
  it.each([
    ['É', 'é'],
    ['E\u0301', 'é'],
    ['Straße', 'STRASSE'],
    ['ß', 'ss'],
    ['İ', 'i\u0307'],
    ['İ', 'I\u0307'],
    ['Σ', 'ς'],
    ['σ', 'ς'],
    ['ΣΑΣ', 'σασ'],
    ['ﬁ', 'FI'],
    ['\u{10400}', '\u{10428}'],
  ])('client names %s and %s are the same', (one, other) => {
    const of = (text: string) => foldNames({ displayName: text, externalId: text });
    expect(of(one)).toEqual(of(other));
  });

  it.each([
    ['e', 'é'],
    ['İ', 'i'],
    ['ı', 'İ'],
    ['ss', 's'],
    ['a', 'a '],
    ['a_b', 'axb'],
  ])('client names %s and %s differ', (one, other) => {
    const of = (text: string) => foldNames({ displayName: text, externalId: text });
    expect(of(one).foldedDisplayName).not.toBe(of(other).foldedDisplayName);
    expect(of(one).foldedExternalId).not.toBe(of(other).foldedExternalId);
  });

  it('client names fold as the contract says, each alone', () => {
    fc.assert(
      fc.property(names, (given) => {
        expect(foldNames(given)).toEqual({
          foldedDisplayName: folded(given.displayName),
          foldedExternalId: folded(given.externalId),
        });
      }),
    );
  });

  it('client names conflict with the names of other clients, and both conflicts are reported', () => {
    const holder = fc.constantFrom(null, 'own', 'other');
    fc.assert(
      fc.property(
        names,
        fc.record({ displayName: holder, externalId: holder }),
        fc.constantFrom(null, 'own'),
        (given, holders, own) => {
          const items = nameConflicts(given, holders, own).map(({ field, code, rejectedValue }) => [
            field,
            code,
            rejectedValue,
          ]);
          const taken = (held: string | null) => held === 'other' || (held === 'own' && own === null);
          expect(items).toEqual([
            ...(taken(holders.displayName) ? [['displayName', 'displayNameInUse', given.displayName]] : []),
            ...(taken(holders.externalId) ? [['externalId', 'externalIdInUse', given.externalId]] : []),
          ]);
        },
      ),
    );
  });
});

describe('clients of an organization', () => {
  it('the rule and the index agree that a folded client name exists once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.boolean()), { minLength: 2, maxLength: 12 }), (wanted) => {
        const database = emptyDatabase();
        const model: Row[] = [];
        wanted.forEach(([given, deletesFirst], index) => {
          const live = () => model.filter(({ deleted }) => !deleted);
          if (deletesFirst && live().length > 0) {
            const gone = live()[index % live().length]!;
            gone.deleted = true;
            database.run(database.scope.update(client, { deletedDate: 2 }, sql`uuid = ${gone.uuid}`));
          }
          const row = { uuid: `c${index}`, ...given };
          const taken = (field: 'displayName' | 'externalId') =>
            live().some((other) => folded(other[field]) === folded(given[field]));
          const [holders] = database.run<NameOwners>(nameOwnersQuery(database.scope, given));
          const conflicts = nameConflicts(given, holders!, null).map(({ field }) => field);
          expect(conflicts).toEqual((['displayName', 'externalId'] as const).filter(taken));
          if (conflicts.length > 0) expect(() => insert(database, row)).toThrow(/UNIQUE constraint/);
          else {
            insert(database, row);
            model.push({ ...row, deleted: false });
          }
        });
      }),
      { numRuns: 150 },
    );
  });

  it('clients are found by external id, then uuid, in any case, and by a part of either name', () => {
    fc.assert(
      fc.property(
        fc.array(names, { minLength: 1, maxLength: 8 }),
        fc.array(fc.tuple(name, fc.nat(), fc.nat(), fc.constantFrom('asItIs', 'upper', 'lower')), {
          minLength: 1,
          maxLength: 8,
        }),
        (wanted, searches) => {
          const database = emptyDatabase();
          const model: Row[] = [];
          wanted.forEach((given, index) => {
            const taken = model.some(
              (row) =>
                folded(row.displayName) === folded(given.displayName) ||
                folded(row.externalId) === folded(given.externalId),
            );
            // One client has the uuid of the first one as its name.
            const row = { uuid: `c${index}`, ...given, ...(index === 3 ? { externalId: 'C0' } : {}) };
            if (taken || (index === 3 && model.some(({ externalId }) => folded(externalId) === 'c0'))) return;
            insert(database, row);
            model.push({ ...row, deleted: false });
          });
          for (const [text, start, length, way] of searches) {
            const source = start % 3 === 0 ? text : Object.values(model[start % model.length]!).join('');
            const from = start % source.length;
            const part = start % 3 === 0 ? text : source.slice(from, from + 1 + (length % 4));
            if (!part.isWellFormed()) continue;
            const q = way === 'upper' ? part.toUpperCase() : way === 'lower' ? part.toLowerCase() : part;
            const condition =
              searchCondition([sql`folded_display_name`, sql`folded_external_id`], q) ?? sql`TRUE`;
            const found = database.run<{ uuid: string }>(
              sql`SELECT uuid FROM client WHERE ${condition} ORDER BY uuid`,
            );
            const contains = (value: string) => q === '*' || folded(value).includes(folded(q));
            const expected = model.filter((row) => contains(row.displayName) || contains(row.externalId));
            expect(found.map(({ uuid }) => uuid)).toEqual(expected.map(({ uuid }) => uuid));
            const named =
              model.find(({ externalId }) => folded(externalId) === folded(q)) ??
              model.find(({ uuid }) => uuid === folded(q));
            const [client] = database.run<{ uuid: string }>(clientReferenceQuery(database.scope, q));
            expect(client?.uuid).toBe(named?.uuid);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
