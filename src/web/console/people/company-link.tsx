import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Icon } from '../kit/icons.tsx';

/** The path at which signing in through the organization's provider begins. */
export const BEGIN_PATH = '/app/login/oidc';

/** The link to the organization's provider, before the form for a password. */
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
