import type { FC } from 'hono/jsx';
import type { SignOutActions } from '../confirm/action.ts';
import { Form, Submit } from '../form/form.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { usePageState } from '../parts/view.ts';
import { Brand } from './menu.tsx';

/** The first page of operators. */
export const OPERATOR_HOME = '/operator';

/** The places of the operators' menu. Their pages are in English only. */
const MENU: readonly { path: string; label: string; icon: IconName }[] = [
  { path: OPERATOR_HOME, label: 'Health', icon: 'chart' },
  { path: '/operator/organization', label: 'Organizations', icon: 'box' },
  { path: '/operator/database', label: 'Databases', icon: 'board' },
  { path: '/operator/dead-letter', label: 'Dead letters', icon: 'warn' },
];

const MenuLink: FC<{ item: (typeof MENU)[number] }> = ({ item: { path: to, label, icon } }) => {
  const { path } = usePageState();
  const here = path === to || (to !== OPERATOR_HOME && path.startsWith(`${to}/`));
  return (
    <a href={to} aria-current={here ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
    </a>
  );
};

/** The menu of operators: beside every page, or above it on narrow screens. */
export const OperatorMenu: FC<{ name: string }> = ({ name }) => (
  <nav id="menu" class="menu" aria-label="Main" popover="auto">
    <button type="button" class="menu-button" popovertarget="menu" popovertargetaction="hide">
      <Icon name="closed" /> Close
    </button>
    <Brand name="Operator" to={OPERATOR_HOME} />
    <section>
      <ul>
        {MENU.map((item) => (
          <li>
            <MenuLink item={item} />
          </li>
        ))}
      </ul>
    </section>
    <div class="account">
      <span>{name}</span>
      <Form<SignOutActions> action="sign-out" to="/operator/logout">
        <Submit quiet>Sign out</Submit>
      </Form>
    </div>
  </nav>
);

/** The bar at the bottom of a phone's screen, with all places. */
export const OperatorTabbar: FC = () => (
  <nav class="tabbar" aria-label="Within reach">
    {MENU.map((item) => (
      <MenuLink item={item} />
    ))}
    <button type="button" popovertarget="menu">
      <Icon name="menu" />
      <span>Menu</span>
    </button>
  </nav>
);
