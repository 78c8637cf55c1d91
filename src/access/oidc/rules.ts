import { hashedUuid } from '../../core/lib/id.ts';
import { isAscii } from '../../core/lib/text.ts';

/**
 * The redirect URI that all providers shared once. It is used only by providers from then, and only where they promise
 * to name themselves in the authorization response (RFC 9207).
 */
export const SHARED_CALLBACK_PATH = '/app/login/oidc/callback';

/**
 * The redirect URI of one issuer for one organization (RFC 9700 section 4.4). It is computed from both, so that no
 * other organization or issuer can ever have it: neither an administrator who changes the issuer, nor an import.
 */
export const callbackPath = (organization: string, issuer: string): string =>
  `${SHARED_CALLBACK_PATH}/${hashedUuid(`${organization} ${issuer}`)}`;

/** Whether an issuer has the form that OpenID Connect Discovery demands (section 2): neither query nor fragment. */
export const isIssuer = (issuer: string): boolean => !/[?#]/.test(issuer);

/**
 * The e-mail address, if the provider says that it is verified: by `email_verified` (OpenID Connect Core 1.0, section
 * 5.1), or by `xms_edov`, which Microsoft Entra ID has in its place and writes in several ways. Users have ASCII
 * addresses only, so any other address belongs to nobody here.
 */
export function verifiedEmail({
  email,
  email_verified,
  xms_edov,
}: {
  readonly [name: string]: unknown;
}): string | null {
  const isVerified = email_verified === true || [true, 1, '1', 'true'].includes(xms_edov as string);
  return typeof email === 'string' && isVerified && isAscii(email) ? email : null;
}
