/**
 * Puts what browsers load beside pages into `dist/assets`, which the Worker's static assets are served from: the files
 * of `src/{room}/assets` at `/assets/{room}/…`, and those of libraries. Wrangler runs it as its build step, and so do the
 * tests.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Every file of a room is revalidated when it is used: pages and what they load are always of one deployment. */
const HEADERS = `/assets/*
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
`;

/** Files of packages, by where they are served. */
const LIBRARIES: Record<string, { of: string; files: string[] }> = {
  'assets/docs/swagger-ui': {
    of: 'swagger-ui-dist',
    files: [
      'swagger-ui-bundle.js',
      'swagger-ui-bundle.js.LICENSE.txt',
      'swagger-ui.css',
      'LICENSE',
      'NOTICE',
    ],
  },
};

/** Build the folder of assets; a file that is there already is replaced. */
export function buildAssets(): void {
  const target = join(root, 'dist/assets');
  mkdirSync(join(target, 'assets'), { recursive: true });
  for (const room of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    const from = join(root, 'src', room.name, 'assets');
    if (room.isDirectory() && existsSync(from))
      cpSync(from, join(target, 'assets', room.name), { recursive: true });
  }
  for (const [place, { of, files }] of Object.entries(LIBRARIES)) {
    for (const file of files) cpSync(join(root, 'node_modules', of, file), join(target, place, file));
  }
  writeFileSync(join(target, '_headers'), HEADERS);
}

if (import.meta.main) buildAssets();
