import { Buffer } from 'node:buffer';
import type { TenantRows } from '../../access/database/tenant.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { newUuid } from '../../core/lib/id.ts';
import { objectPrefix } from '../../core/lib/object-prefix.ts';
import { KEY_BYTES_MAXIMUM } from '../../dispatch/calibration/objects.ts';
import type { Values } from './rows.ts';

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

/**
 * The keys of objects in an export. An export could name objects of other organizations. So calibration files get new
 * keys, and archives must have a key of the organization. Only objects with these keys (each once) and objects below
 * the prefix are accepted.
 */
export class ObjectKeys {
  readonly #organization: string;
  /** The new key for each key in the export, if the object has not arrived yet. */
  readonly #renewed = new Map<string, string>();
  readonly #seen = new Set<string>();

  constructor(organization: string) {
    this.#organization = organization;
  }

  /** A row with the new keys of its objects; undefined if it names an object that it cannot have. */
  take({ objects }: TenantRows, values: Values): Values | undefined {
    if (!objects) return values;
    const key = String(values[objects.column]);
    if (objects.keys === 'OWN') return this.#isOwn(key) ? values : undefined;
    if (this.#seen.has(key)) return undefined;
    this.#seen.add(key);
    const renewed = `calibration/${sha256Hex(JSON.stringify([this.#organization, key, newUuid()]))}`;
    this.#renewed.set(key, renewed);
    return { ...values, [objects.column]: renewed };
  }

  /**
   * The key under which an object is stored here; undefined outside the prefix if no row names it, or if it has
   * arrived before.
   */
  storedKey(key: string): string | undefined {
    const renewed = this.#renewed.get(key);
    this.#renewed.delete(key);
    return renewed ?? (isBelow(objectPrefix(this.#organization), key) ? key : undefined);
  }

  /** Archives of the first versions had their keys below the uuid alone. */
  #isOwn(key: string): boolean {
    return isBelow(objectPrefix(this.#organization), key) || isBelow(`${this.#organization}/archive/`, key);
  }
}
