import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS, migratedDatabase } from '../../../migrations.ts';

const FILE = '0082_long_jobs.sql';
const [before, [migration]] = [
  MIGRATIONS.filter(({ file }) => file < FILE),
  MIGRATIONS.filter(({ file }) => file === FILE),
];

let database: DatabaseSync;
const rows = (text: string) => database.prepare(text).all();
const run = (text: string, ...values: (string | number | null)[]) => database.prepare(text).run(...values);

// The statements of the version before.
const insertMove = (uuid: string, organization: string, phase: string, finishDate: number | null = null) =>
  run(
    `INSERT INTO relocation (uuid, organization_uuid, from_name, to_name, phase, progress, phase_date, create_date,
      update_date, finish_date) SELECT ?, ?, 'DB', 'DB_1', ?, '{}', 1, 1, 1, ?`,
    ...[uuid, organization, phase, finishDate],
  );
const insertTransfer = (uuid: string, organization: string, type: string, phase: string, input: string) =>
  run(
    `INSERT INTO organization_job (uuid, organization_uuid, slug, operation_type, phase, input, progress, create_date,
      update_date) SELECT ?, ?, ?, ?, ?, ?, '{}', 1, 1`,
    ...[uuid, organization, `slug of ${organization}`, `ORGANIZATION_${type}`, phase, input],
  );
const note = (table: string, uuid: string, phase: string, progress: object, error: string | null = null) =>
  run(
    `UPDATE ${table} SET phase = ?2, progress = ?3, update_date = 9, finish_date = iif(?2 = 'DONE', 9, NULL),
      error_code = ?4, error_message = ?4 WHERE uuid = ?1`,
    ...[uuid, phase, JSON.stringify(progress), error],
  );

const SHARED =
  'uuid, organization_uuid, phase, progress, claim, error_code, error_message, update_date, finish_date';
/** The jobs as the version before reads them, and as this version does. */
const former = () =>
  rows(`SELECT ${SHARED}, from_name, to_name, phase_date, NULL AS slug, 'ORGANIZATION_MOVE' AS type FROM relocation
    UNION ALL SELECT ${SHARED}, NULL, NULL, NULL, slug, operation_type FROM organization_job ORDER BY uuid`);
const current = () =>
  rows(`SELECT ${SHARED}, input ->> 'fromName' AS from_name, input ->> 'toName' AS to_name,
      iif(operation_type = 'ORGANIZATION_MOVE', phase_date, NULL) AS phase_date, input ->> 'slug' AS slug,
      operation_type AS type FROM long_job ORDER BY uuid`);

const IMPORT = JSON.stringify({ objectKey: 'import/i', databaseName: 'DB_1', listTotals: [] });

describe('The migration to one table of jobs', () => {
  beforeEach(() => {
    database = new DatabaseSync(':memory:');
    for (const { text } of before!) database.exec(text);
  });

  it('The migration copies open and past jobs with their phases, progress, claims and errors', () => {
    insertMove('m1', 'a', 'DONE', 5);
    insertMove('m2', 'a', 'COPYING');
    run(
      `UPDATE relocation SET claim = 'c', progress = '{"table":3,"after":["x"]}', phase_date = 4 WHERE uuid = 'm2'`,
    );
    insertTransfer('i', 'b', 'IMPORT', 'IMPORTING', IMPORT);
    note('organization_job', 'i', 'IMPORTING', { offset: 7 });
    insertTransfer('j', 'c', 'IMPORT', 'IMPORTING', IMPORT);
    note('organization_job', 'j', 'CLEARING', {}, 'importFailed');
    insertTransfer('e', 'd', 'ERASURE', 'CLEARING', 'null');
    database.exec(migration!.text);
    expect(current()).toEqual(former());
    expect(current().map(({ uuid, phase, progress }) => [uuid, phase, progress])).toEqual([
      ['e', 'CLEARING', '{}'],
      ['i', 'IMPORTING', '{"offset":7}'],
      ['j', 'CLEARING', '{}'],
      ['m1', 'DONE', '{}'],
      ['m2', 'COPYING', '{"table":3,"after":["x"]}'],
    ]);
    const inputs = rows("SELECT input FROM long_job WHERE uuid IN ('e', 'i', 'm2') ORDER BY uuid");
    expect(inputs.map(({ input }) => JSON.parse(String(input)))).toEqual([
      { slug: 'slug of d' },
      { ...JSON.parse(IMPORT), slug: 'slug of b' },
      { fromName: 'DB', toName: 'DB_1' },
    ]);
  });

  it('The migration leaves out an open move of an organization that is being erased', () => {
    insertMove('m', 'a', 'ABANDONED');
    insertTransfer('e', 'a', 'ERASURE', 'CLEARING', 'null');
    database.exec(migration!.text);
    expect(current().map(({ uuid }) => uuid)).toEqual(['e']);
  });
});

describe('The tables of the version before', () => {
  beforeEach(() => {
    database = migratedDatabase();
  });

  it('The former tables and the one table are equal after each write of the version before', () => {
    const writes = (write: () => unknown) => {
      write();
      expect(current()).toEqual(former());
    };
    writes(() => insertMove('m', 'a', 'EMPTYING'));
    writes(() => run("UPDATE relocation SET claim = 'c', update_date = 2 WHERE uuid = 'm'"));
    writes(() => note('relocation', 'm', 'COPYING', { table: 1 }));
    writes(() => run("UPDATE relocation SET phase_date = 3 WHERE uuid = 'm'"));
    writes(() => note('relocation', 'm', 'DONE', {}, 'moveFailed'));
    writes(() => insertTransfer('i', 'b', 'IMPORT', 'IMPORTING', IMPORT));
    writes(() => run("UPDATE organization_job SET claim = 'c', update_date = 2 WHERE uuid = 'i'"));
    writes(() => note('organization_job', 'i', 'IMPORTING', { offset: 7 }));
    writes(() => note('organization_job', 'i', 'CLEARING', {}, 'importFailed'));
    writes(() => insertTransfer('e', 'c', 'ERASURE', 'CLEARING', 'null'));
    writes(() => note('organization_job', 'e', 'DONE', {}));
    expect(current()).toHaveLength(3);
    writes(() => run("DELETE FROM relocation WHERE organization_uuid = 'a'"));
    writes(() => run("DELETE FROM organization_job WHERE organization_uuid = 'b'"));
    expect(current()).toHaveLength(1);
  });

  it('The former tables and the one table are equal after each write of this version', () => {
    const writes = (write: () => unknown) => {
      write();
      expect(former()).toEqual(current());
    };
    const insert = (uuid: string, type: string, phase: string, input: string) =>
      run(
        `INSERT INTO long_job (uuid, organization_uuid, operation_type, phase, input, progress, phase_date, create_date,
          update_date) VALUES (?1, ?1, ?2, ?3, ?4, '{}', 1, 1, 1)`,
        ...[uuid, `ORGANIZATION_${type}`, phase, input],
      );
    writes(() => insert('m', 'MOVE', 'EMPTYING', '{"fromName":"DB","toName":"DB_1"}'));
    writes(() => run("UPDATE long_job SET claim = 'c', update_date = 2 WHERE uuid = 'm'"));
    writes(() => note('long_job', 'm', 'COPYING', { table: 1 }));
    writes(() => run("UPDATE long_job SET phase_date = 3 WHERE uuid = 'm'"));
    writes(() => note('long_job', 'm', 'DONE', {}, 'moveFailed'));
    writes(() => insert('i', 'IMPORT', 'IMPORTING', JSON.stringify({ ...JSON.parse(IMPORT), slug: 's' })));
    writes(() => note('long_job', 'i', 'CLEARING', {}, 'importFailed'));
    writes(() => insert('e', 'ERASURE', 'CLEARING', '{"slug":"t"}'));
    // The version before takes an erasure with an input for an import.
    expect(rows("SELECT input FROM organization_job WHERE uuid = 'e'")).toEqual([{ input: 'null' }]);
    expect(former()).toHaveLength(3);
    writes(() => run("DELETE FROM long_job WHERE uuid IN ('m', 'i')"));
    expect(former()).toHaveLength(1);
  });

  it('A job is not changed by a claim that the other version has replaced', () => {
    insertMove('m', 'a', 'EMPTYING');
    run("UPDATE relocation SET claim = 'old' WHERE uuid = 'm'");
    run("UPDATE long_job SET claim = 'new' WHERE uuid = 'm'");
    const late = run("UPDATE relocation SET phase = 'COPYING' WHERE uuid = 'm' AND claim = 'old'");
    expect(late.changes).toBe(0);
    expect(current()).toMatchObject([{ phase: 'EMPTYING', claim: 'new' }]);
  });

  it.each(['relocation', 'long_job'])('A second open job of an organization in %s is refused', (table) => {
    insertTransfer('e', 'a', 'ERASURE', 'CLEARING', 'null');
    const insert = {
      relocation: () => insertMove('m', 'a', 'EMPTYING'),
      long_job: () =>
        run(
          `INSERT INTO long_job SELECT 'm', organization_uuid, 'ORGANIZATION_MOVE', 'EMPTYING', '{}', '{}', NULL, NULL,
            NULL, 1, 1, 1, NULL FROM long_job`,
        ),
    }[table]!;
    expect(insert).toThrow('UNIQUE constraint failed: long_job.organization_uuid');
    expect(current()).toEqual(former());
  });
});
