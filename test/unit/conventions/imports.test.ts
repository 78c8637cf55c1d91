import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../../src');

/** The groups of the source, from the bottom up. A group uses itself and the groups before it. */
const ORDER = [
  'core',
  'pallet',
  'messages',
  'access',
  'log',
  'dispatch',
  'delivery',
  'storage',
  'web',
  'retention',
  // The files of the first level: they wire all groups.
  '',
];
/** Groups that are not part of the Worker, with the other groups that they use. */
const APART: Record<string, string[]> = { client: [], cli: ['client', 'messages'] };
/** Files whose content a program writes to static assets, so the script of the Worker does not contain them. */
const OF_ASSETS = /^(messages\/locales\/.*|web\/docs\/(catalogue\.ts|operations\.json))$/;

/**
 * The roles that a file of a role may use, in its own folder and in others. Every role may use `core`,
 * `pallet` and `messages`.
 */
const ROLES: Record<string, string[]> = {
  table: ['table', 'rules'],
  rules: ['rules', 'schema', 'table'],
  schema: ['schema', 'rules', 'table'],
  store: ['store', 'rules', 'table', 'link', 'secret'],
  list: ['list', 'store', 'schema', 'rules', 'table'],
  commands: ['commands', 'store', 'rules', 'schema', 'table', 'secret'],
};
/** Groups without roles. */
const SHARED = ['core', 'pallet', 'messages'];
/** Roles that only certain files may use. */
const USED_BY: Record<string, string[]> = { routes: ['features', 'app'], pages: ['features'] };
/** Parts of commands play by the rules of commands. */
const PARTS_OF_COMMANDS = ['changes', 'members'];

interface Import {
  from: string;
  to: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.d)\.tsx?$/.test(file),
);
/** The relative paths that a file imports: at its start, for types, or later by `await import(…)`. */
const importedBy = (text: string): string[] =>
  [
    ...text.matchAll(/^(?:import|export)\s[^;]*?from\s+'(\.[^']+)'/gms),
    ...text.matchAll(/\bimport\(\s*'(\.[^']+)'/g),
  ].map(([, path]) => path!);
const imports: Import[] = files.flatMap((file) =>
  importedBy(readFileSync(join(SRC, file), 'utf8')).map((path) => ({
    from: file,
    to: relative(SRC, resolve(SRC, dirname(file), path)),
  })),
);

const group = (file: string): string => (file.includes('/') ? file.split('/')[0]! : '');
/** The role of a file is the last word of its name: `scan-rules.ts` are rules. */
function role(file: string): string {
  const last = file
    .replace(/^.*\//, '')
    .replace(/\.tsx?$/, '')
    .replace(/^.*-/, '');
  return PARTS_OF_COMMANDS.includes(last) ? 'commands' : last;
}

/** The groups that a group may use. */
function usableBy(name: string): string[] {
  return APART[name] ? [name, ...APART[name]] : ORDER.slice(0, ORDER.indexOf(name) + 1);
}

/** Why an import is forbidden; undefined where it is allowed. */
function forbidden({ from, to }: Import): string | undefined {
  if (OF_ASSETS.test(to)) return group(from) === 'cli' ? undefined : 'only cli may use texts of assets';
  if (!usableBy(group(from)).includes(group(to)))
    return `${group(from)} may not use ${group(to) || 'the wiring'}`;
  const shared = SHARED.includes(group(from)) || SHARED.includes(group(to));
  const allowed = group(from) === '' || shared ? undefined : ROLES[role(from)];
  if (allowed && !allowed.includes(role(to))) return `${role(from)} may not use ${role(to)}`;
  const users = USED_BY[role(to)];
  if (users && !users.includes(role(from))) return `only ${users.join(' and ')} may use ${role(to)}`;
  return undefined;
}

it('imports run down the order of the groups and of the roles', () => {
  const wrong = imports.flatMap((entry) => {
    const why = forbidden(entry);
    return why ? [`${entry.from} → ${entry.to}: ${why}`] : [];
  });
  expect(wrong).toEqual([]);
  expect(imports.length).toBeGreaterThan(1000);
});

it('the import test reads every way to import a file', () => {
  const text = `import { a } from './a.ts';
export { b } from './b.ts';
const { c } = await import('./c.ts');`;
  expect(importedBy(text)).toEqual(['./a.ts', './b.ts', './c.ts']);
});

it('the import test knows every group of the source', () => {
  const groups = new Set(files.map(group));
  expect([...groups].sort()).toEqual([...ORDER, ...Object.keys(APART)].sort());
});

it.each([
  ['a group above', 'access/user/store.ts', 'log/audit/store.ts', 'access may not use log'],
  ['the wiring', 'log/audit/store.ts', 'app.ts', 'log may not use the wiring'],
  ['the service from a program', 'cli/demo.ts', 'core/lib/id.ts', 'cli may not use core'],
  [
    'commands from rules',
    'dispatch/track/rules.ts',
    'dispatch/track/commands.ts',
    'rules may not use commands',
  ],
  ['translations', 'messages/load.ts', 'messages/locales/de.json', 'only cli may use texts of assets'],
  ['the lists of guides', 'web/docs/routes.ts', 'web/docs/catalogue.ts', 'only cli may use texts of assets'],
  [
    'routes from routes',
    'log/audit/routes.ts',
    'log/event/routes.ts',
    'only features and app may use routes',
  ],
  ['pages from pages', 'web/console/x/pages.tsx', 'web/console/y/pages.tsx', 'only features may use pages'],
])('the import test forbids an import of %s', (_, from, to, why) => {
  expect(forbidden({ from, to })).toBe(why);
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

it('the source has no circle of files', () => {
  expect(circles(imports)).toEqual([]);
});

it('the source has no circle of folders', () => {
  // A file of the first level is a folder by itself.
  const folderOf = (file: string): string => (file.includes('/') ? dirname(file) : file);
  const between = imports
    .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
    .filter(({ from, to }) => from !== to);
  expect(circles(between)).toEqual([]);
});

it('the import test finds a circle of three imports', () => {
  const [a, b, c] = ['a', 'b', 'c'];
  const arrows = [
    { from: a, to: b },
    { from: b, to: c },
    { from: c, to: b },
  ];
  expect(circles(arrows)).toEqual(['b → c → b']);
});
