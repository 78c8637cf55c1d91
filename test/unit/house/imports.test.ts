import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../../src');
/** Folders that are no rooms: they hold what rooms stand on. */
const FOUNDATION = new Set(['http', 'lib', 'writer']);
/** Folders whose files may be started by themselves. */
const PROGRAMS = new Set(['local']);

interface Import {
  from: string;
  to: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.d)\.tsx?$/.test(file),
);
const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(SRC, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+'(\.[^']+)'/gms)]
    .filter(([, typeOnly]) => !typeOnly)
    .map(([, , path]) => ({ from: file, to: relative(SRC, resolve(SRC, dirname(file), path!)) }));
});
const room = (file: string): string => (file.includes('/') ? file.split('/')[0]! : '');
/** What a file is for: `scan-rules.ts` are rules. Parts of commands play by the rules of commands. */
const role = (file: string): string => {
  const name = file.replace(/^.*\//, '').replace(/\.tsx?$/, '');
  const last = name.replace(/^.*-/, '');
  return ['changes', 'edit', 'find', 'members'].includes(last) ? 'commands' : last;
};

/** What a file of a role may use, of its own room and of others. */
const MAY_USE: Record<string, string[]> = {
  rules: ['rules', 'schema', 'table'],
  table: ['table', 'rules'],
  schema: ['schema', 'rules', 'table'],
  list: ['list', 'store', 'schema', 'rules', 'table'],
  store: ['store', 'rules', 'table', 'link', 'secret'],
  commands: ['commands', 'store', 'rules', 'schema', 'table', 'secret'],
};

function forbidden({ from, to }: Import): string | undefined {
  const [here, there] = [room(from), room(to)];
  if (PROGRAMS.has(here)) return there === here ? undefined : 'a program is a client of the API only';
  if (here === 'lib' && there !== 'lib') return 'lib knows no other folder';
  if (here === 'http' && !FOUNDATION.has(there) && there !== '') {
    return role(to) === 'store' ? 'http knows no store' : 'http knows no room';
  }
  if (here === 'writer' && there !== 'writer' && there !== 'lib') return 'the writer knows no room';
  const may = MAY_USE[role(from)];
  if (may && here !== '' && !FOUNDATION.has(here) && !FOUNDATION.has(there) && !may.includes(role(to))) {
    return `${role(from)} may not use ${role(to)}`;
  }
  if (role(to) === 'routes' && here !== '') return 'only the app wires routes';
  if (role(to) === 'pages' && from !== 'console/routes.ts') return 'only the console wires its pages';
  if (there === 'console' && here !== 'console' && here !== '')
    return 'pages stand on rooms, not rooms on pages';
  return undefined;
}

it('imports run one way', () => {
  const wrong = imports.flatMap((entry) => {
    const why = forbidden(entry);
    return why ? [`${entry.from} → ${entry.to}: ${why}`] : [];
  });
  expect(wrong).toEqual([]);
  expect(imports.length).toBeGreaterThan(100);
});

it('has no circle of imports', () => {
  const graph = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const { to } of graph.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  expect(circles).toEqual([]);
});
