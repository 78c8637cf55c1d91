import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDER = resolve(ROOT, 'node_modules/.cache');
/** Libraries also decide the result of a check. */
const LIBRARIES = resolve(ROOT, 'package-lock.json');

/**
 * The items that passed a slow check, by hash, so that the next run checks only new items. The hash includes the files that
 * decide the result. A run without the file, such as in CI, checks everything.
 */
export class Passed {
  readonly #file: string;
  readonly #version: string;
  readonly #before: ReadonlySet<string>;
  readonly #now = new Set<string>();

  /** `checkers` are the paths of the code of the check. */
  constructor(file: string, checkers: readonly string[]) {
    this.#file = resolve(FOLDER, file);
    this.#version = hashOf([LIBRARIES, ...checkers].map((path) => readFileSync(path, 'utf8')));
    this.#before = new Set(hashesIn(this.#file));
  }

  /** Return the faults of an item. It is not checked if an equal item has passed. */
  async faultsOf(item: unknown, check: () => string[] | Promise<string[]>): Promise<string[]> {
    const hash = hashOf([this.#version, item]);
    const faults = this.#before.has(hash) ? [] : await check();
    if (faults.length === 0) this.#now.add(hash);
    return faults;
  }

  /** Remember the items of this run that passed, and forget all others. */
  save(): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    const written = `${this.#file}.${process.pid}`;
    writeFileSync(written, JSON.stringify([...this.#now]));
    renameSync(written, this.#file);
  }
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64');

function hashesIn(file: string): string[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as string[];
  } catch {
    return [];
  }
}
