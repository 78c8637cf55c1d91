// The parts of the library that passkeys need. `ceremony.ts` imports them at the first passkey of an isolate.
export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
export { decodeClientDataJSON, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
