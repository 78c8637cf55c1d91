import { OpenAPIHono } from '@hono/zod-openapi';
import { settingsOf } from '../../core/env.ts';
import { readJson } from '../../core/http/body.ts';
import { ownSlug } from '../../core/http/hosts.ts';
import { pathParams } from '../../core/http/routing.ts';
import { type AppContext, type AppEnv, origin, target } from '../../core/http/types.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import { signManifest } from '../../dispatch/manifest/signature-commands.ts';
import { signShipment } from '../../dispatch/shipment/signature-commands.ts';
import { openSigningToken, SIGNING_PATH, type SigningLink } from '../../dispatch/signature/link.ts';
import { signingFormSchema } from '../../dispatch/signature/schema.ts';
import { answerNothing, answerPublicPage, orLater } from './public-page.tsx';
import { spendPublic } from './quota.ts';
import { SignPage } from './sign.tsx';
import { type SignableLoad, signableQuery } from './sign-store.ts';

const app = new OpenAPIHono<AppEnv>();
const PATH = `${SIGNING_PATH}/:token`;
/** The longest token that is opened. Characters. */
const TOKEN_MAXIMUM = 300;
/** Pages that open a signing page on the same device. */
const BACK = /^\/app\/(?:gate|shipment|manifest)\/[0-9a-f-]{36}$/;

/** The load of the link in the path; undefined if it cannot be signed, for every reason. */
async function readSignable(c: AppContext): Promise<{ link: SigningLink; load: SignableLoad } | undefined> {
  const token = pathParams(c)['token']!;
  await spendPublic(c, null);
  const now = Date.now();
  const link =
    token.length > TOKEN_MAXIMUM
      ? undefined
      : await openSigningToken(settingsOf(c.env).sealingKeys, token, now);
  if (!link) return undefined;
  const database = new Database(link.organization, databasesOf(c.env), { retryReads: true });
  const load = await database.first(signableQuery(database, link, now));
  if (!load) return undefined;
  const slug = ownSlug(c);
  return slug !== undefined && slug !== load.slug ? undefined : { link, load };
}

app.get(PATH, (c) =>
  orLater(c, async () => {
    const found = await readSignable(c);
    if (!found) return answerNothing(c);
    const { link, load } = found;
    const url = `${origin(c)}${c.req.path}`;
    const asked = c.req.query('back') ?? '';
    const back = BACK.test(asked) ? asked : undefined;
    const page = <SignPage kind={link.kind} load={load} url={url} path={target(c)} back={back} />;
    return answerPublicPage(c, page, undefined, { policy: 'live' });
  }),
);

app.post(PATH, (c) =>
  orLater(c, async () => {
    const found = await readSignable(c);
    if (!found) return answerNothing(c);
    const { link } = found;
    const { json } = await readJson(c);
    const parsed = signingFormSchema.safeParse(json);
    if (!parsed.success) return answerState(c, 400);
    const signature = { ...parsed.data, uuid: link.signature, signDate: Date.now() };
    const command = link.kind === 'SHIPMENT' ? signShipment : signManifest;
    const request = ofService(command.name, { identifier: link.load, signature }, 'Signing link');
    const outcome = await execute(c.env, link.organization, request);
    if (outcome.kind === 'defect') throw new Error(`command ${command.name} failed`);
    return answerState(c, outcome.kind === 'refused' ? 409 : 201);
  }),
);

/** An answer for the script of the page. */
const answerState = (c: AppContext, status: 201 | 400 | 409): Response =>
  c.body(null, status, { 'Cache-Control': 'no-store' });

export const signRoutes = app;
