import type { FC } from 'hono/jsx';
import type { presentSignatures } from '../../../../dispatch/load/shared/signature-store.ts';
import { useWords } from '../../../../messages/context.ts';
import { Time } from '../../../ui/parts/time.tsx';

/** Who has signed a load. */
export const Signed: FC<{ signatures: ReturnType<typeof presentSignatures> }> = ({ signatures }) => {
  const { t } = useWords();
  if (signatures.length === 0) return null;
  return (
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
  );
};
