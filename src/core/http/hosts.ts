import { settingsOf } from '../env.ts';
import { type AppContext, hostname, origin } from './types.ts';

/** Shared subdomains of BASE_DOMAIN, which cannot be an organization's slug. */
export const SHARED_HOSTS: ReadonlySet<string> = new Set(['api', 'app', 'www', 'docs', 'status', 'operator']);

/** The slug in the host name `{slug}.{BASE_DOMAIN}`; undefined for a host of all organizations. */
export function hostSlug(hostname: string, baseDomain: string): string | undefined {
  const suffix = `.${baseDomain}`;
  // A trailing dot makes the name absolute; it is the same host.
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (!host.endsWith(suffix)) return undefined;
  const label = host.slice(0, -suffix.length);
  return SHARED_HOSTS.has(label) ? undefined : label;
}

/** The slug in the host name of a request; undefined for a host of all organizations. */
export const ownSlug = (c: AppContext): string | undefined =>
  hostSlug(hostname(c), settingsOf(c.env).BASE_DOMAIN);

/**
 * Whether a link was opened from a page of this service or directly by the user, not from another site
 * (`Sec-Fetch-Site` of W3C Fetch Metadata). Programs send no such header.
 */
export function isOwnLink(c: AppContext): boolean {
  const site = c.req.header('Sec-Fetch-Site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

/**
 * The origins at which this deployment serves an organization, as the caller reaches it: the caller's own host first, then
 * the hosts below BASE_DOMAIN.
 */
export function originsOf(c: AppContext, slug: string): string[] {
  const { BASE_DOMAIN } = settingsOf(c.env);
  const { protocol, port } = new URL(origin(c));
  const hosts = [BASE_DOMAIN, ...[slug, ...SHARED_HOSTS].map((label) => `${label}.${BASE_DOMAIN}`)];
  return [origin(c), ...hosts.map((host) => new URL(`${protocol}//${host}:${port}`).origin)];
}
