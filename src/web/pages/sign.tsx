import type { OpenedLink } from '../../dispatch/load/shared/signature-link.ts';
import {
  POINTS_MAXIMUM,
  SIGNATURE_BOX,
  SIGNER_NAME_LENGTH,
  STROKES_MAXIMUM,
} from '../../dispatch/load/shared/signature-rules.ts';
import { useWords } from '../../messages/context.ts';
import { GivenText, PublicHeader, PublicPage } from './public-page.tsx';
import { type LinkedSignature, type SignableLoad, UNSIGNABLE } from './sign-store.ts';
import { SignatureList } from './summary-signatures.tsx';

/** Why a signature is not saved, or not yet. The script of the page has a sentence for each. */
const REASONS = [
  ...['empty', 'name', 'role', 'strokes', 'offline', 'later', 'failed', 'used', 'limit'],
  ...UNSIGNABLE,
] as const;
export type UnsavedReason = (typeof REASONS)[number];

/** The page on which one person signs a load, at a gate or on an own phone. Afterwards it shows the signature. */
export const SignPage = ({
  link: { kind, role },
  load,
  url,
  path,
  back,
}: {
  link: Pick<OpenedLink, 'kind' | 'role'>;
  load: SignableLoad;
  /** The address of the page, for another device. */
  url: string;
  /** Path and query of the page. */
  path: string;
  /** The page of this service that opened it, if it is on the same device. */
  back: string | undefined;
}) => {
  const { t, labelled } = useWords();
  return (
    <PublicPage
      title={`${t(`kind.${kind}`)} ${load.externalIdentifier}`}
      head={<script type="module" src="/assets/pages/sign.js" />}
    >
      <PublicHeader name={load.sender} path={path} />
      <main>
        <h1>
          {t(`kind.${kind}`)} <GivenText>{load.externalIdentifier}</GivenText>
        </h1>
        <p>
          {load.gateName === null ? null : (
            <>
              <GivenText>{load.gateName}</GivenText>
              <br />
            </>
          )}
          {t('proof.loadedOf', { loaded: load.loaded, total: load.total })}
        </p>
        <p>
          {labelled(t('proof.role'), t(`signer.${role}`))}
          <br />
          <strong>{t(`statement.${role}`)}</strong>
        </p>
        {load.signature ? (
          <Done signature={{ ...load.signature, role }} load={load} />
        ) : (
          <SignForm url={url} />
        )}
        {back === undefined ? null : (
          <p>
            <a href={back}>{t('sign.back')}</a>
          </p>
        )}
      </main>
    </PublicPage>
  );
};

const Done = ({
  signature,
  load: { timeZone, publicToken },
}: {
  signature: LinkedSignature & Pick<OpenedLink, 'role'>;
  load: SignableLoad;
}) => {
  const { t } = useWords();
  return (
    <>
      <p class="left" role="status">
        {t('sign.done')}
      </p>
      <SignatureList of={[signature]} zone={timeZone} />
      {publicToken === null ? null : (
        <p>
          <a class="button" href={`/public/proof-of-shipment/${publicToken}.pdf`}>
            {t('page.proof')}
          </a>
        </p>
      )}
    </>
  );
};

const SignForm = ({ url }: { url: string }) => {
  const { t } = useWords();
  return (
    <form
      id="sign"
      data-width={SIGNATURE_BOX.width}
      data-height={SIGNATURE_BOX.height}
      data-strokes={STROKES_MAXIMUM}
      data-points={POINTS_MAXIMUM}
      data-sending={t('sign.sending')}
      data-done={t('sign.done')}
      {...Object.fromEntries(REASONS.map((reason) => [`data-unsaved-${reason}`, t(`unsigned.${reason}`)]))}
    >
      <label>
        {t('proof.signer')}
        <input name="name" required maxlength={SIGNER_NAME_LENGTH} autocomplete="name" />
      </label>
      <p id="draw">{t('sign.draw')}</p>
      <canvas role="img" aria-labelledby="draw" />
      <p class="actions">
        <button type="submit" class="button">
          {t('sign.send')}
        </button>
        <button type="button" class="button quiet" data-clear>
          {t('sign.clear')}
        </button>
      </p>
      <p id="said" role="status" />
      <noscript>
        <p>{t('sign.noScript')}</p>
      </noscript>
      <p class="hint">{t('sign.other', { url })}</p>
    </form>
  );
};
