import { describe, expect, it } from 'vitest';
import { importText, rendered } from '../../../src/cli/migration-text.ts';

describe('the rendering of a migration', () => {
  it.each<[name: string, text: string, expected: string]>([
    ['a comment in a line of its own', '-- It\'s; a "comment"\nSELECT 1;\n', 'SELECT 1;\n'],
    ['a comment after a statement', 'SELECT 1; -- one\nSELECT 2;', 'SELECT 1;\nSELECT 2;\n'],
    ['a comment between columns', 'SELECT a,\n  -- b; c\n\n  d;', 'SELECT a,\n  d;\n'],
    ['a comment at the end', 'SELECT 1;\n-- end', 'SELECT 1;\n'],
    ['a block comment', 'SELECT /* a;\n b */ 1;', 'SELECT 1;\n'],
    ['CRLF', 'SELECT 1;\r\n\r\nSELECT\r\n  2;\r\n', 'SELECT 1;\nSELECT\n  2;\n'],
    ['spaces at the end of a line', 'SELECT 1;  \n\tSELECT 2;', 'SELECT 1;\n\tSELECT 2;\n'],
    [
      'quoted text',
      `SELECT '-- a;\r\n\n''/* b', "c--d", [e--f], \`g--h\`;`,
      `SELECT '-- a;\r\n\n''/* b', "c--d", [e--f], \`g--h\`;\n`,
    ],
    [
      'BEGIN on a line of its own',
      'CREATE TRIGGER t AFTER INSERT ON a\n-- why\nBEGIN\n  SELECT 1;\nEND;',
      'CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  SELECT 1;\nEND;\n',
    ],
    [
      'words that contain BEGIN',
      'SELECT a\n  beginning, begin_date;',
      'SELECT a\n  beginning, begin_date;\n',
    ],
    ['nothing but a comment', '-- nothing', '\n'],
  ])('the rendering handles %s', (_name, text, expected) => {
    expect(rendered(text)).toBe(expected);
    expect(rendered(rendered(text))).toBe(expected);
  });

  it('the file of an import contains the migration and its entry in the ledger', () => {
    expect(importText("0001_o'ne.sql", 'SELECT 1; -- one')).toMatch(
      /^CREATE TABLE IF NOT EXISTS "d1_migrations"\([^;]+\);\nSELECT 1;\nINSERT INTO "d1_migrations" \(name\) VALUES \('0001_o''ne\.sql'\);\n$/,
    );
  });
});
