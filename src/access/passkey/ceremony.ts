import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { type AppContext, hostname, origin } from '../../core/http/types.ts';
import { refuse } from '../../core/http/write.ts';
import type { FoundSession } from '../session/store.ts';
import { setChallenge } from './challenge.ts';
import { CHALLENGE_LIFE_MS, handleOf, passkeyHost } from './rules.ts';
import type { Made, Signed } from './schema.ts';
import type { Passkey } from './store.ts';

/** The host to which passkeys of this request are bound. @throws 400 if the host cannot have passkeys */
export const hostOf = (c: AppContext): string =>
  passkeyHost(hostname(c)) ??
  refuse('validationFailed', 'Passkeys do not work at an IP address. Open this page by its host name.');

/** The library for passkeys. It is large, so an isolate loads it at its first passkey. */
const library = () => import('./library.ts');

/** The options with which a signed-in user's browser creates a passkey. */
export async function addingOptions(
  c: AppContext,
  { uuid, user, organization }: FoundSession,
  own: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const host = hostOf(c);
  const { generateRegistrationOptions, isoBase64URL } = await library();
  return generateRegistrationOptions({
    rpName: organization.name,
    rpID: host,
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`,
    userID: handleOf({ organization: organization.uuid, userUuid: user.uuid }),
    challenge: isoBase64URL.toBuffer(await setChallenge(c, `add ${uuid}`)),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: 'none',
    // Authenticators store one passkey per user.
    excludeCredentials: own
      .filter((one) => one.host === host)
      .map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** The options with which a browser signs in by any passkey of this host. */
export async function signingOptions(c: AppContext): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions, isoBase64URL } = await library();
  return generateAuthenticationOptions({
    rpID: hostOf(c),
    challenge: isoBase64URL.toBuffer(await setChallenge(c, 'sign in')),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: 'required',
  });
}

/**
 * Refuse an answer that was given while this site was in a frame on another site's page. There the user cannot see
 * which site asks (WebAuthn level 3, section 13.4.9). The library does not check this. @throws if the answer is from
 * such a frame
 */
async function refuseFrame({ clientDataJSON }: { clientDataJSON: string }): Promise<void> {
  const { decodeClientDataJSON } = await library();
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
  if (crossOrigin || topOrigin !== undefined) throw new Error('The answer is from a frame of another site.');
}

/**
 * Remove the attestation of a new passkey. Browsers send none, because the options ask for none (WebAuthn level 3, section
 * 5.4.7). Some password managers and security keys send one anyway. The service ignores it.
 */
async function withoutAttestation({ clientDataJSON, attestationObject }: Made['response']) {
  const { isoBase64URL, isoCBOR } = await library();
  const parts = isoCBOR.decodeFirst<Map<string, Uint8Array>>(isoBase64URL.toBuffer(attestationObject));
  const unattested = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', parts.get('authData')!],
  ]);
  return { clientDataJSON, attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(unattested)) };
}

const NO_EXTENSIONS = { clientExtensionResults: {} };

/** Log why an answer was refused. The browser gets the same message for every reason. */
export function noted(error: unknown): undefined {
  console.warn(JSON.stringify({ passkey: error instanceof Error ? error.message.slice(0, 200) : 'failed' }));
  return undefined;
}

/** The parts of a new passkey that will be stored; undefined if the passkey does not match the request. */
export async function verifyMade(
  c: AppContext,
  made: Made,
  challenge: string,
): Promise<{ host: string; credentialId: string; publicKey: string; counter: number } | undefined> {
  const host = hostOf(c);
  try {
    await refuseFrame(made.response);
    const { isoBase64URL, verifyRegistrationResponse } = await library();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...made, ...NO_EXTENSIONS, response: await withoutAttestation(made.response) },
      expectedChallenge: challenge,
      expectedOrigin: origin(c),
      expectedRPID: host,
      requireUserVerification: true,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { host, credentialId: id, publicKey: isoBase64URL.fromBuffer(publicKey), counter };
  } catch (error) {
    return noted(error);
  }
}

/** The signature counter, if a passkey has signed this challenge at this host; otherwise undefined. */
export async function verifySigned(
  c: AppContext,
  signed: Signed,
  { challenge, publicKey }: { challenge: string; publicKey: string },
): Promise<number | undefined> {
  try {
    await refuseFrame(signed.response);
    const { isoBase64URL, verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...signed, ...NO_EXTENSIONS },
      expectedChallenge: challenge,
      expectedOrigin: origin(c),
      expectedRPID: hostOf(c),
      // The commit of the sign-in checks the counter against the stored one.
      credential: { id: signed.id, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch (error) {
    return noted(error);
  }
}
