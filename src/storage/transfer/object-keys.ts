import { Buffer } from 'node:buffer';
import type { TenantRows } from '../../access/database/tenant.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { newUuid } from '../../core/lib/id.ts';
import { objectPrefix } from '../../core/lib/object-prefix.ts';
import { declareReader } from '../../core/lib/reader.ts';
import { KEY_BYTES_MAXIMUM } from '../../dispatch/calibration/objects.ts';
import type { Values } from './kinds.ts';

/** Whether a key is below a prefix, also for a reader who interprets `..` or `\`. */
export function isBelow(prefix: string, key: string): boolean {
  const parts = key.slice(prefix.length).split('/');
  return (
    key.startsWith(prefix) &&
    Buffer.byteLength(key) <= KEY_BYTES_MAXIMUM &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no key has
    !/[\\\u0000-\u001f\u007f]/.test(key) &&
    parts.every((part) => !['', '.', '..'].includes(part))
  );
}

/** Reads which files the rows of an export name. Their new keys are kept until the end of the import. */
const filesReader = declareReader('objects of an export', { files: 50_000 });

/**
 * The keys of objects in an export. An export could name objects of other organizations. So calibration files get new
 * keys, and archives must have a key of the organization. Only objects with these keys (each once) and objects below
 * the prefix are accepted.
 */
export class ObjectKeys {
  readonly #organization: string;
  /** Part of the new keys, so that nobody can know them before. */
  readonly #version = newUuid();
  readonly #budget = filesReader.budget();
  /** The new keys of the objects that rows have named, and whether the object has arrived. */
  readonly #hasArrived = new Map<string, boolean>();

  constructor(organization: string) {
    this.#organization = organization;
  }

  /**
   * A row with the new keys of its objects; undefined if it names an object that it cannot have. @throws `OverBudget`
   */
  take({ objects }: TenantRows, values: Values): Values | undefined {
    if (!objects) return values;
    const key = String(values[objects.column]);
    if (objects.keys === 'OWN') return this.#isOwn(key) ? values : undefined;
    const renewed = this.#renewed(key);
    if (this.#hasArrived.has(renewed)) return undefined;
    this.#budget.charge('files');
    this.#hasArrived.set(renewed, false);
    return { ...values, [objects.column]: renewed };
  }

  /**
   * The key under which an object is stored here; undefined outside the prefix if no row names it, or if it has
   * arrived before.
   */
  storedKey(key: string): string | undefined {
    const renewed = this.#renewed(key);
    if (this.#hasArrived.get(renewed) === false) {
      this.#hasArrived.set(renewed, true);
      return renewed;
    }
    return isBelow(objectPrefix(this.#organization), key) ? key : undefined;
  }

  #renewed(key: string): string {
    return `calibration/${sha256Hex(JSON.stringify([this.#organization, key, this.#version]))}`;
  }

  /** Archives of the first versions had their keys below the uuid alone. */
  #isOwn(key: string): boolean {
    return isBelow(objectPrefix(this.#organization), key) || isBelow(`${this.#organization}/archive/`, key);
  }
}
