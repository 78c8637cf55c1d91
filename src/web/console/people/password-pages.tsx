import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { attemptSucceeded, beginAttempt } from '../../../access/session/attempts.ts';
import { findInvited, type Invited } from '../../../access/session/invited.ts';
import { changePassword, redeemInvite } from '../../../access/session/password-commands.ts';
import { setFlash, setSessionCookie } from '../../../access/session/request.ts';
import { AFTER_ATTEMPTS } from '../../../access/session/rules.ts';
import { attemptKeys, newSession } from '../../../access/session/sign-in.ts';
import { passwordQuery } from '../../../access/session/store.ts';
import { hashPassword, inLine, verifyPassword } from '../../../access/user/password.ts';
import { PASSWORD_MINIMUM } from '../../../access/user/rules.ts';
import { passwordSchema } from '../../../access/user/schema.ts';
import { refuseWeak } from '../../../access/user/weak-password.ts';
import { ownSlug } from '../../../core/http/hosts.ts';
import type { AppContext, AppEnv } from '../../../core/http/types.ts';
import { refuse, write, writeAs } from '../../../core/http/write.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { refusal } from '../../../core/lib/problem.ts';
import { useWords } from '../../../messages/context.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import type { Words } from '../../../messages/words.ts';
import { type ActionContext, action } from '../../ui/confirm/action.ts';
import { Field, Form, Submit } from '../../ui/form/form.tsx';
import { redirect } from '../../ui/page/answer.tsx';
import { page } from '../../ui/page/page.tsx';
import { Facts } from '../../ui/parts/components.tsx';
import { refuseInWords, TranslatedError } from '../../ui/parts/language.ts';
import { may } from '../../ui/parts/rights.ts';

/** A typed password. The rule for new ones is stricter, and has its own message. */
const typed = z.string().max(1_000);
const newPassword = z.object({ password: typed, passwordAgain: typed });

/**
 * Refuse a password at one of the form fields.
 * @throws 400
 */
const wrong = (field: string, message: string): never =>
  refuseInWords('validationFailed', message, { errors: [{ field, code: 'validationFailed', message }] });

/**
 * Check a new password, typed twice, of a user with these names.
 * @throws 400 if it is too weak, or the two differ
 */
async function checkNew(
  c: AppContext,
  { t }: Words,
  { password, passwordAgain }: z.output<typeof newPassword>,
  own: readonly string[],
): Promise<void> {
  const rule = t('password.rule', { minimum: PASSWORD_MINIMUM });
  if (!passwordSchema.safeParse(password).success) wrong('password', rule);
  if (password !== passwordAgain) wrong('passwordAgain', t('password.different'));
  await refuseWeak(c, password, own);
}

const NewPasswordFields = () => {
  const { t } = useWords();
  return (
    <>
      <Field
        name="password"
        label={t('password.new')}
        type="password"
        autocomplete="new-password"
        hint={t('password.hint', { minimum: PASSWORD_MINIMUM })}
        required
      />
      <Field
        name="passwordAgain"
        label={t('password.again')}
        type="password"
        autocomplete="new-password"
        required
      />
    </>
  );
};

/** The pages for changing the own password, and for links that set one. */
export function passwordPages(app: Hono<AppEnv>): void {
  passwordPage(app);
  invitePage(app);
}

const changeActions = {
  change: action('signIn', newPassword.extend({ currentPassword: typed }), changeOwn),
};

function passwordPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/password',
    right: 'signIn',
    languages: LANGUAGES,
    beforePasswordChange: true,
    view: ({ session: { user }, words: { t } }) => ({
      title: t('password.title'),
      body: (
        <Form<typeof changeActions> action="change" class="card">
          {user.passwordChangeRequired && <p>{t('password.first')}</p>}
          <Field
            name="username"
            label={t('signIn.email')}
            value={user.email}
            autocomplete="username"
            readonly
          />
          <Field
            name="currentPassword"
            label={t('password.current')}
            type="password"
            autocomplete="current-password"
            required
          />
          <NewPasswordFields />
          <Submit>{t('password.change')}</Submit>
        </Form>
      ),
    }),
    actions: changeActions,
  });
}

/** Change the user's own password. All other sessions end, and this one continues with a new token. */
async function changeOwn(
  { c, session, database, words, submission }: ActionContext,
  _: unknown,
  form: z.output<typeof newPassword> & { currentPassword: string },
): Promise<Response> {
  const { t } = words;
  const { user, organization } = session;
  const own = [`${user.firstName} ${user.lastName}`, user.email, organization.name, organization.slug];
  await checkNew(c, words, form, own);
  return inLine(async (permit) => {
    const userUuid = user.uuid;
    const keys = attemptKeys(c, userUuid);
    if (!(await beginAttempt(databasesOf(c.env), keys, Date.now()))) {
      throw new TranslatedError(refusal('rateLimited', t('password.tooMany')), AFTER_ATTEMPTS);
    }
    const { stored } = await database.ask({ stored: passwordQuery(database, userUuid) });
    if (!(await verifyPassword(form.currentPassword, stored[0]?.passwordHash ?? null, permit))) {
      wrong('currentPassword', t('password.wrong'));
    }
    await attemptSucceeded(databasesOf(c.env), keys);
    if (form.password === form.currentPassword) wrong('password', t('password.same'));
    const { token, begun } = newSession(c, database.organization);
    const { replayed } = await write(c, submission, changePassword, {
      userUuid,
      sessionEpoch: stored[0]!.sessionEpoch,
      passwordHash: await hashPassword(form.password, permit),
      begun,
    });
    // If a form was sent twice, only the first answer has the token of the new session.
    if (!replayed) setSessionCookie(c, token);
    setFlash(c, t('password.changed'));
    return redirect(c, '/app');
  });
}

/**
 * The user of a link.
 * @throws 404 if the link was used or replaced, has expired or never existed; all look the same
 */
async function invitedBy(c: AppContext, token: string): Promise<Invited> {
  const invited = await findInvited(databasesOf(c.env), token, Date.now());
  const slug = ownSlug(c);
  if (!invited || (slug !== undefined && slug !== invited.slug)) {
    return refuse('inviteNotFound', 'The link is no longer valid. Ask for a new one.');
  }
  return invited;
}

const inviteActions = {
  default: action(
    'guest',
    newPassword,
    async ({ c, words, submission }, { token }: { token: string }, form) => {
      const invited = await invitedBy(c, token);
      const { displayName, email, slug, organizationName } = invited;
      await checkNew(c, words, form, [displayName, email, slug, organizationName]);
      const { token: session, begun } = newSession(c, invited.organization);
      const signsIn = may(invited.permissions, 'signIn');
      await writeAs(
        c,
        submission,
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
      if (!signsIn) return { done: words.t('password.isSet'), to: '/app/login' };
      setSessionCookie(c, session);
      return { done: words.t('password.isSetSignedIn'), to: '/app' };
    },
  ),
};

function invitePage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/invite/:token',
    right: 'guest',
    languages: LANGUAGES,
    params: z.object({ token: z.string() }),
    async view({ c, words: { t } }, { token }) {
      const { email, slug, displayName, organizationName } = await invitedBy(c, token);
      return {
        title: t('password.choose'),
        body: (
          <Form<typeof inviteActions> action="default" class="card">
            <Facts
              facts={[
                [t('password.name'), displayName],
                [
                  t('signIn.organization'),
                  organizationName === slug ? slug : `${organizationName} (${slug})`,
                ],
              ]}
            />
            <Field name="username" label={t('signIn.email')} value={email} autocomplete="username" readonly />
            <NewPasswordFields />
            <Submit>{t('password.set')}</Submit>
          </Form>
        ),
      };
    },
    actions: inviteActions,
  });
}
