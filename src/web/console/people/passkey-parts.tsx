import type { FC, PropsWithChildren } from 'hono/jsx';
import { safeNextPath } from '../../../access/session/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { Form, Hidden, Submit } from '../../ui/form/form.tsx';
import type { NoActions, PropWith } from '../../ui/parts/action-name.ts';

/** The script of pages with passkeys. */
export const PASSKEY_SCRIPT = 'passkey.js';

/** A part of a page for browsers with passkeys: it creates one (`create`) or signs in with one (`get`). */
export const WithPasskey: FC<PropsWithChildren<{ way: 'create' | 'get'; none: string }>> = ({
  way,
  none,
  children,
}) => (
  <div data-passkey={way} hidden>
    {children}
    <p class="notice bad" role="alert" hidden>
      {none}
    </p>
    <p class="notice bad" role="alert" hidden />
  </div>
);

/** Signing in with a passkey, beside the password form. */
export function PasskeySignIn<A = NoActions>({
  next,
}: {
  next: PropWith<'passkey' | 'passkeyOptions', A, string | undefined>;
}) {
  const { t } = useWords();
  return (
    <WithPasskey way="get" none={t('signIn.passkeyNone')}>
      <Form<Record<'passkey', unknown>> action="passkey" class="card">
        {next !== undefined && <Hidden name="next" value={safeNextPath(next)} />}
        <Hidden name="credential" value="" />
        <Submit quiet>{t('signIn.passkey')}</Submit>
      </Form>
    </WithPasskey>
  );
}
