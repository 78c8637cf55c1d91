import { UUID_HEX_LENGTH, uuidHex, uuidOfHex } from '../../core/lib/id.ts';
import { open, type SealingKeys, seal } from '../../core/lib/seal.ts';

/** Links in e-mails: a recipient confirms or stops the e-mails of an organization. */
export type MailLinkKind = 'confirm' | 'stop';

const CONTEXTS: Record<MailLinkKind, string> = {
  confirm: 'link that confirms e-mails',
  stop: 'link that stops e-mails',
};

/** The organization and the recipient of a link. */
export interface MailLink {
  organization: string;
  /** In lower case and without a +tag. */
  mailbox: string;
}

/** The path of a link. Its token is sealed, so that only this service can make or read it, and nothing is stored. */
export const mailLinkPath = async (
  keys: SealingKeys,
  kind: MailLinkKind,
  { organization, mailbox }: MailLink,
): Promise<string> => `/${kind}/${await seal(keys, CONTEXTS[kind], uuidHex(organization) + mailbox)}`;

/** Read a token; undefined if this service did not make it for this kind of link. */
export async function openMailLink(
  keys: SealingKeys,
  kind: MailLinkKind,
  token: string,
): Promise<MailLink | undefined> {
  const text = await open(keys, CONTEXTS[kind], token).catch(() => undefined);
  if (text === undefined) return undefined;
  return { organization: uuidOfHex(text.slice(0, UUID_HEX_LENGTH)), mailbox: text.slice(UUID_HEX_LENGTH) };
}
