import { inject } from 'vitest';
import type { Served } from './client.ts';
import { bundled, Service, type Start } from './service.ts';

async function ask(what: string): Promise<string> {
  const answer = await fetch(`${inject('desk')}/${what}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** A service of the caller's own, to kill and to damage: with tables and nothing in them, served from the shared bundle. */
export async function ownService(start: Start = {}): Promise<Service> {
  return Service.start({ state: await ask('tables'), ...bundled(await ask('bundle')), ...start });
}

/** The same, served by `npm start`. */
export const startedService = async (): Promise<Service> => Service.start({ state: await ask('tables') });

/** The service that all files share: what is made in it needs names of its own. */
export async function sharedService(): Promise<Served> {
  return { origin: await ask('service') };
}

/** The path of the browser's executable. */
export const chromiumPath = (): Promise<string> => ask('chromium');
