import type { FC } from 'hono/jsx';
import type { presentSignatures } from '../../../../dispatch/signature/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { Time } from '../../kit/time.tsx';

/** Who has signed a load, and the link to sign it. */
export const Signed: FC<{
  signatures: ReturnType<typeof presentSignatures>;
  /** The path of the load's page, if the load takes signatures and the user may ask for one. */
  of?: string | undefined;
}> = ({ signatures, of }) => {
  const { t } = useWords();
  return (
    <>
      {signatures.length > 0 && (
        <dl class="facts">
          {signatures.map(({ role, name, signDate }) => (
            <div>
              <dt>{t(`signer.${role}`)}</dt>
              <dd>
                {name}, <Time at={signDate} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {of !== undefined && (
        <p class="actions">
          <a class="button quiet" href={`${of}/sign`} data-ask>
            {t('sign.open')}
          </a>
        </p>
      )}
    </>
  );
};
