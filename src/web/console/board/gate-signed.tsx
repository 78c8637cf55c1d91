import type { FC } from 'hono/jsx';
import { clockIn } from '../../../core/lib/zone.ts';
import type { SignatureReference } from '../../../dispatch/load/shared/signature-store.ts';
import { useWords } from '../../../messages/context.ts';
import { Icon } from '../../ui/parts/icons.tsx';
import { useZone } from '../../ui/parts/view.ts';
import type { SignedLoad } from './gate-signed-store.ts';

/** The persons who have signed. */
export const Signatures: FC<{ signatures: readonly SignatureReference[] }> = ({ signatures }) => {
  const { t } = useWords();
  return signatures.map(({ role, name }) => (
    <p class="signed">
      <Icon name="check" /> {t('finish.signed', { who: name, role: t(`signer.${role}`) })}
    </p>
  ));
};

/** Who has signed the loads in progress. */
export const SignedHere: FC<{ signed: readonly SignedLoad[] }> = ({ signed }) => (
  <Signatures
    signatures={signed.flatMap(({ closeDate, signatures }) => (closeDate === null ? signatures : []))}
  />
);

/** The load that was completed here last: how many pallets it has, and who has signed. */
export const LeftHere: FC<{ signed: readonly SignedLoad[] }> = ({ signed }) => {
  const { t } = useWords();
  const zone = useZone();
  const left = signed.find(({ closeDate }) => closeDate !== null);
  if (!left) return null;
  const { externalIdentifier: name, closeDate, loaded, total, signatures } = left;
  return (
    <section class={loaded < total ? 'left-here short' : 'left-here'}>
      <p>
        <b>{t('finish.left', { name, time: clockIn(zone, closeDate!) })}</b>{' '}
        {t('gate.loadedOf', { loaded, total })}
      </p>
      <Signatures signatures={signatures} />
    </section>
  );
};
