import type { Words } from '../../../messages/words.ts';
import type { Secret } from './view.ts';

/** A link for setting a password, to copy once or to send by e-mail. */
export function inviteSecret(
  { t }: Words,
  { link, email, name, organization }: { link: string; email: string; name: string; organization: string },
): Secret {
  const parts = {
    subject: t('user.mailSubject', { organization }),
    body: t('user.mailText', { name, organization, link }),
  };
  const query = Object.entries(parts).map(([part, text]) => `${part}=${encodeURIComponent(text)}`);
  return {
    label: t('user.linkOf', { name }),
    value: link,
    mail: `mailto:${encodeURIComponent(email)}?${query.join('&')}`,
  };
}
