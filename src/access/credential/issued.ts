import { deepLink } from '../../core/http/link.ts';
import { type AppContext, origin } from '../../core/http/types.ts';
import type { Written } from '../../core/http/write.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import type { StoredCredential } from './store.ts';

const PAGES = { API_KEY: 'api-key', ACCESS_TOKEN: 'access-token', OPERATOR: 'operator' } as const;

/** A credential as the API shows it. */
export const presentCredential = (links: string, { kind, scopes, ...stored }: StoredCredential) => ({
  ...stored,
  ...(kind === 'API_KEY' ? {} : { scopes }),
  expiresDate: isoDateOrNull(stored.expiresDate),
  revokedDate: isoDateOrNull(stored.revokedDate),
  lastUsedDate: isoDateOrNull(stored.lastUsedDate),
  createDate: isoDate(stored.createDate),
  updateDate: isoDate(stored.updateDate),
  deepLink: deepLink(links, PAGES[kind], stored.uuid),
});

/** The answer that shows a secret. It does so only once: the secret is not stored, so a repeat does not get it. */
export function issued(
  c: AppContext,
  { body, replayed }: Written<StoredCredential>,
  secret: string,
  status: 200 | 201,
) {
  c.header('Cache-Control', 'no-store');
  return c.json({ ...presentCredential(origin(c), body), secret: replayed ? null : secret }, status);
}
