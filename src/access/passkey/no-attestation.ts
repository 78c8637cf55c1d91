/**
 * Replaces a part of the library for passkeys in the bundle (`alias` in wrangler.toml): the code and root certificates
 * that check attestations. `ceremony.ts` removes attestations, so this part is never called.
 */
class NoAttestation {
  constructor() {
    throw new Error('Attestations are not checked.');
  }
}

export {
  NoAttestation as AuthorityKeyIdentifierExtension,
  NoAttestation as CRLDistributionPointsExtension,
  NoAttestation as KeyDescription,
  NoAttestation as SubjectKeyIdentifierExtension,
  NoAttestation as X509Certificate,
  NoAttestation as X509ChainBuilder,
  NoAttestation as X509Crl,
};
export const id_ce_keyDescription = '';
export const Apple_WebAuthn_Root_CA = '';
export const GlobalSign_Root_CA = '';
export const GlobalSign_Root_CA_R3 = '';
export const GlobalSign_Root_R46 = '';
export const Google_Hardware_Attestation_Root_1 = '';
export const Google_Hardware_Attestation_Root_2 = '';
export const Google_Hardware_Attestation_Root_3 = '';
export const Google_Hardware_Attestation_Root_4 = '';
