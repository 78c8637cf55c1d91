import { z } from '@hono/zod-openapi';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { addingOptions, verifyMade } from '../../../access/passkey/ceremony.ts';
import { onceByChallenge } from '../../../access/passkey/challenge.ts';
import { addPasskey, deletePasskey, renamePasskey } from '../../../access/passkey/commands.ts';
import { isFresh, PASSKEY_NAME_MAXIMUM, PASSKEYS_MAXIMUM } from '../../../access/passkey/rules.ts';
import { madeSchema } from '../../../access/passkey/schema.ts';
import { type Passkey, passkeysQuery } from '../../../access/passkey/store.ts';
import { safeNextPath } from '../../../access/session/rules.ts';
import { nameText } from '../../../core/http/schema.ts';
import { write } from '../../../core/http/write.ts';
import { useWords } from '../../../messages/context.ts';
import { action, type PageContext, type SignOutActions } from '../../ui/confirm/action.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { Field, Form, Hidden, Input, Submit } from '../../ui/form/form.tsx';
import { Table } from '../../ui/list/rows.tsx';
import { Card, Empty } from '../../ui/parts/components.tsx';
import type { NoActions, PropWith } from '../../ui/parts/form-rules.ts';
import { refuseInWords } from '../../ui/parts/language.ts';
import { Time } from '../../ui/parts/time.tsx';

/** The script of pages with passkeys. */
export const PASSKEY_SCRIPT = 'passkey.js';

/** A part of a page for browsers with passkeys: it creates one (`create`) or signs in with one (`get`). */
const WithPasskey: FC<PropsWithChildren<{ way: 'create' | 'get'; none: string }>> = ({
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

/** The user's own passkeys. `adds`: the reason why none can be added now, if there is one. */
export const PasskeyCard: FC<{ passkeys: readonly Passkey[]; adds: Adding }> = ({ passkeys, adds }) => {
  const { t } = useWords();
  return (
    <Card title={t('passkey.title')} id="passkeys">
      <p>{t('passkey.what')}</p>
      <Table<Passkey>
        caption={t('passkey.own')}
        rows={passkeys}
        empty={t('passkey.none')}
        columns={[
          { label: t('passkey.name'), value: ({ name }) => name },
          { label: t('passkey.host'), value: ({ host }) => host },
          { label: t('passkey.made'), value: ({ createDate }) => <Time at={createDate} /> },
          { label: t('passkey.used'), value: ({ lastUsedDate }) => <Time at={lastUsedDate} /> },
          {
            label: t('passkey.change'),
            acts: true,
            value: (one) => <Changes of={one} />,
          },
        ]}
      />
      <Adder adds={adds} />
    </Card>
  );
};

const Changes: FC<{ of: Passkey }> = ({ of: { uuid, name } }) => {
  const { t } = useWords();
  return (
    <div class="actions">
      <details class="rename">
        <summary class="button quiet">{t('passkey.rename')}</summary>
        <Form<PasskeyActions> action="renamePasskey" label={t('passkey.renameOne', { name })}>
          <Hidden name="passkey" value={uuid} />
          <Input name="name" value={name} autocomplete="off" label={t('passkey.newName', { name })} />
          <Submit quiet>{t('passkey.keep')}</Submit>
        </Form>
      </details>
      <Ask<PasskeyActions>
        action="deletePasskey"
        values={{ passkey: uuid }}
        label={t('passkey.deleteOne', { name })}
        quiet
      >
        {t('passkey.delete')}
      </Ask>
    </div>
  );
};

/** Whether a passkey can be added now. */
type Adding = 'now' | 'full' | 'afterSignIn' | 'notHere' | 'onlyCompany';

/** Whether the user can add a passkey now. */
export function addingOf(
  { session }: Pick<PageContext, 'session'>,
  {
    passkeys,
    host,
    onlyCompany,
  }: { passkeys: readonly Passkey[]; host: string | undefined; onlyCompany: boolean },
): Adding {
  if (onlyCompany) return 'onlyCompany';
  if (host === undefined) return 'notHere';
  if (passkeys.length >= PASSKEYS_MAXIMUM) return 'full';
  return isFresh(session, Date.now()) ? 'now' : 'afterSignIn';
}

const Adder: FC<{ adds: Adding }> = ({ adds }) => {
  const { t } = useWords();
  if (adds === 'now') {
    return (
      <WithPasskey way="create" none={t('passkey.notMade')}>
        <Form<PasskeyActions> action="addPasskey" label={t('passkey.add')}>
          <Hidden name="credential" value="" />
          <Field name="name" label={t('passkey.name')} hint={t('passkey.nameHint')} />
          <Submit>{t('passkey.add')}</Submit>
        </Form>
      </WithPasskey>
    );
  }
  return (
    <>
      <Empty>
        {adds === 'full' ? t('passkey.full', { maximum: PASSKEYS_MAXIMUM }) : t(`passkey.${adds}`)}
      </Empty>
      {adds === 'afterSignIn' && (
        <Form<SignOutActions> action="sign-out" to="/app/logout">
          <Submit quiet>{t('passkey.signInAgain')}</Submit>
        </Form>
      )}
    </>
  );
};

/**
 * Refuse to add a passkey long after the sign-in, because another person may be using the open session.
 * @throws 403
 */
const demandFresh = ({ session, words }: PageContext): void => {
  if (!isFresh(session, Date.now())) refuseInWords('permissionRequired', words.t('passkey.afterSignIn'));
};

const passkeyName = nameText(PASSKEY_NAME_MAXIMUM);

type PasskeyActions = ReturnType<typeof passkeyActions>;

/** The actions on the user's own passkeys. */
export function passkeyActions() {
  const ownOf = ({ database, session }: PageContext) =>
    database.all(passkeysQuery(database, session.user.uuid));
  return {
    passkeyOptions: action('signIn', z.object({}), async (at) => {
      demandFresh(at);
      const options = await addingOptions(at.c, at.session, await ownOf(at));
      return { done: '', data: { options } };
    }),
    addPasskey: action(
      'signIn',
      z.object({ name: passkeyName, credential: madeSchema }),
      async (at, _, { name, credential }) => {
        demandFresh(at);
        const { c, session, words, submission } = at;
        const { uuid: userUuid, email } = session.user;
        return onceByChallenge(c, `add ${session.uuid}`, async (given) => {
          const made = given && (await verifyMade(c, credential, given.challenge));
          if (!made) return refuseInWords('formExpired', words.t('passkey.notMade'));
          const { answered } = given;
          await write(c, submission, addPasskey, {
            userUuid,
            email,
            sessionUuid: session.uuid,
            name,
            ...made,
            answered,
          });
          return { done: words.t('passkey.added', { name }) };
        });
      },
    ),
    renamePasskey: action(
      'signIn',
      z.object({ passkey: z.uuid(), name: passkeyName }),
      async ({ c, session, words, submission }, _, { passkey, name }) => {
        const { uuid: userUuid, email } = session.user;
        await write(c, submission, renamePasskey, { userUuid, email, uuid: passkey, name });
        return { done: words.t('passkey.renamed', { name }) };
      },
    ),
    deletePasskey: action(
      'signIn',
      z.object({ passkey: z.uuid() }),
      async ({ c, session, words, submission }, _, { passkey }) => {
        const { uuid: userUuid, email } = session.user;
        await write(c, submission, deletePasskey, { userUuid, email, uuid: passkey });
        return { done: words.t('passkey.deleted') };
      },
      async (at, _, { passkey }) => {
        const { t } = at.words;
        const named = (await ownOf(at)).find(({ uuid }) => uuid === passkey);
        if (!named) return refuseInWords('notFound', t('passkey.unknown'));
        return {
          title: t('passkey.deleteOne', { name: named.name }),
          text: t('passkey.deleteText'),
          yes: t('passkey.deleteYes'),
          no: t('ask.keep'),
          note: false,
        };
      },
    ),
  };
}
