/**
 * Puts what browsers load beside pages into `dist/assets`, which the Worker's static assets are served from: the files
 * of `src/{room}/assets` at `/assets/{room}/…`. Wrangler runs it as its build step, and so do the tests.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Every file of a room is revalidated when it is used: pages and what they load are always of one deployment. */
const HEADERS = `/assets/*
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
`;

/** Build the folder of assets; a file that is there already is replaced. */
export function buildAssets(): void {
  const target = join(root, 'dist/assets');
  mkdirSync(join(target, 'assets'), { recursive: true });
  for (const room of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    const from = join(root, 'src', room.name, 'assets');
    if (room.isDirectory() && existsSync(from))
      cpSync(from, join(target, 'assets', room.name), { recursive: true });
  }
  writeFileSync(join(target, '_headers'), HEADERS);
}

if (import.meta.main) buildAssets();
