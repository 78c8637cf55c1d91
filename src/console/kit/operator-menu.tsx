import type { FC } from 'hono/jsx';
import { Form, Submit } from './form.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Brand } from './menu.tsx';
import { useShown } from './view.ts';

/** The first page of operators. */
export const OPERATOR_HOME = '/operator';

/** Where the menu of operators leads. Their pages are in English alone. */
const PLACES: readonly { path: string; label: string; icon: IconName }[] = [
  { path: OPERATOR_HOME, label: 'Health', icon: 'chart' },
  { path: '/operator/organization', label: 'Organizations', icon: 'box' },
  { path: '/operator/database', label: 'Databases', icon: 'board' },
  { path: '/operator/dead-letter', label: 'Dead letters', icon: 'warn' },
];

const PlaceLink: FC<{ place: (typeof PLACES)[number] }> = ({ place: { path: to, label, icon } }) => {
  const { path } = useShown();
  const here = path === to || (to !== OPERATOR_HOME && path.startsWith(`${to}/`));
  return (
    <a href={to} aria-current={here ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
    </a>
  );
};

/** Beside every page of operators, or above it where there is no room. */
export const OperatorMenu: FC<{ name: string }> = ({ name }) => (
  <nav id="menu" class="menu" aria-label="Main" popover="auto">
    <button type="button" class="menu-button" popovertarget="menu" popovertargetaction="hide">
      <Icon name="closed" /> Close
    </button>
    <Brand name="Operator" to={OPERATOR_HOME} />
    <section>
      <ul>
        {PLACES.map((place) => (
          <li>
            <PlaceLink place={place} />
          </li>
        ))}
      </ul>
    </section>
    <div class="account">
      <span>{name}</span>
      <Form action="sign-out" to="/operator/logout">
        <Submit quiet>Sign out</Submit>
      </Form>
    </div>
  </nav>
);

/** On a phone: all places within reach of a thumb, and the menu. */
export const OperatorTabbar: FC = () => (
  <nav class="tabbar" aria-label="Within reach">
    {PLACES.map((place) => (
      <PlaceLink place={place} />
    ))}
    <button type="button" popovertarget="menu">
      <Icon name="menu" />
      <span>Menu</span>
    </button>
  </nav>
);
