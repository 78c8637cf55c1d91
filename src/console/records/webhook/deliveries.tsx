import type { presentDelivery } from '../../../webhook/store.ts';
import { Value, words } from '../../kit/components.tsx';
import { Do } from '../../kit/form.tsx';
import type { Column } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';

type Delivery = ReturnType<typeof presentDelivery>;

/** What the log of deliveries tells of each; who may change the webhook can send one again. */
export const deliveryColumns = (mayChange: boolean): Column<Delivery>[] => [
  { label: 'Event', value: ({ eventType }) => words(eventType), narrow: 'head' },
  { label: 'Status', status: ({ status }) => status },
  { label: 'Number', value: ({ sequenceNumber }) => <Value of={sequenceNumber} />, number: true },
  { label: 'Answer', value: ({ statusCode, error }) => <Value of={statusCode ?? error} /> },
  { label: 'Attempts', value: (delivery) => <Attempts delivery={delivery} /> },
  { label: 'Next attempt', value: ({ nextAttemptDate }) => <Time at={nextAttemptDate} /> },
  { label: 'Created', value: ({ createDate }) => <Time at={createDate} /> },
  ...(mayChange
    ? [
        {
          label: 'Again',
          value: ({ uuid, eventType }: Delivery) => (
            <Do
              action="resend"
              values={{ deliveryUuid: uuid }}
              quiet
              label={`Send again: ${words(eventType)}`}
            >
              Send again
            </Do>
          ),
        },
      ]
    : []),
];

/** Each attempt, unfolded: when it was, how long it took, and what the receiver said. */
const Attempts = ({ delivery: { attempts, attemptsCount } }: { delivery: Delivery }) =>
  attempts.length === 0 ? (
    <Value of={attemptsCount} />
  ) : (
    <details>
      <summary>{attemptsCount}</summary>
      <ol class="attempts">
        {attempts.map(({ attemptDate, statusCode, durationMs, error, response }) => (
          <li>
            <Time at={attemptDate} />: {statusCode ?? error ?? 'no answer'}, {durationMs} ms
            {response && <code>{response}</code>}
          </li>
        ))}
      </ol>
    </details>
  );
