import { OpenAPIHono } from '@hono/zod-openapi';
import { settingsOf } from '../../core/env.ts';
import { ownSlug } from '../../core/http/hosts.ts';
import { type AppContext, type AppEnv, target } from '../../core/http/types.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import { confirmEmails, stopEmails } from '../../delivery/webhook/commands.ts';
import { type MailLink, type MailLinkKind, openMailLink } from '../../delivery/webhook/mail.ts';
import { linkedRecipientQuery } from '../../delivery/webhook/mail-store.ts';
import { useWords } from '../../messages/context.ts';
import { answerNothing, answerPublicPage, orLater, PublicHeader, PublicPage } from './public-page.tsx';
import { spendPublic } from './quota.ts';

const TEXTS = {
  confirm: {
    title: 'confirm.title',
    ask: 'confirm.ask',
    button: 'confirm.button',
    done: 'confirm.done',
    doneWhy: 'confirm.doneWhy',
  },
  stop: {
    title: 'stop.title',
    ask: 'stop.ask',
    button: 'stop.button',
    done: 'stop.done',
    doneWhy: 'stop.doneWhy',
  },
} as const;

/**
 * The page with the button that confirms or stops the e-mails of an organization to one mailbox. It does not show the
 * address.
 */
const MailLinkPage = ({
  sender,
  kind,
  isDone,
  path,
}: {
  /** The name of the organization. */
  sender: string;
  kind: MailLinkKind;
  /** Whether the e-mails are confirmed or stopped. */
  isDone: boolean;
  path: string;
}) => {
  const { t } = useWords();
  const texts = TEXTS[kind];
  const title = t(isDone ? texts.done : texts.title);
  return (
    <PublicPage title={title} isDriver>
      <PublicHeader name={sender} path={path} />
      <main>
        <h1 class="left">{title}</h1>
        {isDone ? (
          <p role="status">{t(texts.doneWhy, { sender })}</p>
        ) : (
          <>
            <p>{t(texts.ask, { sender })}</p>
            <form method="post">
              <button type="submit" class="button">
                {t(texts.button)}
              </button>
            </form>
          </>
        )}
      </main>
    </PublicPage>
  );
};

const app = new OpenAPIHono<AppEnv>();
/** The longest token that is opened. An address has at most 254 characters. */
const TOKEN_MAXIMUM = 500;

const COMMANDS = { confirm: confirmEmails, stop: stopEmails };

interface Found {
  link: MailLink;
  /** The name of the organization. */
  sender: string;
  /** The answer that the recipient has given. A stop is final. */
  answered: MailLinkKind | undefined;
}

/**
 * The link in the path. Undefined for a link that this service did not make, at the host of another organization, and for
 * an organization that does not exist.
 */
async function readLink(c: AppContext, kind: MailLinkKind): Promise<Found | undefined> {
  const token = c.req.param()['token']!;
  await spendPublic(c, null);
  const link =
    token.length > TOKEN_MAXIMUM ? undefined : await openMailLink(settingsOf(c.env).sealingKeys, kind, token);
  if (!link) return undefined;
  const database = new Database(link.organization, databasesOf(c.env), { retryReads: true });
  const found = await database.first(linkedRecipientQuery(database, link.mailbox));
  const host = ownSlug(c);
  if (!found || (host !== undefined && host !== found.slug)) return undefined;
  const answered = found.isStopped ? 'stop' : found.isConfirmed ? 'confirm' : undefined;
  return { link, sender: found.sender, answered };
}

function answer(c: AppContext, kind: MailLinkKind, { sender, answered }: Found): Promise<Response> {
  // A recipient who has confirmed can still stop. A recipient who has stopped cannot confirm.
  const isDone = answered === 'stop' || answered === kind;
  const page = (
    <MailLinkPage sender={sender} kind={isDone ? answered! : kind} isDone={isDone} path={target(c)} />
  );
  return answerPublicPage(c, page, undefined, { policy: 'form' });
}

for (const kind of ['confirm', 'stop'] as const) {
  const path = `/${kind}/:token`;

  // Programs that scan e-mails open the links. So GET changes nothing.
  app.get(path, (c) =>
    orLater(c, async () => {
      const found = await readLink(c, kind);
      return found ? answer(c, kind, found) : answerNothing(c);
    }),
  );

  // Also the request of mail programs (RFC 8058). It has no cookies, and its answer must not redirect.
  app.post(path, (c) =>
    orLater(c, async () => {
      const found = await readLink(c, kind);
      if (!found) return answerNothing(c);
      const { organization, mailbox } = found.link;
      const request = ofService(COMMANDS[kind].name, { mailbox }, 'Recipient of e-mails');
      const outcome = await execute(c.env, organization, request);
      if (outcome.kind !== 'done') throw new Error(`command ${COMMANDS[kind].name} failed`);
      return answer(c, kind, { ...found, answered: found.answered === 'stop' ? 'stop' : kind });
    }),
  );
}

export const mailLinkRoutes = app;
