import type { Result } from '../lib/asks.ts';
import type { Write } from '../lib/scope.ts';
import { joined, type Rendered, render } from '../lib/sql.ts';

/** A statement of a batch, and the places of the commands that it is for. */
export interface Merged {
  statement: Rendered;
  of: readonly number[];
}

/**
 * The statements of commands, as few as they can be. The first `apart` commands touch nothing in common, so that they can
 * be made in any order: of those that write alike the first statements go first, then the second ones, and so on, and such
 * as differ only in the rows they are given are one. Each of the others follows by itself.
 */
export function merged(parts: readonly (readonly Write[])[], apart: number): Merged[] {
  const statements = parts.map((part) => part.map(render));
  const groups: number[][] = [];
  for (const place of statements.keys()) {
    const group =
      place < apart && groups.find(([first]) => areAlike(statements[first!]!, statements[place]!));
    if (group) group.push(place);
    else groups.push([place]);
  }
  return groups.flatMap((places) =>
    statements[places[0]!]!.flatMap((_, at) =>
      inOne(places.map((place) => ({ statement: statements[place]![at]!, of: [place] }))),
    ),
  );
}

const areAlike = (one: readonly Rendered[], other: readonly Rendered[]): boolean =>
  one.length === other.length && one.every(({ text }, at) => text === other[at]!.text);

/** Statements with each that can be joined to the one before it joined to it. */
function inOne(all: readonly Merged[]): Merged[] {
  const fewer: Merged[] = [];
  for (const { statement, of } of all) {
    const last = fewer.at(-1);
    const both = last && joined(last.statement, statement);
    if (both) fewer[fewer.length - 1] = { statement: both, of: [...last.of, ...of] };
    else fewer.push({ statement, of });
  }
  return fewer;
}

/** What a command pays of a statement that is for so many: the first of them what is over. */
export function shareOf({ of }: Merged, place: number, { rowsRead, rowsWritten }: Result): Result {
  const part = (rows: number) => Math.floor(rows / of.length) + (of[0] === place ? rows % of.length : 0);
  return { rows: [], rowsRead: part(rowsRead), rowsWritten: part(rowsWritten) };
}
