import * as oauth from 'oauth4webapi';
import type { Words } from '../../messages/words.ts';
import { visible } from '../../pallet/identifier.ts';
import { optionsFor, providerFault, usedMetadata, type Where } from './metadata.ts';
import { isIssuer } from './rules.ts';

/** An issuer to store, or the reason why it cannot be stored. */
export type CheckedIssuer = { issuer: string } | { message: string };

const WELL_KNOWN = /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)\/?$/;
/** Placeholders in issuers that are templates for many tenants, as Microsoft Entra ID has them. */
const TEMPLATE =
  /[{}<>]|%(?:7b|7d|3c|3e)|^https:\/\/login\.(?:partner\.)?microsoftonline\.[a-z]+\/(?:common|organizations)(?:\/|$)/i;
/** The form in which a message repeats an issuer of a provider. */
const SHOWN = /^[\x21-\x7e]{1,500}$/;
/** The URLs that a sign-in needs from the document. */
const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** The provider's own document. Unlike at a sign-in, it may name another issuer. @throws if it cannot be read */
async function documentAt(issuer: string, where: Where): Promise<oauth.AuthorizationServer> {
  const identifier = new URL(issuer);
  const response = await oauth.discoveryRequest(identifier, optionsFor(where));
  return oauth.processDiscoveryResponse(identifier, response).catch((error) => {
    const { code, cause } = error as { code?: string; cause?: { body: oauth.AuthorizationServer } };
    if (code === oauth.JSON_ATTRIBUTE_COMPARISON && cause) return cause.body;
    throw error;
  });
}

/** The issuer that the provider's document names instead, and the reason if that cannot be used either. */
function otherName(issuer: string, where: Where, t: Words['t']): string {
  const name = t('provider.name', { issuer });
  if (TEMPLATE.test(issuer)) return `${name} ${t('provider.template')}`;
  if (!isIssuer(issuer)) return `${name} ${t('provider.noQuery')}`;
  if (providerFault(issuer, where) !== undefined) return `${name} ${t('provider.where')}`;
  return t('provider.otherName', { issuer });
}

/**
 * Check an issuer that an administrator has entered. The service reads the provider's document, which names the issuer.
 * Blanks around it and invisible characters are removed. The URL of the document itself is accepted, too.
 */
export async function checkIssuer(typed: string, where: Where, { t }: Words): Promise<CheckedIssuer> {
  const trimmed = visible(typed);
  const issuer = trimmed.replace(WELL_KNOWN, '');
  if (TEMPLATE.test(issuer)) return { message: t('provider.template') };
  if (!isIssuer(issuer)) return { message: t('provider.noQuery') };
  if (providerFault(issuer, where) !== undefined) return { message: t('provider.where') };
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const document = await documentAt(issuer, where);
    const named = document.issuer;
    // The URL of the document does not say whether the issuer ends with a slash.
    const isOwn = issuer !== trimmed && named === `${issuer}/`;
    if (!isOwn && new URL(named).href !== new URL(issuer).href) {
      return { message: SHOWN.test(named) ? otherName(named, where, t) : t('provider.unreadable', { url }) };
    }
    const server = usedMetadata(document);
    const missing = NEEDED.find((name) => !server[name] || providerFault(server[name], where) !== undefined);
    if (missing !== undefined) return { message: t('provider.incomplete', { url, name: missing }) };
    return { issuer: issuer === trimmed ? issuer : named };
  } catch {
    return { message: t('provider.unreadable', { url }) };
  }
}
