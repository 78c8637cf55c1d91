import type { FC } from 'hono/jsx';
import { kindOf } from '../../../../dispatch/alert/rules.ts';
import type { StoredAlert } from '../../../../dispatch/alert/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { WithPallets } from '../../../ui/parts/badges.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import { useZone } from '../../../ui/parts/view.ts';
import { messageIn } from '../alert/alerts.tsx';

/** The open alerts about a load in the header of its page. Each one leads to its page. */
export const LoadAlerts: FC<{ alerts: readonly StoredAlert[] }> = ({ alerts }) => {
  const words = useWords();
  const zone = useZone();
  if (alerts.length === 0) return null;
  return (
    <ul class="load-alerts" aria-label={words.t('alert.title')}>
      {alerts.map((alert) => {
        const message = messageIn(words, zone, alert);
        return (
          <li id={`a-${alert.uuid}`} data-announce={message}>
            <Icon name={kindOf(alert).icon} />
            <a href={`/app/alert/${alert.uuid}`}>
              <WithPallets text={message} />
            </a>
          </li>
        );
      })}
    </ul>
  );
};
