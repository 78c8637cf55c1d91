import type { FC } from 'hono/jsx';
import { useWords } from '../../../../messages/context.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { History } from '../../../ui/page/resource.tsx';
import { WithPallets } from '../../../ui/parts/badges.tsx';
import { Card } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import type { NamedRecord } from '../audit/named-store.ts';
import { sentenceIn } from '../audit/words.ts';

/** The maximum number of characters of a value. */
const SHORT_MAXIMUM = 40;

/** The latest audit records, latest first, if the user may see the log. */
export const Happened: FC<{ at: PageContext; uuid: string; records: readonly NamedRecord[] }> = ({
  at,
  uuid,
  records,
}) => {
  const words = useWords();
  if (!at.may('seeOffice')) return null;
  return (
    <Card title={words.t('load.happened')}>
      <ol class="happened">
        {records.map((record) => (
          <li>
            <Time at={record.eventDate} />
            <span>
              <WithPallets text={sentenceIn(words, at.session.organization, record, SHORT_MAXIMUM)} />
            </span>
          </li>
        ))}
      </ol>
      <History at={at} uuid={uuid} />
    </Card>
  );
};
