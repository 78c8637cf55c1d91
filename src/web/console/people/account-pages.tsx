import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { passkeyHost } from '../../../access/passkey/rules.ts';
import { onlyCompanyQuery, passkeysQuery } from '../../../access/passkey/store.ts';
import { endSessions } from '../../../access/session/commands.ts';
import { type ListedSession, sessionsQuery } from '../../../access/session/store.ts';
import { type AppEnv, hostname } from '../../../core/http/types.ts';
import { write } from '../../../core/http/write.ts';
import { useWords } from '../../../messages/context.ts';
import { action } from '../../ui/confirm/action.ts';
import { Form, Hidden, Submit } from '../../ui/form/form.tsx';
import { Table } from '../../ui/list/rows.tsx';
import { page } from '../../ui/page/page.tsx';
import { Badge, Card, Facts, OptionalText } from '../../ui/parts/components.tsx';
import { Time } from '../../ui/parts/time.tsx';
import { authorityIn } from './authority-words.ts';
import { addingOf, PASSKEY_SCRIPT, PasskeyCard, passkeyActions } from './passkey-card.tsx';

const actions = {
  ...passkeyActions(),
  end: action(
    'signIn',
    z.object({ session: z.uuid() }),
    async ({ c, session, words, submission }, _, form) => {
      await write(c, submission, endSessions, {
        userUuid: session.user.uuid,
        sessionUuids: [form.session],
      });
      return { done: words.t('account.ended') };
    },
  ),
  endOthers: action('signIn', z.object({}), async ({ c, session, database, words, submission }) => {
    const userUuid = session.user.uuid;
    const { sessions } = await database.ask({ sessions: sessionsQuery(database, userUuid, Date.now()) });
    const others = sessions.map(({ uuid }) => uuid).filter((uuid) => uuid !== session.uuid);
    await write(c, submission, endSessions, { userUuid, sessionUuids: others });
    return { done: words.t('account.othersEnded') };
  }),
};

/** The page of a user's own account, with passkeys and sessions. */
export function accountPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/account',
    right: 'signIn',
    async view({ c, session, database, words }) {
      const { t } = words;
      const { user, organization } = session;
      const { sessions, passkeys, ways } = await database.ask({
        sessions: sessionsQuery(database, user.uuid, Date.now()),
        passkeys: passkeysQuery(database, user.uuid),
        ways: onlyCompanyQuery(database),
      });
      const host = passkeyHost(hostname(c));
      const onlyCompany = ways[0]?.onlyCompany === 1;
      return {
        title: t('account.title'),
        scripts: [PASSKEY_SCRIPT],
        body: (
          <>
            <Card title={`${user.firstName} ${user.lastName}`}>
              <Facts
                facts={[
                  [t('account.email'), user.email],
                  [t('account.authority'), authorityIn(words, user.authorityName)],
                  [t('account.organization'), organization.name],
                ]}
              />
              <p>
                <a class="button quiet" href="/app/password">
                  {t('account.changePassword')}
                </a>
              </p>
            </Card>
            <PasskeyCard passkeys={passkeys} adds={addingOf({ session }, { passkeys, host, onlyCompany })} />
            <Sessions sessions={sessions} own={session.uuid} />
          </>
        ),
      };
    },
    actions,
  });
}

const Sessions: FC<{ sessions: readonly ListedSession[]; own: string }> = ({ sessions, own }) => {
  const { t } = useWords();
  return (
    <Card title={t('account.sessions')}>
      <Table<ListedSession>
        caption={t('account.where')}
        rows={sessions}
        empty={t('account.noSession')}
        columns={[
          { label: t('account.browser'), value: ({ userAgent }) => <OptionalText of={userAgent} /> },
          { label: t('account.address'), value: ({ ipAddress }) => <OptionalText of={ipAddress} /> },
          { label: t('account.signedIn'), value: ({ createDate }) => <Time at={createDate} /> },
          { label: t('account.lastUsed'), value: ({ lastSeenDate }) => <Time at={lastSeenDate} /> },
          {
            label: t('account.end'),
            value: ({ uuid }) =>
              uuid === own ? (
                <Badge status="ACTIVE" label={t('account.thisOne')} />
              ) : (
                <Form<typeof actions> action="end" class="inline">
                  <Hidden name="session" value={uuid} />
                  <Submit quiet>{t('account.end')}</Submit>
                </Form>
              ),
          },
        ]}
      />
      {sessions.length > 1 && (
        <Form<typeof actions> action="endOthers">
          <Submit danger>{t('account.endOthers')}</Submit>
        </Form>
      )}
    </Card>
  );
};
