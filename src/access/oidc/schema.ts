import { text } from '../../core/http/schema.ts';

export const ISSUER_MAXIMUM = 500;

/** The entries of the form for the identity provider of the organization. */
export const providerShape = {
  issuer: text(1, ISSUER_MAXIMUM),
  clientId: text(1, 500),
  clientSecret: text(0, 1_000),
};
