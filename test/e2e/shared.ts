import { inject } from 'vitest';
import type { Served } from './client.ts';
import { bundled, Service, type Start } from './service.ts';

async function ask(what: string): Promise<string> {
  const answer = await fetch(`${inject('desk')}/${what}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/**
 * Starts a service for one test file alone, to kill and to damage. It has empty tables and uses the shared bundle.
 */
export async function ownService(start: Start = {}): Promise<Service> {
  return Service.start({ state: await ask('tables'), ...bundled(await ask('bundle')), ...start });
}

/** A state directory with empty tables. */
export const tables = (): Promise<string> => ask('tables');

/** The same, but served by `npm start`. */
export const startedService = async (): Promise<Service> => Service.start({ state: await ask('tables') });

/** The service that all test files share. Use names in it that no other file uses. */
export async function sharedService(): Promise<Served> {
  return { origin: await ask('service') };
}

/** The directory with the bundle of the Worker, its source map and its list of modules: see `bundle.ts`. */
export const bundle = (): Promise<string> => ask('bundle');

export const chromiumPath = (): Promise<string> => ask('chromium');
