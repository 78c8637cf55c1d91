import { OpenAPIHono } from '@hono/zod-openapi';
import { settingsOf } from '../../core/env.ts';
import { ownSlug } from '../../core/http/hosts.ts';
import { pathParams } from '../../core/http/routing.ts';
import { type AppContext, type AppEnv, target } from '../../core/http/types.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import { stopEmails } from '../../delivery/webhook/mail-commands.ts';
import { recipientQuery } from '../../delivery/webhook/mail-store.ts';
import { openStopToken, STOP_PATH, type StopLink } from '../../delivery/webhook/stop-link.ts';
import { answerNothing, answerPublicPage, orLater } from './public-page.tsx';
import { spendPublic } from './quota.ts';
import { StopPage } from './stop.tsx';

const app = new OpenAPIHono<AppEnv>();
const PATH = `${STOP_PATH}/:token`;
/** The longest token that is opened. An address has at most 254 characters. */
const TOKEN_MAXIMUM = 500;

interface Found {
  link: StopLink;
  /** The name of the organization. */
  sender: string;
  isStopped: boolean;
}

/**
 * The link in the path. Undefined for a link that this service did not make, at the host of another organization, and for
 * an organization that does not exist.
 */
async function readLink(c: AppContext): Promise<Found | undefined> {
  const token = pathParams(c)['token']!;
  await spendPublic(c, null);
  const link =
    token.length > TOKEN_MAXIMUM ? undefined : await openStopToken(settingsOf(c.env).sealingKeys, token);
  if (!link) return undefined;
  const database = new Database(link.organization, databasesOf(c.env), { retryReads: true });
  const found = await database.first(recipientQuery(database, link.address));
  const host = ownSlug(c);
  if (!found || (host !== undefined && host !== found.slug)) return undefined;
  return { link, sender: found.sender, isStopped: found.isStopped === 1 };
}

const answer = (c: AppContext, { sender }: Found, isStopped: boolean): Promise<Response> =>
  answerPublicPage(c, <StopPage sender={sender} isStopped={isStopped} path={target(c)} />, undefined, {
    policy: 'form',
  });

// Programs that scan e-mails open the links. So GET changes nothing.
app.get(PATH, (c) =>
  orLater(c, async () => {
    const found = await readLink(c);
    return found ? answer(c, found, found.isStopped) : answerNothing(c);
  }),
);

// Also the request of mail programs (RFC 8058). It has no cookies, and its answer must not redirect.
app.post(PATH, (c) =>
  orLater(c, async () => {
    const found = await readLink(c);
    if (!found) return answerNothing(c);
    const { organization, address } = found.link;
    const request = ofService(stopEmails.name, { address }, 'Recipient of e-mails');
    const outcome = await execute(c.env, organization, request);
    if (outcome.kind !== 'done') throw new Error(`command ${stopEmails.name} failed`);
    return answer(c, found, true);
  }),
);

export const stopRoutes = app;
