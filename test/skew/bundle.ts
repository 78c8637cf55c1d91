import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { OLDER_FILES, olderText } from './old.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The modules that wrangler.toml replaces in the script. */
const REPLACED = new Map(
  [...readFileSync(join(ROOT, 'wrangler.toml'), 'utf8').matchAll(/^"([^"]+)" = "(\.\/src\/[^"]+)"$/gm)].map(
    ([, name, path]) => [name!, resolve(ROOT, path!)],
  ),
);

const worker: Plugin = {
  name: 'worker',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path }) => {
      const replaced = REPLACED.get(path);
      return replaced === undefined ? undefined : { path: replaced };
    });
    onResolve({ filter: /\/password-cost\.ts$/ }, () => ({
      path: join(ROOT, 'test/workerd/password-cost.ts'),
    }));
    onResolve({ filter: /^(node|cloudflare):/ }, ({ path }) => ({ path, external: true }));
  },
};

const older: Plugin = {
  name: 'older',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|json)$/ }, ({ path }) => {
      if (!OLDER_FILES.includes(path)) return undefined;
      const contents = olderText(path, readFileSync(path, 'utf8'))!;
      return { contents, loader: path.endsWith('.json') ? 'json' : 'ts', resolveDir: dirname(path) };
    });
  },
};

/** Bundle the Worker of this version, or of the version before. Returns the path of the script. */
export async function bundled(version: 'this' | 'before'): Promise<string> {
  const outfile = join(ROOT, 'node_modules/.cache/skew', `${version}.mjs`);
  await build({
    entryPoints: [join(ROOT, 'src/worker.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    define: { 'import.meta.url': "'file:///worker.js'" },
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: version === 'before' ? [older, worker] : [worker],
  });
  return outfile;
}
