import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { buildAssets } from '../../../src/cli/assets.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const CONSOLE = join(ROOT, 'dist/assets/assets/console');
const SCRIPTS = readdirSync(join(ROOT, 'src/web/console/assets')).filter((name) => name.endsWith('.js'));

/** The files that a script imports, as written in its imports. */
const importsOf = (path: string): string[] =>
  [...readFileSync(join(CONSOLE, path), 'utf8').matchAll(/^(?:\} from|import) "\.\/(.+?)";$/gm)].map(
    ([, name]) => name!,
  );

it('the build step of wrangler works if the first node on the path is too old for TypeScript', () => {
  const home = mkdtempSync(join(tmpdir(), 'dispatch-node-'));
  try {
    const old = join(home, 'node');
    writeFileSync(old, `#!/bin/sh\ncase "$1" in *.ts) exit 9;; esac\nexec '${process.execPath}' "$@"\n`);
    chmodSync(old, 0o755);
    const { build } = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') }) as {
      build: { command: string };
    };
    const others = process.env['PATH']!.split(delimiter).filter((path) => !path.includes('node_modules'));
    const env = { ...process.env, PATH: [home, ...others].join(delimiter) };
    expect(spawnSync(old, ['src/cli/assets.ts'], { cwd: ROOT, env }).status).toBe(9);
    const { status, stderr } = spawnSync(build.command, { cwd: ROOT, env, shell: true, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  } finally {
    rmSync(home, { recursive: true });
  }
});

describe('the scripts of pages', () => {
  beforeAll(buildAssets);

  it.each(SCRIPTS)('%s names all its modules, so that a page has them after two round trips', (script) => {
    const named = importsOf(script);
    expect(named.filter((path) => !path.startsWith('shared/'))).toEqual([]);
    const behind = named.flatMap((path) => importsOf(path).map((name) => `shared/${name}`));
    expect(behind.filter((path) => !named.includes(path))).toEqual([]);
    expect(named.length).toBeLessThanOrEqual(8);
  });

  it('bundles put shared code into files whose names no other build has used', () => {
    const shared = join(CONSOLE, 'shared');
    const before = readdirSync(shared);
    writeFileSync(join(shared, 'chunk-OF-BEFORE.js'), '');
    buildAssets();
    expect(readdirSync(shared).toSorted()).toEqual(before.toSorted());
  });

  it('only files with a hash in their names are immutable, and a missing file never is', () => {
    const rules = readFileSync(join(ROOT, 'dist/assets/_headers'), 'utf8').split(/^(?=\/)/m);
    const cached = rules.filter((rule) => rule.includes('Cache-Control'));
    const named = readdirSync(join(CONSOLE, 'shared')).map((name) => `/assets/console/shared/${name}`);
    expect(named.filter((path) => !/-[A-Z0-9]{8}\.js$/.test(path))).toEqual([]);
    // A rule with a wildcard would also apply to a 404.
    expect(cached.map((rule) => rule.split('\n')[0]).toSorted()).toEqual(named.toSorted());
    for (const rule of cached)
      expect(rule).toContain('\n  Cache-Control: public, max-age=31536000, immutable\n');
    // Cloudflare refuses more than 100 rules.
    expect(rules.length).toBeLessThanOrEqual(100);
  });

  it('the build serves bundled scripts only, and the service worker of gates by itself', () => {
    expect(existsSync(join(CONSOLE, 'words.js'))).toBe(false);
    const worker = readFileSync(join(CONSOLE, 'gate-worker.js'), 'utf8');
    expect(worker).not.toMatch(/^\s*(import|export)\b/m);
  });

  it('the build serves every style sheet and picture, and drops files of earlier builds', () => {
    const stale = join(CONSOLE, 'of-before.css');
    writeFileSync(stale, '');
    buildAssets();
    expect(existsSync(stale)).toBe(false);
    for (const folder of ['console', 'pages', 'docs']) {
      const files = readdirSync(join(ROOT, 'src/web', folder, 'assets'), {
        recursive: true,
        encoding: 'utf8',
      });
      const plain = files.filter((name) => /\.(css|svg|yml)$/.test(name));
      expect(plain.length).toBeGreaterThan(0);
      expect(plain.filter((name) => !existsSync(join(CONSOLE, '..', folder, name)))).toEqual([]);
    }
  });
});
