import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import { createBackorder } from '../../../../dispatch/load/manifest/creation-commands.ts';
import type { StoredReference } from '../../../../dispatch/load/manifest/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { reasonIn } from '../../../pages/reason-rules.ts';
import { action } from '../../../ui/confirm/action.ts';
import { ActionButton, Field, Form, Submit } from '../../../ui/form/form.tsx';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import type { LoadActions } from './actions.ts';
import { NAME_MAXIMUM } from './backorder-store.ts';
import type { NewsPart } from './news-store.ts';

/** The maximum number of manifests that are named. The page of each manifest offers the same. */
const MANIFESTS_MAXIMUM = 20;

/** Make the back order of a manifest. */
export const backorderAction = action(
  'operate',
  z.object({ manifest: z.uuid(), externalIdentifier: text(1, NAME_MAXIMUM) }),
  async ({ c, words, submission }, _: unknown, { manifest, externalIdentifier }) => {
    await write(c, submission, createBackorder, { identifier: manifest, externalIdentifier });
    return { done: words.t('load.backorderMade', { name: externalIdentifier }) };
  },
);

/** The manifests that were completed with missing pallets, why, and their back orders. A button makes a missing back order. */
export const LeftBehind: FC<{ parts: readonly NewsPart[]; reason: string | null; operate: boolean }> = ({
  parts,
  reason,
  operate,
}) => {
  const words = useWords();
  const { t } = words;
  const short = parts.filter((part) => part.left > 0 || part.backorder);
  if (short.length === 0) return null;
  return (
    <section class="card left-behind" aria-labelledby="left-title">
      <h2 id="left-title">{t('load.stayed')}</h2>
      {reason && <p>{t('load.whyStayed', { reason: reasonIn(words, reason) })}</p>}
      <ul>
        {short.slice(0, MANIFESTS_MAXIMUM).map((part) => (
          <li>
            <span>{t('load.stayedOn', { manifest: part.externalIdentifier, count: part.left })}</span>
            {part.backorder ? (
              <span>
                {words.labelled(t('load.backorder'))}
                <BackorderLink of={part.backorder} />
              </span>
            ) : (
              operate && <Make part={part} alone={parts.length === 1} />
            )}
          </li>
        ))}
      </ul>
      {short.length > MANIFESTS_MAXIMUM && <p class="hint">{t('load.andMore')}</p>}
    </section>
  );
};

/**
 * The form for the only manifest, where the name can be changed. With several manifests, a button for each. If no free
 * name was found for a manifest, it has the form, too.
 */
const Make: FC<{ part: NewsPart; alone: boolean }> = ({ part, alone }) => {
  const { t, labelled } = useWords();
  const [count, name] = [part.left, part.freeName];
  if (alone || name === null) {
    return (
      <Form<LoadActions>
        action="backorder"
        of={{ name: 'manifest', value: part.uuid }}
        class="filters"
        label={t('load.backorder')}
      >
        <Field name="externalIdentifier" label={t('load.backorderId')} value={name} />
        <Submit>{t('load.backorderMake', { count })}</Submit>
      </Form>
    );
  }
  return (
    <ActionButton<LoadActions>
      action="backorder"
      values={{ manifest: part.uuid, externalIdentifier: name }}
      quiet
    >
      {labelled(t('load.backorderMake', { count }), name)}
    </ActionButton>
  );
};

export const BackorderLink: FC<{ of: StoredReference }> = ({ of: { manifestUuid, manifestExternalId } }) => (
  <ResourceLink resource="manifest" uuid={manifestUuid}>
    {manifestExternalId}
  </ResourceLink>
);
