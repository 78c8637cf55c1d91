/**
 * Puts what browsers and documents load into `dist/assets`, which the Worker's static assets are served from: the files
 * of `src/{folder}/assets` at `/assets/{folder}/…`, fonts, the library that draws the reference, and the guides as HTML.
 * Wrangler runs it as its build step, and so do the tests.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { dictionary } from '@zxcvbn-ts/language-common';
import { renderGuides } from './guides.ts';

const root = resolve(import.meta.dirname, '../..');

/** Every file of a folder is revalidated when it is used: pages and what they load are always of one deployment. */
const HEADERS = `/assets/*
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
/assets/console/gate-worker.js
  Service-Worker-Allowed: /app/gate/
`;

/** Files of packages, by where they are served. */
const PACKAGED: Readonly<Record<string, string>> = {
  'console/zxing/es/reader/index.js': 'zxing-wasm/dist/es/reader/index.js',
  'console/zxing/es/share.js': 'zxing-wasm/dist/es/share.js',
  'console/zxing/reader/zxing_reader.wasm': 'zxing-wasm/dist/reader/zxing_reader.wasm',
  'console/zxing/LICENSE': 'zxing-wasm/LICENSE',
  'console/icu/format.js': 'icu-minify/dist/esm/production/format.js',
  // The part that it shares with what parses: its name changes with the version, and the build fails then.
  'console/icu/types-DqTLNw7x.js': 'icu-minify/dist/esm/production/types-DqTLNw7x.js',
  'console/icu/LICENSE': 'icu-minify/LICENSE',
  'fonts/NotoSans-Regular.ttf': '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  'fonts/NotoSans-Bold.ttf': '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
  'docs/swagger-ui/swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
  'docs/swagger-ui/swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
  'docs/swagger-ui/swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'docs/swagger-ui/LICENSE': 'swagger-ui-dist/LICENSE',
  'docs/swagger-ui/NOTICE': 'swagger-ui-dist/NOTICE',
};

/** Characters of the common passwords that are listed: shorter ones are refused whatever they are. */
const COMMON_MINIMUM = 8;

/** Build the folder of assets; a file that is there already is replaced, if it is another. */
export function buildAssets(): void {
  const target = join(root, 'dist/assets');
  const serve = (path: string, content: string | Buffer) => put(join(target, 'assets', path), content);
  for (const folder of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    const from = join(root, 'src', folder.name, 'assets');
    if (!folder.isDirectory() || !existsSync(from)) continue;
    for (const file of readdirSync(from, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (file.isFile() && !path.endsWith('.d.ts'))
        serve(join(folder.name, relative(from, path)), readFileSync(path));
    }
  }
  for (const [path, file] of Object.entries(PACKAGED))
    serve(path, readFileSync(join(root, 'node_modules', file)));
  // Parts of pages, so not named `.html`, which the assets would answer for by themselves.
  for (const { name, html } of renderGuides(join(root, 'src/docs/guides'))) {
    serve(`docs/guides/${name}.txt`, html);
  }
  const common = dictionary['passwords-common'].filter((password) => [...password].length >= COMMON_MINIMUM);
  serve('user/common-passwords.txt', common.join('\n'));
  put(join(target, '_headers'), HEADERS);
}

/** Put a file in its place, whole at once: others may build, or read, the same folder at that moment. */
function put(path: string, content: string | Buffer): void {
  const bytes = Buffer.from(content);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  const made = `${path}.${process.pid}`;
  writeFileSync(made, bytes);
  renameSync(made, path);
}

if (import.meta.main) buildAssets();
