import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { AppEnv } from '../../http/types.ts';
import { write } from '../../http/write.ts';
import { endSessions } from '../../session/commands.ts';
import { type ListedSession, sessionsQuery } from '../../session/store.ts';
import { Badge, Card, Facts, Value } from '../kit/components.tsx';
import { Form, Hidden, Submit } from '../kit/form.tsx';
import { action, page } from '../kit/page.tsx';
import { Table } from '../kit/rows.tsx';
import { Time } from '../kit/time.tsx';

/** The account of who is signed in, with its sessions. */
export function accountPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/account',
    right: 'signIn',
    async view({ session, database }) {
      const { user, organization } = session;
      const { sessions } = await database.ask({ sessions: sessionsQuery(database, user.uuid, Date.now()) });
      return {
        title: 'Your account',
        body: (
          <>
            <Card title={`${user.firstName} ${user.lastName}`}>
              <Facts
                facts={[
                  ['E-mail address', user.email],
                  ['Authority', user.authorityName],
                  ['Organization', organization.name],
                ]}
              />
              <p>
                <a class="button quiet" href="/app/password">
                  Change password
                </a>
              </p>
            </Card>
            <Card title="Your sessions">
              <Table<ListedSession>
                caption="Where you are signed in"
                rows={sessions}
                empty="No session."
                columns={[
                  { label: 'Browser', value: ({ userAgent }) => <Value of={userAgent} /> },
                  { label: 'Address', value: ({ ipAddress }) => <Value of={ipAddress} /> },
                  { label: 'Signed in', value: ({ createDate }) => <Time at={createDate} /> },
                  { label: 'Last used', value: ({ lastSeenDate }) => <Time at={lastSeenDate} /> },
                  {
                    label: 'End',
                    value: ({ uuid }) =>
                      uuid === session.uuid ? (
                        <Badge status="ACTIVE" />
                      ) : (
                        <Form action="end" class="inline">
                          <Hidden name="session" value={uuid} />
                          <Submit quiet>End</Submit>
                        </Form>
                      ),
                  },
                ]}
              />
              {sessions.length > 1 && (
                <Form action="endOthers">
                  <Submit danger>End all other sessions</Submit>
                </Form>
              )}
            </Card>
          </>
        ),
      };
    },
    actions: {
      end: action('signIn', z.object({ session: z.uuid() }), async (at, _, form) => {
        await write(at.c, endSessions, { userUuid: at.session.user.uuid, sessionUuids: [form.session] });
        return { done: 'The session has ended.' };
      }),
      endOthers: action('signIn', z.object({}), async ({ c, session, database }) => {
        const userUuid = session.user.uuid;
        const { sessions } = await database.ask({ sessions: sessionsQuery(database, userUuid, Date.now()) });
        const others = sessions.map(({ uuid }) => uuid).filter((uuid) => uuid !== session.uuid);
        await write(c, endSessions, { userUuid, sessionUuids: others });
        return { done: 'All other sessions have ended.' };
      }),
    },
  });
}
