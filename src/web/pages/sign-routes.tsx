import { OpenAPIHono } from '@hono/zod-openapi';
import { settingsOf } from '../../core/env.ts';
import { readJson } from '../../core/http/body.ts';
import { type AppContext, type AppEnv, origin, target } from '../../core/http/types.ts';
import { Database } from '../../core/lib/database.ts';
import { type Databases, databasesOf } from '../../core/lib/databases.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import { signManifest } from '../../dispatch/load/manifest/lifecycle-commands.ts';
import {
  type OpenedLink,
  openSigningToken,
  SIGNING_PATH,
  SIGNING_TOKEN,
} from '../../dispatch/load/shared/signature-link.ts';
import {
  POINTS_MAXIMUM,
  SIGNATURE_BOX,
  SIGNER_NAME_LENGTH,
  STROKES_MAXIMUM,
} from '../../dispatch/load/shared/signature-rules.ts';
import { signingFormSchema } from '../../dispatch/load/shared/signature-schema.ts';
import { signShipment } from '../../dispatch/load/shipment/lifecycle-commands.ts';
import { useWords } from '../../messages/context.ts';
import { proofDigest } from './proof-digest.ts';
import {
  answerNothing,
  answerPublicPage,
  answerUnsignable,
  GivenText,
  orLater,
  PublicHeader,
  PublicPage,
} from './public-page.tsx';
import { findByToken } from './published.ts';
import {
  findSignable,
  type LinkedSignature,
  type SignableLoad,
  UNSIGNABLE,
  type Unsignable,
} from './sign-store.ts';
import { SignatureList } from './summary-signatures.tsx';

/** Why a signature is not saved, or not yet. The script of the page has a sentence for each. */
const UNSAVED_REASONS = [
  ...['empty', 'name', 'role', 'strokes', 'offline', 'later', 'failed', 'used', 'limit'],
  ...UNSIGNABLE,
] as const;
type UnsavedReason = (typeof UNSAVED_REASONS)[number];

/** The page on which one person signs a load, at a gate or on an own phone. Afterwards it shows the signature. */
const SignPage = ({
  link: { kind, role },
  load,
  url,
  path,
  back,
}: {
  link: Pick<OpenedLink, 'kind' | 'role'>;
  load: SignableLoad;
  /** The address of the page, for another device. */
  url: string;
  /** Path and query of the page. */
  path: string;
  /** The page of this service that opened it, if it is on the same device. */
  back: string | undefined;
}) => {
  const { t, labelled } = useWords();
  return (
    <PublicPage
      title={`${t(`kind.${kind}`)} ${load.externalIdentifier}`}
      head={<script type="module" src="/assets/pages/sign.js" />}
    >
      <PublicHeader name={load.sender} path={path} />
      <main>
        <h1>
          {t(`kind.${kind}`)} <GivenText>{load.externalIdentifier}</GivenText>
        </h1>
        <p>
          {load.gateName === null ? null : (
            <>
              <GivenText>{load.gateName}</GivenText>
              <br />
            </>
          )}
          {t('proof.loadedOf', { loaded: load.loaded, total: load.total })}
        </p>
        <p>
          {labelled(t('proof.role'), t(`signer.${role}`))}
          <br />
          <strong>{t(`statement.${role}`)}</strong>
        </p>
        {load.signature ? (
          <Done signature={{ ...load.signature, role }} load={load} />
        ) : (
          <SignForm url={url} />
        )}
        {back === undefined ? null : (
          <p>
            <a href={back}>{t('sign.back')}</a>
          </p>
        )}
      </main>
    </PublicPage>
  );
};

const Done = ({
  signature,
  load: { timeZone, publicToken },
}: {
  signature: LinkedSignature & Pick<OpenedLink, 'role'>;
  load: SignableLoad;
}) => {
  const { t } = useWords();
  return (
    <>
      <p class="left" role="status">
        {t('sign.done')}
      </p>
      <SignatureList of={[signature]} zone={timeZone} />
      {publicToken === null ? null : (
        <p>
          <a class="button" href={`/public/proof-of-shipment/${publicToken}.pdf`}>
            {t('page.proof')}
          </a>
        </p>
      )}
    </>
  );
};

const SignForm = ({ url }: { url: string }) => {
  const { t } = useWords();
  return (
    <form
      id="sign"
      data-width={SIGNATURE_BOX.width}
      data-height={SIGNATURE_BOX.height}
      data-strokes={STROKES_MAXIMUM}
      data-points={POINTS_MAXIMUM}
      data-sending={t('sign.sending')}
      data-done={t('sign.done')}
      {...Object.fromEntries(
        UNSAVED_REASONS.map((reason) => [`data-unsaved-${reason}`, t(`unsigned.${reason}`)]),
      )}
    >
      <label>
        {t('proof.signer')}
        <input name="name" required maxlength={SIGNER_NAME_LENGTH} autocomplete="name" />
      </label>
      <p id="draw">{t('sign.draw')}</p>
      <canvas role="img" aria-labelledby="draw" />
      <p class="actions">
        <button type="submit" class="button">
          {t('sign.send')}
        </button>
        <button type="button" class="button quiet" data-clear>
          {t('sign.clear')}
        </button>
      </p>
      <p id="said" role="status" />
      <noscript>
        <p>{t('sign.noScript')}</p>
      </noscript>
      <p class="hint">{t('sign.other', { url })}</p>
    </form>
  );
};

const app = new OpenAPIHono<AppEnv>();
const PATH = `${SIGNING_PATH}/:token`;
/** Pages that open a signing page on the same device. */
const BACK = /^\/app\/(?:gate|shipment|manifest)\/[0-9a-f-]{36}$/;

type Found = { link: OpenedLink; load: SignableLoad } | { refused: Unsignable };

/**
 * The load of the link in the path, or the reason why it takes no signature. Undefined for a link that this service did
 * not make, at the host of another organization, and while its organization is suspended.
 */
async function readSignable(c: AppContext): Promise<Found | undefined> {
  const found = await findByToken(c, c.req.param()['token']!, findLoad(c), SIGNING_TOKEN);
  if (!found) return undefined;
  const { link, load } = found.shown;
  return load.signature || !load.refused ? { link, load } : { refused: load.refused };
}

const findLoad = (c: AppContext) => async (databases: Databases, token: string) => {
  const link = openSigningToken(settingsOf(c.env).sealingKeys, token);
  const load = link && (await findSignable(databases, link));
  return load && { link, load, organizationUuid: load.organizationUuid, slug: load.slug };
};

app.get(PATH, (c) =>
  orLater(c, async () => {
    const found = await readSignable(c);
    if (!found) return answerNothing(c);
    if ('refused' in found) return answerUnsignable(c, `unsigned.${found.refused}`);
    const url = `${origin(c)}${c.req.path}`;
    const asked = c.req.query('back') ?? '';
    const back = BACK.test(asked) ? asked : undefined;
    return answerPublicPage(c, <SignPage {...found} url={url} path={target(c)} back={back} />, undefined, {
      policy: 'live',
    });
  }),
);

app.post(PATH, (c) =>
  orLater(c, async () => {
    const found = await readSignable(c);
    if (!found) return answerNothing(c);
    if ('refused' in found) return answerReason(c, 409, found.refused);
    const { link, load } = found;
    const { json } = await readJson(c);
    const parsed = signingFormSchema.safeParse(json);
    if (!parsed.success) return answerReason(c, 400, wrongPart(parsed.error.issues[0]?.path[0]));
    const { waitedMs = 0, role = link.role, name, strokes } = parsed.data;
    if (role !== link.role) return answerReason(c, 400, 'role');
    const signDate = Math.max(Date.now() - waitedMs, link.createDate, load.createDate);
    const database = new Database(load.organizationUuid, databasesOf(c.env), { retryReads: true });
    const digest = await proofDigest(database, link.kind, link.load);
    const signature = { role, name, strokes, uuid: link.signature, signDate, digest };
    const command = link.kind === 'SHIPMENT' ? signShipment : signManifest;
    const request = ofService(command.name, { identifier: link.load, signature }, 'Signing link');
    const outcome = await execute(c.env, load.organizationUuid, request);
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

const wrongPart = (part: unknown): UnsavedReason =>
  part === 'name' || part === 'strokes' || part === 'role' ? part : 'failed';

/** An answer for the script of the page, which has the sentence for each reason. */
const answerReason = (c: AppContext, status: 400 | 409, reason: UnsavedReason): Response =>
  c.json({ reason }, status, NOT_STORED);

export const signRoutes = app;
