import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { OPERATOR_LOG } from '../../../access/credential/operator.ts';
import { readsOf } from '../../../core/http/read.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { NO_ORGANIZATION } from '../../../core/lib/id.ts';
import { deadLetterList } from '../../../storage/dead-letter/list.ts';
import { resend } from '../../../storage/dead-letter/resend.ts';
import { anyLetterQuery, type StoredDeadLetter } from '../../../storage/dead-letter/store.ts';
import { action } from '../../ui/confirm/action.ts';
import { ActionButton } from '../../ui/form/form.tsx';
import type { Column } from '../../ui/list/rows.tsx';
import { page } from '../../ui/page/page.tsx';
import { type ByUuid, byUuid, requireRow } from '../../ui/page/resource.tsx';
import { Card, Facts, OptionalText } from '../../ui/parts/components.tsx';
import { Time } from '../../ui/parts/time.tsx';
import { operatorList } from './listed.tsx';

/** How many characters of a message a page shows. */
const BODY_MAXIMUM = 20_000;

/** The organization of a dead letter. */
const Of = ({ of }: { of: string | null }) =>
  of === null || of === NO_ORGANIZATION ? (
    <OptionalText of={null} />
  ) : (
    <a href={`/operator/organization/${of}`}>
      <code>{of}</code>
    </a>
  );

const columns: readonly Column<StoredDeadLetter>[] = [
  {
    label: 'Arrived',
    sort: 'createDate',
    value: ({ uuid, createDate }) => (
      <a href={`/operator/dead-letter/${uuid}`}>
        <Time at={createDate} />
      </a>
    ),
  },
  { label: 'Queue', value: ({ queue }) => queue },
  { label: 'Reason', value: ({ reason }) => reason, narrow: 'wide' },
  { label: 'Organization', value: ({ organizationUuid }) => <Of of={organizationUuid} /> },
  { label: 'Sent again', number: true, value: ({ resendCount }) => resendCount },
];

const actions = {
  resend: action('operator:OPERATE', z.object({}), async ({ c, submission }, { uuid }: ByUuid) => {
    const { queue } = await resend(c, submission, uuid);
    return { done: `The message is sent to the queue ${queue} again.` };
  }),
};

/** The pages about dead letters: messages that no consumer could handle. */
export function operatorDeadLetterPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/operator/dead-letter',
    right: 'operator:READ',
    query: deadLetterList.query,
    async view(at, _, query) {
      const filters = [
        { name: 'queue', label: 'Queue' },
        { name: 'organizationUuid', label: 'Uuid of the organization' },
      ] as const;
      const of = { list: deadLetterList, columns, filters, empty: 'There are no dead letters.' };
      return { title: 'Dead letters', body: await operatorList(at, of, query) };
    },
  });

  page(app, {
    path: '/operator/dead-letter/:uuid',
    right: 'operator:READ',
    params: byUuid,
    async view(at, { uuid }) {
      const rows = await readsOf(at.c, OPERATOR_LOG).all(anyLetterQuery(uuid));
      const letter = requireRow(rows, 'deadLetterNotFound', uuid);
      const text = JSON.stringify(letter.body, null, 2);
      return {
        title: 'Dead letter',
        body: (
          <>
            <Card title="Dead letter">
              <Facts
                facts={[
                  ['Queue', letter.queue],
                  ['Reason', letter.reason],
                  ['Organization', <Of of={letter.organizationUuid} />],
                  ['Arrived', <Time at={letter.createDate} />],
                  ['Sent again', `${letter.resendCount}`],
                  ['Last sent', <Time at={letter.resendDate} />],
                ]}
              />
              {at.may('operator:OPERATE') && (
                <ActionButton<typeof actions> action="resend">Send again</ActionButton>
              )}
            </Card>
            <Card title="Message">
              <pre>{text.length > BODY_MAXIMUM ? `${text.slice(0, BODY_MAXIMUM)}…` : text}</pre>
            </Card>
          </>
        ),
      };
    },
    actions,
  });
}
