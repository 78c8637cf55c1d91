import { hashedUuid } from '../../core/lib/id.ts';
import { isAscii } from '../../core/lib/text.ts';
import { isEmail } from '../user/email-rules.ts';

/** The path below which every provider has its own redirect URI. */
export const CALLBACK_PATH = '/app/login/oidc/callback';

/**
 * The redirect URI of one issuer for one organization (RFC 9700 section 4.4). It is computed from both. So no other
 * organization or issuer can get it, neither by changing the issuer nor by an import.
 */
export const callbackPath = (organization: string, issuer: string): string =>
  `${CALLBACK_PATH}/${hashedUuid(`${organization} ${issuer}`)}`;

/** Whether an issuer has the form of OpenID Connect Discovery (section 2): without query and fragment. */
export const isIssuer = (issuer: string): boolean => !/[?#]/.test(issuer);

/** Claims about a user, from an ID token or from the userinfo endpoint. */
interface Claims {
  readonly [name: string]: unknown;
}

/** Whether claims contain an e-mail address, and say whether it is verified. */
export const saysVerification = ({ email, email_verified, xms_edov }: Claims): boolean =>
  email !== undefined && (email_verified ?? xms_edov) !== undefined;

/**
 * The e-mail address, if the provider has verified it. Providers say so by `email_verified` (OpenID Connect Core 1.0,
 * section 5.1), which some providers write as text (Amazon Cognito, JumpCloud). Microsoft Entra ID uses `xms_edov`
 * instead, and writes it in several ways. A text that is neither ASCII nor an international address matches no user.
 */
export function verifiedEmail({ email, email_verified, xms_edov }: Claims): string | null {
  const isVerified =
    [true, 'true'].includes(email_verified as string) || [true, 1, '1', 'true'].includes(xms_edov as string);
  return typeof email === 'string' && isVerified && (isAscii(email) || isEmail(email)) ? email : null;
}
