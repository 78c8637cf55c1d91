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
import { answerNothing, answerPublicPage, answerUnsignable, orLater } from './public-page.tsx';
import { spendPublic } from './quota.ts';
import { SignPage, type UnsavedReason } from './sign.tsx';
import { readSignableLoad, type SignableLoad, type Unsignable } from './sign-store.ts';

const app = new OpenAPIHono<AppEnv>();
const PATH = `${SIGNING_PATH}/:token`;
/** The longest token that is opened. Characters. */
const TOKEN_MAXIMUM = 300;
/** Pages that open a signing page on the same device. */
const BACK = /^\/app\/(?:gate|shipment|manifest)\/[0-9a-f-]{36}$/;

type Found = { link: SigningLink; load: SignableLoad } | { refused: Unsignable };

/**
 * The load of the link in the path, or the reason why it takes no signature. Undefined for a link that this service did
 * not make, at the host of another organization, and while its organization is suspended.
 */
async function readSignable(c: AppContext): Promise<Found | undefined> {
  const token = pathParams(c)['token']!;
  await spendPublic(c, null);
  const now = Date.now();
  const link =
    token.length > TOKEN_MAXIMUM ? undefined : await openSigningToken(settingsOf(c.env).sealingKeys, token);
  if (!link) return undefined;
  const database = new Database(link.organization, databasesOf(c.env), { retryReads: true });
  const { slug, load, isArchived } = await readSignableLoad(database, link, now);
  const host = ownSlug(c);
  if (slug === undefined || (host !== undefined && host !== slug)) return undefined;
  if (!load) return { refused: isArchived ? 'closed' : 'missing' };
  if (load.signed) return { link, load };
  if (link.expiresDate <= now) return { refused: 'expired' };
  return load.refused ? { refused: load.refused } : { link, load };
}

app.get(PATH, (c) =>
  orLater(c, async () => {
    const found = await readSignable(c);
    if (!found) return answerNothing(c);
    if ('refused' in found) return answerUnsignable(c, `unsigned.${found.refused}`);
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
    if ('refused' in found) return answerReason(c, 409, found.refused);
    const { link } = found;
    const { json } = await readJson(c);
    const parsed = signingFormSchema.safeParse(json);
    if (!parsed.success) return answerReason(c, 400, wrongPart(parsed.error.issues[0]?.path[0]));
    const { waitedMs = 0, ...given } = parsed.data;
    const signature = { ...given, uuid: link.signature, signDate: Date.now() - waitedMs };
    const command = link.kind === 'SHIPMENT' ? signShipment : signManifest;
    const request = ofService(command.name, { identifier: link.load, signature }, 'Signing link');
    const outcome = await execute(c.env, link.organization, request);
    if (outcome.kind === 'defect') throw new Error(`command ${command.name} failed`);
    if (outcome.kind !== 'refused') return c.body(null, 201, NOT_STORED);
    return answerReason(c, 409, REASONS[outcome.refusal.code] ?? 'failed');
  }),
);

const NOT_STORED = { 'Cache-Control': 'no-store' };

/** The reasons for refusals of the commands. */
const REASONS: Readonly<Record<string, UnsavedReason>> = {
  signingLinkUsed: 'used',
  signatureLimitReached: 'limit',
  shipmentClosed: 'cancelled',
  manifestClosed: 'cancelled',
  manifestBelongsToShipment: 'moved',
  shipmentNotFound: 'missing',
  manifestNotFound: 'missing',
};

const wrongPart = (part: unknown): UnsavedReason => (part === 'name' || part === 'strokes' ? part : 'failed');

/** An answer for the script of the page, which has the sentence for each reason. */
const answerReason = (c: AppContext, status: 400 | 409, reason: UnsavedReason): Response =>
  c.json({ reason }, status, NOT_STORED);

export const signRoutes = app;
