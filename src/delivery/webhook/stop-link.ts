import { UUID_HEX_LENGTH, uuidHex, uuidOfHex } from '../../core/lib/id.ts';
import { open, type SealingKeys, seal } from '../../core/lib/seal.ts';

const CONTEXT = 'link that stops e-mails';

/** A link with which a recipient stops the e-mails of an organization. */
export interface StopLink {
  organization: string;
  /** The address in lower case. */
  address: string;
}

/** The path of the page, before its token. */
export const STOP_PATH = '/stop';

/** The token of a link. It is sealed, so that only this service can make or read it, and nothing is stored. */
export const stopToken = (keys: SealingKeys, { organization, address }: StopLink): Promise<string> =>
  seal(keys, CONTEXT, uuidHex(organization) + address.toLowerCase());

/** Read a token; undefined if this service did not make it. */
export async function openStopToken(keys: SealingKeys, token: string): Promise<StopLink | undefined> {
  const text = await open(keys, CONTEXT, token).catch(() => undefined);
  if (text === undefined) return undefined;
  const organization = uuidOfHex(text.slice(0, UUID_HEX_LENGTH));
  return { organization, address: text.slice(UUID_HEX_LENGTH) };
}
