import type { FC } from 'hono/jsx';
import type { Refusal } from '../../../core/lib/problem.ts';
import { useWords } from '../../../messages/context.ts';
import { UndoButton } from '../confirm/undo.tsx';
import { Badge } from '../parts/components.tsx';
import { usePageState } from '../parts/view.ts';

/** The maximum number of refused fields that a notice names. */
const REFUSED_SHOWN = 20;

/** Notices at the top of a page: successes, failures, and secrets that are shown once. */
export const Notices: FC = () => {
  const { flash, failed, secrets, became = [] } = usePageState();
  const { t } = useWords();
  const refused = became.filter((one) => one.refused !== null);
  return (
    <>
      {flash && (
        <div class={refused.length > 0 ? 'notice warn' : 'notice good'} role="status">
          <p>{flash}</p>
          <UndoButton />
        </div>
      )}
      {became.length > 0 && (
        <details class="card" open={refused.length > 0}>
          <summary>{t('list.became')}</summary>
          <ul class="outcome">
            {[...refused, ...became.filter((one) => one.refused === null)].map(({ name, refused: why }) => (
              <li>
                <Badge status={why === null ? 'SUCCEEDED' : 'FAILED'} /> <b>{name}</b> {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      {failed && (
        <div class="notice bad" role="alert">
          <Refused refusal={failed.refusal} />
        </div>
      )}
      {secrets && (
        <section class="notice secret" aria-label={t('kit.shownOnce')}>
          <p>{t('kit.copyNow')}</p>
          <dl>
            {secrets.map(({ label, value, mail }, index) => (
              <>
                <dt id={`secret-${index}`}>{label}</dt>
                <dd class="copied">
                  <code>{value}</code>
                  <button
                    type="button"
                    class="button quiet"
                    data-copy={t('key.copied')}
                    aria-describedby={`secret-${index}`}
                  >
                    {t('key.copy')}
                  </button>
                  {mail && (
                    <a class="button quiet" href={mail} aria-describedby={`secret-${index}`}>
                      {t('user.mail')}
                    </a>
                  )}
                </dd>
              </>
            ))}
          </dl>
        </section>
      )}
    </>
  );
};

/** A refusal. Its fields have the labels that they have on the page. A field without a label has only its text. */
const Refused: FC<{ refusal: Refusal }> = ({ refusal: { detail, errors = [] } }) => {
  const { labels } = usePageState();
  const { labelled } = useWords();
  const shown = errors.slice(0, REFUSED_SHOWN).map(({ field, message }) => ({
    label: labels.get(field),
    text: labels.has(field) ? labelled(labels.get(field)!, message) : message,
  }));
  const areNamed = shown.length > 0 && shown.every(({ label }) => label !== undefined);
  if (areNamed && shown.length === 1) return <p>{shown[0]!.text}</p>;
  return (
    <>
      {!areNamed && <p>{detail}</p>}
      {errors.length > 1 && (
        <ul>
          {[...new Set(shown.map(({ text }) => text))].map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      )}
    </>
  );
};
