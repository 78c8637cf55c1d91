import type { FC } from 'hono/jsx';
import type { Permission } from '../../../access/user/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { type ManualRole, manualPath } from '../../docs/guides.ts';
import { may } from './rights.ts';

/** The role of a user for the manuals: people who change users, who see the desk, and who load. */
export function manualRole(permissions: readonly Permission[]): ManualRole {
  if (may(permissions, 'changeUsers')) return 'office';
  return may(permissions, 'operate') || may(permissions, 'seeOffice') ? 'dispatcher' : 'loader';
}

/** A link to the manual of a role. It opens a new tab, so that the page and its input stay. */
export const ManualLink: FC<{ of: ManualRole; class?: string }> = ({ of: role, class: look }) => {
  const { t, language } = useWords();
  return (
    <a
      class={look ?? 'manual-link'}
      href={manualPath(role, language)}
      hreflang={language === 'de' ? 'de' : 'en'}
      target="_blank"
      rel="noopener"
    >
      {t('kit.manual')}
    </a>
  );
};
