import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../../src');
/** Folders that are no modules: they hold what modules stand on. */
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
/** All imports count, those of types as well. */
const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(SRC, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s[^;]*?from\s+'(\.[^']+)'/gms)].map(([, path]) => ({
    from: file,
    to: relative(SRC, resolve(SRC, dirname(file), path!)),
  }));
});
const folder = (file: string): string => (file.includes('/') ? file.split('/')[0]! : '');
/** What a file is for: `scan-rules.ts` are rules. Parts of commands play by the rules of commands. */
const role = (file: string): string => {
  const name = file.replace(/^.*\//, '').replace(/\.tsx?$/, '');
  const last = name.replace(/^.*-/, '');
  return ['changes', 'edit', 'find', 'members'].includes(last) ? 'commands' : last;
};

/** What a file of a role may use, of its own folder and of others. */
const MAY_USE: Record<string, string[]> = {
  rules: ['rules', 'schema', 'table'],
  table: ['table', 'rules'],
  schema: ['schema', 'rules', 'table'],
  list: ['list', 'store', 'schema', 'rules', 'table'],
  store: ['store', 'rules', 'table', 'link', 'secret'],
  commands: ['commands', 'store', 'rules', 'schema', 'table', 'secret'],
};

function forbidden({ from, to }: Import): string | undefined {
  const [here, there] = [folder(from), folder(to)];
  if (here === 'kit') return there === here ? undefined : 'the kit stands by itself';
  if (PROGRAMS.has(here))
    return there === here || there === 'kit' ? undefined : 'a program is a client of the API only';
  if (here === 'lib' && there !== 'lib') return 'lib knows no other folder';
  if (here === 'http' && !FOUNDATION.has(there) && there !== '') return 'http knows no module';
  if (here === 'writer' && there !== 'writer' && there !== 'lib') return 'the writer knows no module';
  const may = MAY_USE[role(from)];
  if (may && here !== '' && !FOUNDATION.has(here) && !FOUNDATION.has(there) && !may.includes(role(to))) {
    return `${role(from)} may not use ${role(to)}`;
  }
  if (there === '' && here !== '' && to !== 'env.ts') return 'modules do not know who wires them';
  if (role(to) === 'routes' && here !== '') return 'only the app wires routes';
  if (role(to) === 'pages' && from !== 'console/routes.ts') return 'only the console wires its pages';
  if (from.startsWith('console/kit/') && there === 'console' && !to.startsWith('console/kit/'))
    return 'the kit of pages knows no page';
  if (there === 'console' && here !== 'console' && here !== '')
    return 'pages stand on modules, not modules on pages';
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

/** The circles that a walk along these arrows meets, each once. */
function circles(arrows: readonly Import[]): string[] {
  const graph = Map.groupBy(arrows, ({ from }) => from);
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (node: string, path: string[]): void => {
    if (path.includes(node)) {
      found.push([...path.slice(path.indexOf(node)), node].join(' → '));
      return;
    }
    if (done.has(node)) return;
    for (const { to } of graph.get(node) ?? []) walk(to, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return found;
}

it('has no circle of files', () => {
  expect(circles(imports)).toEqual([]);
});

it('has no circle of folders', () => {
  // What wires modules is a folder by itself.
  const place = (file: string): string => (file.includes('/') ? dirname(file) : file);
  const between = imports
    .map(({ from, to }) => ({ from: place(from), to: place(to) }))
    .filter(({ from, to }) => from !== to);
  expect(circles(between)).toEqual([]);
});

it('finds a circle', () => {
  const [a, b, c] = ['a', 'b', 'c'];
  const arrows = [
    { from: a, to: b },
    { from: b, to: c },
    { from: c, to: b },
  ];
  expect(circles(arrows)).toEqual(['b → c → b']);
});
