import { createHash } from 'node:crypto';
import { uuidStart } from '../../../src/core/lib/id.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const DATE = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const HASH = /\b[0-9a-f]{64}\b/g;
const CREDENTIAL = /\b(wd[kto]_(?:test|live)_)([0-9A-Za-z]+)/g;
const WEBHOOK_SECRET = /whsec_[0-9A-Za-z+/=]+/g;
const TOKEN = /(\/public\/[a-z-]+\/|\/app\/invite\/)([0-9A-Za-z_-]+)/g;

/** Fields whose value depends on the machine, and the values that examples show. */
const ACCIDENTS: Record<string, unknown> = {
  ipAddress: '203.0.113.7',
  durationMs: 84,
  lastUsedDate: '2026-11-21T16:55:00.000Z',
};

/**
 * Makes every recording of a day equal. It replaces random values and dates by values of the same form. These depend
 * only on the order of the requests. The same real value always gets the same shown value.
 */
export class Disguise {
  readonly #names = new Map<string, string>();
  readonly #known = new Map<string, string>();
  readonly #minutes: { real: number; shown: number }[] = [];
  readonly #counts = new Map<string, number>();

  constructor(names: Record<string, string>) {
    for (const [real, shown] of Object.entries(names)) this.rename(real, shown);
  }

  rename(real: string, shown: string): void {
    this.#names.set(real, shown);
  }

  /** From the instant `real` on, examples show the time `shown`. Both are epoch milliseconds. */
  minute(real: number, shown: number): void {
    this.#minutes.push({ real, shown });
  }

  of<T>(value: T): T {
    return this.#value(value) as T;
  }

  #value(value: unknown, key = ''): unknown {
    if (value !== null && key in ACCIDENTS) return ACCIDENTS[key];
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#value(item, name)]));
  }

  #text(text: string): string {
    // Images are long and hold no random values.
    if (text.length > 500) return text;
    const token = this.#known.get(`token ${text}`);
    if (token !== undefined) return token;
    let shown = text;
    for (const [real, name] of this.#names) shown = shown.replaceAll(real, name);
    return shown
      .replace(UUID, (real) => this.#same('uuid', real, uuidOf))
      .replace(HASH, (real) => this.#same('hash', real, (index) => hashOf(`hash ${index}`)))
      .replace(DATE, (real) => this.#same('date', real, () => this.#date(real)))
      .replace(
        CREDENTIAL,
        (_, mark: string, real: string) => mark + 'EXAMPLE'.repeat(6).slice(0, real.length),
      )
      .replace(WEBHOOK_SECRET, `whsec_${Buffer.from('example-secret-of-a-webhook-0001').toString('base64')}`)
      .replace(TOKEN, (_, path: string, real: string) => path + this.#same('token', real, tokenOf));
  }

  #same(kind: string, real: string, make: (index: number) => string): string {
    const known = this.#known.get(`${kind} ${real}`);
    if (known !== undefined) return known;
    const index = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, index);
    const shown = make(index);
    this.#known.set(`${kind} ${real}`, shown);
    return shown;
  }

  #date(text: string): string {
    const real = Date.parse(text);
    const index = this.#minutes.findLastIndex((minute) => minute.real <= real);
    // A date before the recording is a date that the requests name.
    if (index === -1) return text;
    const minute = this.#minutes[index]!;
    const isNow = index < this.#minutes.length - 1 || real <= Date.now();
    // A future date keeps its distance in minutes from the current request.
    const ahead = isNow
      ? ((minute.shown / 60_000) * 137) % 1_000
      : Math.round((real - minute.real) / 60_000) * 60_000;
    return new Date(minute.shown + ahead).toISOString();
  }
}

/** A UUID of version 7, dated in the morning of the day. */
function uuidOf(index: number): string {
  return `${uuidStart(Date.UTC(2026, 10, 21, 6) + index)}-7000-8000-${index.toString(16).padStart(12, '0')}`;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const tokenOf = (index: number): string =>
  createHash('sha256').update(`token ${index}`).digest('base64url').slice(0, 32);
