import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type Crossing, compact, expanded, type Tree } from '../shapes.ts';

const ROOT = resolve(import.meta.dirname, '../..');

type Edit = (text: string) => string;

/** Replaces a text. @throws if it does not occur, because the source has changed: then choose another text here */
const without =
  (removed: string, rest = ''): Edit =>
  (text) => {
    if (!text.includes(removed))
      throw new Error(`test/skew/old.ts: the source has no ${JSON.stringify(removed)}`);
    return text.replace(removed, rest);
  };

/**
 * The version before this one, as edits of its files: it does not have the member `priority` of manifests, the command
 * `recordArrival`, and the value `PNG` of printing batches. Until there is a release, it stands for the last one.
 */
const EDITS: Record<string, Edit> = {
  'src/dispatch/load/manifest/rules.ts': without(
    "  priority: { choices: ['LOW', 'NORMAL', 'HIGH'], unset: 'NORMAL', about: 'How urgent it is' },\n",
  ),
  'src/dispatch/load/manifest/table.ts': without(
    "  priority: text('priority', { enum: MANIFEST_FACTS.priority.choices }).notNull().default('NORMAL'),\n",
  ),
  'src/features.ts': without(
    'shipmentBulk, shipmentLifecycle,',
    'shipmentBulk, (({ recordArrival, ...others }) => others)(shipmentLifecycle),',
  ),
  'src/dispatch/printing-batch/table.ts': without("'PNG', "),
  'src/core/writer/shapes.json': (text) => {
    const { request, outcome, commands } = expanded(JSON.parse(text));
    const { recordArrival, ...others } = commands;
    if (!recordArrival) throw new Error('test/skew/old.ts: there is no command recordArrival');
    const older = Object.entries(others).map(([name, [input, answer]]): [string, [Tree, Tree]] => [
      name,
      [olderShape(input), olderShape(answer)],
    ]);
    const crossing: Crossing<Tree> = { request, outcome, commands: Object.fromEntries(older) };
    return JSON.stringify(compact(crossing));
  },
  // Callers of that version do not set the member.
  'test/contract/operations.ts': without("      priority: 'HIGH',\n"),
};

function olderShape(shape: Tree): Tree {
  if (typeof shape === 'string') return shape;
  if (Array.isArray(shape)) return shape.filter((one) => one !== '=PNG').map(olderShape);
  const members = Object.entries(shape).filter(([name]) => name.replace('?', '') !== 'priority');
  return Object.fromEntries(members.map(([name, own]) => [name, olderShape(own)]));
}

/** The text of a file in the version before; undefined if the file is the same. */
export const olderText = (path: string, text: string): string | undefined =>
  EDITS[relative(ROOT, path.split('?')[0]!)]?.(text);

/** The files that the version before has in another form. */
export const OLDER_FILES = Object.keys(EDITS).map((path) => resolve(ROOT, path));

for (const path of OLDER_FILES)
  if (!existsSync(path)) throw new Error(`test/skew/old.ts: there is no ${path}`);
