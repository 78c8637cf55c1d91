import type { FC } from 'hono/jsx';
import type { Fault } from '../../../../delivery/webhook/rules.ts';
import { DELIVERED_TYPES, type DeliveredType } from '../../../../delivery/webhook/schema.ts';
import type { presentDelivery } from '../../../../delivery/webhook/store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { ActionButton } from '../../../ui/form/form.tsx';
import type { Column } from '../../../ui/list/rows.tsx';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { codeAmong, wordsAmong } from '../../../ui/parts/codes.ts';
import { OptionalText } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import type { WebhookActions } from './actions.ts';

/** A delivery in the log of its webhook. */
type Delivery = ReturnType<typeof presentDelivery>;

/** The event type of a delivery; undefined if the type no longer exists. */
export const typeOf = (eventType: string): DeliveredType | undefined => codeAmong(DELIVERED_TYPES, eventType);

/** The event in words. */
export const eventIn = ({ t }: Words, eventType: string): string =>
  wordsAmong(DELIVERED_TYPES, eventType, (type) => t(`happened.${type}`));

/** Why an attempt got no answer. */
export const faultIn =
  ({ t }: Words) =>
  (fault: Fault): string =>
    t('sent.fault', { kind: fault });

/**
 * The columns of the log of deliveries. Each delivery links to its content. Users who may change
 * the webhook can send it again.
 */
export const deliveryColumns = (words: Words, mayChange: boolean): Column<Delivery>[] => {
  const { t } = words;
  return [
    {
      label: t('sent.event'),
      value: ({ uuid, eventType }) => (
        <ResourceLink resource="webhook-delivery" uuid={uuid}>
          {eventIn(words, eventType)}
        </ResourceLink>
      ),
      narrow: 'head',
    },
    { label: t('made.status'), status: ({ status }) => status },
    {
      label: t('sent.number'),
      value: ({ sequenceNumber }) => <OptionalText of={sequenceNumber} />,
      number: true,
    },
    {
      label: t('sent.answer'),
      value: ({ statusCode, error }) => <OptionalText of={statusCode ?? error} />,
    },
    { label: t('sent.attempts'), value: ({ attemptsCount }) => attemptsCount, number: true },
    { label: t('sent.next'), value: ({ nextAttemptDate }) => <Time at={nextAttemptDate} /> },
    { label: t('made.created'), value: ({ createDate }) => <Time at={createDate} /> },
    ...(mayChange
      ? [
          {
            label: t('sent.again'),
            value: ({ uuid, eventType }: Delivery) => (
              <ActionButton<WebhookActions>
                action="resend"
                values={{ deliveryUuid: uuid }}
                quiet
                label={t('sent.resendOf', { event: eventIn(words, eventType) })}
              >
                {t('sent.resend')}
              </ActionButton>
            ),
          },
        ]
      : []),
  ];
};

/** The attempts: time, duration, and the answer of the receiver. */
export const Attempts: FC<{ attempts: Delivery['attempts'] }> = ({ attempts }) => {
  const words = useWords();
  const { t } = words;
  return attempts.length === 0 ? (
    <p>{t('sent.noneYet')}</p>
  ) : (
    <ol class="attempts">
      {attempts.map(({ attemptDate, statusCode, durationMs, error, response }) => (
        <li>
          <Time at={attemptDate} />
          {words.labelled(
            '',
            t('sent.attempt', {
              answer: String(statusCode ?? error ?? t('sent.noAnswer')),
              duration: durationMs,
            }),
          )}
          {response && <code>{response}</code>}
        </li>
      ))}
    </ol>
  );
};
