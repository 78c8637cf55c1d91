import { z } from '@hono/zod-openapi';

const SCHEME = 'mailto:';
/** RFC 5321 section 4.5.3.1.3. */
const ADDRESS_MAXIMUM = 254;
const address = z.email().max(ADDRESS_MAXIMUM);

/** Whether a URL has the scheme of e-mail addresses. */
export const isMailto = (url: string): boolean => url.slice(0, SCHEME.length).toLowerCase() === SCHEME;

/** The one address of a `mailto:` URL without subject or other fields; undefined for anything else. */
export const mailAddressOf = (url: string): string | undefined =>
  isMailto(url) ? address.safeParse(url.slice(SCHEME.length)).data : undefined;
