/**
 * Writes the files that browsers and documents load to `dist/assets`, the folder of the Worker's static assets. These
 * are the files of `src/web/{folder}/assets` at `/assets/{folder}/…`, fonts, the library that draws the reference, the
 * guides as HTML, and the messages of each language except English. Wrangler runs it as its build step. The tests run it, too.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { dictionary } from '@zxcvbn-ts/language-common';
import { buildSync } from 'esbuild';
import { searchEntries } from './guide-search.ts';
import { renderGuides } from './guides.ts';
import { TRANSLATED, translationOf } from './locales.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * The platform serves files without the Worker, with these headers. By default browsers revalidate a file when they use
 * it, so a page and its files are of one deployment. Strict-Transport-Security is missing, because a rule cannot depend
 * on the scheme. Every page sends it.
 */
const HEADERS = `/assets/*
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
/assets/console/gate-worker.js
  Service-Worker-Allowed: /app/gate/
`;

/**
 * The headers of files that never change, because their names contain a hash of their content. A rule for the whole
 * folder would also apply to a 404. Browsers would then keep the 404 of a file that the next deployment has.
 */
const immutable = (paths: readonly string[]): string =>
  paths.map((path) => `/assets/${path}\n  Cache-Control: public, max-age=31536000, immutable\n`).join('');

/** Files of packages, by the path at which they are served. */
const PACKAGED: Readonly<Record<string, string>> = {
  'console/zxing/zxing_reader.wasm': 'zxing-wasm/dist/reader/zxing_reader.wasm',
  'console/zxing/LICENSE': 'zxing-wasm/LICENSE',
  'console/icu/LICENSE': 'icu-minify/LICENSE',
  'fonts/NotoSans-Regular.ttf': '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  'fonts/NotoSans-Bold.ttf': '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
  'docs/swagger-ui/swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
  'docs/swagger-ui/swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
  'docs/swagger-ui/swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'docs/swagger-ui/LICENSE': 'swagger-ui-dist/LICENSE',
  'docs/swagger-ui/NOTICE': 'swagger-ui-dist/NOTICE',
};

/** The folders whose `assets` are served. */
const WEB = join(root, 'src/web');
/** The scripts of pages, and the service worker of gates. Folders below contain the files that they import. */
const SCRIPTS = join(WEB, 'console/assets');
/** The folder of the files that several scripts share. */
const SHARED = 'shared';

/** The minimum length of the common passwords in the list. Shorter passwords are refused anyway. */
const COMMON_MINIMUM = 8;

/**
 * The scripts of `SCRIPTS`, bundled, by the path at which they are served. Code that several of them share is in files
 * of its own, named by their content. Each script names these files itself, so a page has its scripts after two round
 * trips.
 */
function bundledScripts(): { path: string; contents: Uint8Array }[] {
  const { outputFiles } = buildSync({
    absWorkingDir: SCRIPTS,
    entryPoints: readdirSync(SCRIPTS).filter((name) => name.endsWith('.js')),
    outdir: '.',
    chunkNames: `${SHARED}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles.map(({ path, contents }) => ({ path: relative(SCRIPTS, path), contents }));
}

/** Build the folder of assets. An existing file is replaced if its content differs. */
export function buildAssets(): void {
  const target = join(root, 'dist/assets');
  const served = new Set<string>();
  const serve = (path: string, content: string | Uint8Array) => {
    served.add(path);
    put(join(target, 'assets', path), content);
  };
  for (const folder of readdirSync(WEB, { withFileTypes: true })) {
    const from = join(WEB, folder.name, 'assets');
    if (!folder.isDirectory() || !existsSync(from)) continue;
    for (const file of readdirSync(from, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (file.isFile() && !(from === SCRIPTS && /\.(js|d\.ts)$/.test(path)))
        serve(join(folder.name, relative(from, path)), readFileSync(path));
    }
  }
  const scripts = bundledScripts().map((script) => ({ ...script, path: join('console', script.path) }));
  for (const { path, contents } of scripts) serve(path, contents);
  for (const [path, file] of Object.entries(PACKAGED))
    serve(path, readFileSync(join(root, 'node_modules', file)));
  // Parts of pages. With `.html` in their names, the static assets would serve them as pages.
  const guides = renderGuides(join(root, 'src/web/docs/guides'));
  for (const { name, html } of guides) serve(`docs/guides/${name}.txt`, html);
  serve('docs/search.json', JSON.stringify(searchEntries(guides)));
  for (const language of TRANSLATED)
    serve(`messages/${language}.json`, JSON.stringify(translationOf(language)));
  const common = dictionary['passwords-common'].filter((password) => [...password].length >= COMMON_MINIMUM);
  serve('user/common-passwords.txt', common.join('\n'));
  const shared = scripts.map(({ path }) => path).filter((path) => path.startsWith(`console/${SHARED}/`));
  put(join(target, '_headers'), `${HEADERS}${immutable(shared)}`);
  drop(join(target, 'assets'), served);
}

/** Write a file in one step. Other processes may build or read the same folder at that moment. */
function put(path: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  const made = `${path}.${process.pid}`;
  writeFileSync(made, bytes);
  renameSync(made, path);
}

/** Delete the files of earlier builds. Another process may be building: its unfinished files end in its process id. */
function drop(folder: string, served: ReadonlySet<string>): void {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(file.parentPath, file.name));
    if (file.isFile() && !served.has(path) && !/\.\d+$/.test(path))
      rmSync(join(folder, path), { force: true });
  }
}

if (import.meta.main) buildAssets();
