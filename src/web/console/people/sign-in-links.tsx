import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Icon } from '../../ui/parts/icons.tsx';

/** The path of the help for people who cannot sign in, and the part of it about organizations. */
export const RECOVER_PATH = '/app/recover';
export const FIND_PATH = `${RECOVER_PATH}#organization`;

/** The path that starts the sign-in with the organization's provider. */
export const BEGIN_PATH = '/app/login/oidc';

/** The link to the organization's provider, before the password form. */
export const CompanyLink: FC<{ next: string; organization?: string }> = ({ next, organization }) => {
  const query = new URLSearchParams({ ...(organization ? { organization, go: '1' } : {}), next });
  return (
    <p>
      <a class="button quiet" href={`${BEGIN_PATH}?${query}`}>
        <Icon name="key" /> {useWords().t('signIn.company')}
      </a>
    </p>
  );
};
