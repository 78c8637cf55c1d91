import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { settingsOf } from '../../env.ts';
import { hostSlug } from '../../http/hosts.ts';
import { type AppContext, type AppEnv, hostname } from '../../http/types.ts';
import { refuse, write, writeAs } from '../../http/write.ts';
import { databasesOf } from '../../lib/databases.ts';
import { ProblemError, refusal } from '../../lib/problem.ts';
import { SECOND_MS } from '../../lib/time.ts';
import { findInvited, type Invited } from '../../session/invited.ts';
import { changePassword, redeemInvite } from '../../session/password-commands.ts';
import { giveFlash, giveSession } from '../../session/request.ts';
import { ATTEMPT_WINDOW_MS } from '../../session/rules.ts';
import { attemptKeys, newSession } from '../../session/sign-in.ts';
import { attemptSucceeded, beginAttempt, passwordQuery } from '../../session/store.ts';
import { hashPassword, inLine, verifyPassword } from '../../user/password.ts';
import { PASSWORD_MINIMUM } from '../../user/rules.ts';
import { passwordSchema } from '../../user/schema.ts';
import { refuseWeak } from '../../user/weak-password.ts';
import { redirect } from '../kit/answer.tsx';
import { Facts } from '../kit/components.tsx';
import { Field, Form, Submit } from '../kit/form.tsx';
import { type At, action, page } from '../kit/page.tsx';
import { may } from '../kit/rights.ts';

/** A new password, typed twice. */
const newPassword = { password: passwordSchema, passwordAgain: z.string() };

/** @throws 400 at one of the fields. */
function wrong(field: string, message: string): never {
  throw new ProblemError(
    refusal('validationFailed', message, { errors: [{ field, code: 'validationFailed', message }] }),
  );
}

function checkTwice({ password, passwordAgain }: { password: string; passwordAgain: string }): void {
  if (password !== passwordAgain) wrong('passwordAgain', 'The two passwords are not the same.');
}

const NewPasswordFields = () => (
  <>
    <Field
      name="password"
      label="New password"
      type="password"
      autocomplete="new-password"
      hint={`At least ${PASSWORD_MINIMUM} characters; several words are easier to remember than signs. Common passwords and your own name are refused.`}
      required
    />
    <Field
      name="passwordAgain"
      label="New password again"
      type="password"
      autocomplete="new-password"
      required
    />
  </>
);

/** Passwords: changing one's own, and links that set one. */
export function passwordPages(app: Hono<AppEnv>): void {
  passwordPage(app);
  invitePage(app);
}

function passwordPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/password',
    right: 'signIn',
    beforePasswordChange: true,
    view: ({ session: { user } }) => ({
      title: 'Change your password',
      body: (
        <Form action="change" class="card">
          {user.passwordChangeRequired && (
            <p>This is your first sign-in: choose a password that only you know.</p>
          )}
          <Field name="username" label="E-mail address" value={user.email} autocomplete="username" readonly />
          <Field
            name="currentPassword"
            label="Current password"
            type="password"
            autocomplete="current-password"
            required
          />
          <NewPasswordFields />
          <Submit>Change password</Submit>
        </Form>
      ),
    }),
    actions: {
      change: action('signIn', z.object({ currentPassword: z.string(), ...newPassword }), changeOwn),
    },
  });
}

/** Change the password of who is signed in; all other sessions end, and this one goes on under a new token. */
async function changeOwn(
  { c, session, database }: At,
  _: unknown,
  form: { currentPassword: string; password: string; passwordAgain: string },
): Promise<Response> {
  checkTwice(form);
  const { user, organization } = session;
  const own = [`${user.firstName} ${user.lastName}`, user.email, organization.name, organization.slug];
  await refuseWeak(c, form.password, own);
  return inLine(async (place) => {
    const userUuid = user.uuid;
    const keys = attemptKeys(c, userUuid);
    if (!(await beginAttempt(databasesOf(c.env), keys, Date.now()))) {
      throw new ProblemError(
        refusal('rateLimited', 'There were too many attempts. Wait a quarter of an hour.'),
        { 'Retry-After': String(ATTEMPT_WINDOW_MS / SECOND_MS) },
      );
    }
    const { stored } = await database.ask({ stored: passwordQuery(database, userUuid) });
    if (!(await verifyPassword(form.currentPassword, stored[0]?.passwordHash ?? null, place))) {
      wrong('currentPassword', 'This is not your current password.');
    }
    await attemptSucceeded(databasesOf(c.env), keys);
    if (form.password === form.currentPassword)
      wrong('password', 'Choose another password than the current one.');
    const { token, begun } = newSession(c, database.organization);
    await write(c, changePassword, {
      userUuid,
      sessionEpoch: stored[0]!.sessionEpoch,
      passwordHash: await hashPassword(form.password, place),
      begun,
    });
    giveSession(c, token);
    giveFlash(c, 'Your password is changed. Other sessions have ended.');
    return redirect(c, '/app');
  });
}

/** Whom a link was made for. @throws 404 for one that was used, replaced, has expired or never was, all alike. */
async function invitedBy(c: AppContext, token: string): Promise<Invited> {
  const invited = await findInvited(databasesOf(c.env), token, Date.now());
  const slug = hostSlug(hostname(c), settingsOf(c.env).BASE_DOMAIN);
  if (!invited || (slug !== undefined && slug !== invited.slug)) {
    return refuse('inviteNotFound', 'The link is no longer valid. Ask for a new one.');
  }
  return invited;
}

function invitePage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/invite/:token',
    right: 'guest',
    params: z.object({ token: z.string() }),
    async view({ c }, { token }) {
      const { email, slug, displayName } = await invitedBy(c, token);
      return {
        title: 'Choose a password',
        body: (
          <Form action="default" class="card">
            <Facts
              facts={[
                ['Name', displayName],
                ['Organization', slug],
              ]}
            />
            <Field name="username" label="E-mail address" value={email} autocomplete="username" readonly />
            <NewPasswordFields />
            <Submit>Set password</Submit>
          </Form>
        ),
      };
    },
    actions: {
      default: action('guest', z.object(newPassword), async ({ c }, { token }: { token: string }, form) => {
        const invited = await invitedBy(c, token);
        checkTwice(form);
        const { displayName, email, slug, organizationName } = invited;
        await refuseWeak(c, form.password, [displayName, email, slug, organizationName]);
        const { token: session, begun } = newSession(c, invited.organization);
        const signsIn = may(invited.permissions, 'signIn');
        await writeAs(
          c,
          invited.organization,
          { actorType: 'USER', uuid: invited.uuid, displayName: invited.displayName },
          redeemInvite,
          {
            userUuid: invited.uuid,
            inviteHash: invited.inviteHash,
            passwordHash: await hashPassword(form.password),
            begun: signsIn ? begun : null,
          },
        );
        if (!signsIn) return { done: 'Your password is set.', to: '/app/login' };
        giveSession(c, session);
        return { done: 'Your password is set, and you are signed in.', to: '/app' };
      }),
    },
  });
}
