import { settingsOf } from '../env.ts';
import { type AppContext, hostname } from './types.ts';

/** Labels below BASE_DOMAIN that are shared hosts, never an organization's slug. */
export const SHARED_HOSTS: ReadonlySet<string> = new Set(['api', 'app', 'www', 'docs', 'status', 'operator']);

/** The slug a host stands for: `{slug}.{BASE_DOMAIN}`; undefined for hosts that serve all organizations. */
export function hostSlug(hostname: string, baseDomain: string): string | undefined {
  const suffix = `.${baseDomain}`;
  // With a dot at its end it is the same host, from the root on.
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (!host.endsWith(suffix)) return undefined;
  const label = host.slice(0, -suffix.length);
  return SHARED_HOSTS.has(label) ? undefined : label;
}

/** The slug that the host of a request stands for; undefined where it serves all organizations. */
export const ownSlug = (c: AppContext): string | undefined =>
  hostSlug(hostname(c), settingsOf(c.env).BASE_DOMAIN);
