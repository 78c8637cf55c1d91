import type { AskResult } from '../lib/asks.ts';
import type { Write } from '../lib/scope.ts';
import { mergedStatement, type Rendered, render } from '../lib/sql.ts';

/** A statement of a batch, and the indexes of its commands. */
export interface Merged {
  statement: Rendered;
  of: readonly number[];
}

/**
 * Merge the statements of several commands into as few as possible. The first `apart` commands have no conflict key in
 * common, so their statements may run in any order. They are grouped by the texts of their statements. Within a group,
 * the first statements are placed together, then the second ones, and so on. Neighbours that differ only in their rows
 * become one statement. Statements of the other commands follow unmerged.
 */
export function merged(parts: readonly (readonly Write[])[], apart: number): Merged[] {
  const statements = parts.map((part) => part.map(render));
  const groups: number[][] = [];
  for (const index of statements.keys()) {
    const group =
      index < apart && groups.find(([first]) => areAlike(statements[first!]!, statements[index]!));
    if (group) group.push(index);
    else groups.push([index]);
  }
  return groups.flatMap((indexes) =>
    statements[indexes[0]!]!.flatMap((_, at) =>
      inOne(indexes.map((index) => ({ statement: statements[index]![at]!, of: [index] }))),
    ),
  );
}

const areAlike = (one: readonly Rendered[], other: readonly Rendered[]): boolean =>
  one.length === other.length && one.every(({ text }, at) => text === other[at]!.text);

/** Merge each statement with the one before it if possible. */
function inOne(all: readonly Merged[]): Merged[] {
  const fewer: Merged[] = [];
  for (const { statement, of } of all) {
    const last = fewer.at(-1);
    const both = last && mergedStatement(last.statement, statement);
    if (both) fewer[fewer.length - 1] = { statement: both, of: [...last.of, ...of] };
    else fewer.push({ statement, of });
  }
  return fewer;
}

/**
 * A command's share of the rows that a merged statement read and wrote: equal parts, and the remainder for the first
 * command.
 */
export function shareOf({ of }: Merged, index: number, { rowsRead, rowsWritten }: AskResult): AskResult {
  const part = (rows: number) => Math.floor(rows / of.length) + (of[0] === index ? rows % of.length : 0);
  return { rows: [], rowsRead: part(rowsRead), rowsWritten: part(rowsWritten) };
}
