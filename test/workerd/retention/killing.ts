import type { Env } from '../../../src/core/env.ts';
import { bindings } from '../access/database/places.ts';
import { bucketWith } from '../dispatch/calibration/files.ts';
import { envOver } from '../failing.ts';
import { bucket } from './archives.ts';

/**
 * Bindings of a process that is killed at its n-th call of the bucket or of D1. This call and all later
 * calls never return, so neither a `catch` nor a `finally` runs. With `late`, this call takes effect.
 */
export function killedAt(at: number, late: boolean) {
  const calls: string[] = [];
  let killed!: () => void;
  const death = new Promise<void>((resolve) => {
    killed = resolve;
  });
  const asked = async <T>(what: string, ask: () => Promise<T>): Promise<T> => {
    calls.push(what);
    if (calls.length < at) return ask();
    if (late && calls.length === at) await ask();
    killed();
    return new Promise<T>(() => undefined);
  };
  const over = (made: D1Database | D1DatabaseSession) => ({
    prepare: (text: string) => made.prepare(text),
    batch: (statements: D1PreparedStatement[]) => asked('D1', () => made.batch(statements)),
    getBookmark: () => (made as D1DatabaseSession).getBookmark(),
  });
  const db = {
    ...over(bindings.DB),
    withSession: (constraint?: string) => over(bindings.DB.withSession(constraint)),
  } as unknown as D1Database;
  const method = (name: 'put' | 'head' | 'get') => ({
    [name]: (...given: never[]) =>
      asked(name, () => (bucket[name] as (...all: never[]) => Promise<never>)(...given)),
  });
  const CALIBRATION = bucketWith({ ...method('put'), ...method('head'), ...method('get') });
  return { env: { ...envOver(db), CALIBRATION } as Env, calls, death };
}
