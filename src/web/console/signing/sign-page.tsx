import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { settingsOf } from '../../../core/env.ts';
import { type AppEnv, origin } from '../../../core/http/types.ts';
import type { Database } from '../../../core/lib/database.ts';
import type { ViewRow } from '../../../core/lib/view.ts';
import { endQuery } from '../../../core/writer/log.ts';
import {
  SIGNING_PATH,
  type SigningLink,
  signingToken,
} from '../../../dispatch/load/shared/signature-link.ts';
import {
  isSignable,
  type SignatureReference,
  signaturesView,
} from '../../../dispatch/load/shared/signature-store.ts';
import { SIGNER_ROLES, type SignerRole } from '../../../dispatch/load/shared/table.ts';
import { useWords } from '../../../messages/context.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { page } from '../../ui/page/page.tsx';
import { byUuid, requireRow } from '../../ui/page/resource.tsx';
import type { View } from '../../ui/parts/view.ts';
import { Live } from '../board/board-parts.tsx';
import { FeedLink } from '../board/gate-frame.tsx';
import { Signatures } from '../board/gate-signed.tsx';
import { signedTopics } from '../board/rules.ts';
import { atGate } from '../tablet/at-gate.ts';
import { QrLink } from '../tablet/qr.tsx';

type Kind = SigningLink['kind'];

/** The role of the person who signs. Without it, the page asks for it. */
const query = z.object({ role: z.enum(SIGNER_ROLES).optional() });

/** A load that can be signed, with the latest signature of each role. */
interface Signable {
  kind: Kind;
  name: string;
  signatures: SignatureReference[];
}

/** The load with a uuid if it can be signed, at a gate or anywhere. */
const signableQuery = (
  { organization }: Database,
  kind: Kind,
  uuid: string,
  gate?: string,
): SQL<ViewRow<SQL<Signable>>> =>
  sql`SELECT json_object('kind', ${kind}, 'name', p.external_identifier,
      'signatures', ${signaturesView(sql`p.organization_uuid`, sql`p.uuid`)}) AS view
    FROM ${sql.raw(kind.toLowerCase())} p WHERE p.uuid = ${uuid} AND p.organization_uuid = ${organization}
      AND ${isSignable(kind)} ${gate ? sql`AND p.gate_uuid = ${gate}` : sql``}`;

/** The page that asks who signs, and then has a new signing link for this role. A script shows it as a dialog. */
export function signPage(app: Hono<AppEnv>, kind: 'shipment' | 'manifest'): void {
  page(app, {
    path: `/app/${kind}/:uuid/sign`,
    right: 'operate',
    ...(kind === 'shipment' ? { feature: 'SHIPMENT' as const } : {}),
    params: byUuid,
    query,
    async view(at, { uuid }, { role }) {
      const { loads } = await at.database.ask({
        loads: signableQuery(at.database, kind === 'shipment' ? 'SHIPMENT' : 'MANIFEST', uuid),
      });
      const load = requireRow(loads, kind === 'shipment' ? 'shipmentNotFound' : 'manifestNotFound', uuid);
      const back = `/app/${kind}/${uuid}`;
      // The page of the load shows its signatures.
      return signingView(
        at,
        { ...load, uuid, role, signatures: [] },
        { page: `${back}/sign`, back, isDialog: true },
      );
    },
  });
}

/** The same for a load at a gate, also on the tablet of the gate. The page shows a signature as soon as it is saved. */
export function gateSignPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/gate/:uuid/sign/:load',
    right: 'load',
    languages: LANGUAGES,
    params: byUuid.extend({ load: z.uuid() }),
    query,
    tablet: atGate,
    async view(at, { uuid, load: loadUuid }, { role }) {
      const { heads, shipments, manifests } = await at.database.ask({
        heads: endQuery(at.database),
        shipments: signableQuery(at.database, 'SHIPMENT', loadUuid, uuid),
        manifests: signableQuery(at.database, 'MANIFEST', loadUuid, uuid),
      });
      const load = requireRow([...shipments, ...manifests], 'shipmentNotFound', loadUuid);
      const back = `/app/gate/${uuid}`;
      const path = `${back}/sign/${loadUuid}`;
      const view = signingView(at, { ...load, uuid: loadUuid, role }, { page: path, back, isDialog: false });
      const kind = load.kind === 'SHIPMENT' ? 'shipment' : 'manifest';
      return {
        ...view,
        styles: ['gate.css', 'records.css'],
        scripts: ['live.js', 'copy.js'],
        words: ['live'],
        body: (
          <>
            <header class="ghead">
              <h1 class="who">{view.title}</h1>
              <FeedLink again={role ? `${path}?role=${role}` : path} />
            </header>
            <Live
              sequenceNumber={heads[0]?.sequenceNumber ?? 0}
              title={view.title}
              topics={signedTopics([{ kind, externalIdentifier: load.name }])}
              class="signing"
            >
              {view.body}
            </Live>
          </>
        ),
        bare: true,
      };
    },
  });
}

/** Where a page with a signing link is, and the page to return to. */
interface Places {
  page: string;
  back: string;
  /** Whether a script may show the page as a dialog. */
  isDialog: boolean;
}

/** The question who signs, or a link that was made for this page. Without a link if this role has signed. */
function signingView(
  { c, session, words: { t } }: PageContext,
  { kind, name, uuid, role, signatures }: Signable & { uuid: string; role: SignerRole | undefined },
  places: Places,
): View {
  const path =
    role &&
    `${SIGNING_PATH}/${signingToken(settingsOf(c.env).sealingKeys, {
      kind,
      organization: session.organization.uuid,
      load: uuid,
      role,
      createDate: Date.now(),
    })}`;
  return {
    title: t('sign.title', { name }),
    styles: ['records.css'],
    scripts: ['copy.js'],
    body: (
      <section class={path ? 'asked share' : 'asked'} id="asked">
        {path ? (
          <Link
            link={`${origin(c)}${path}`}
            here={`${path}?back=${places.back}`}
            role={role}
            places={places}
            signatures={signatures}
          />
        ) : (
          <>
            <p>{t('sign.who')}</p>
            <p class="actions">
              {SIGNER_ROLES.map((each) => (
                <RoleLink role={each} places={places} class="button" />
              ))}
            </p>
          </>
        )}
        <p class="actions">
          <a class="button quiet" href={places.back} data-back>
            {t('sign.back')}
          </a>
        </p>
      </section>
    ),
  };
}

const RoleLink: FC<{ role: SignerRole; places: Places; chosen?: SignerRole; class?: string }> = ({
  role,
  places: { page: path, isDialog },
  chosen,
  class: look,
}) => (
  <a
    href={`${path}?role=${role}`}
    class={look}
    data-ask={isDialog}
    aria-current={role === chosen ? 'true' : undefined}
  >
    {useWords().t(`signer.${role}`)}
  </a>
);

const Link: FC<{
  link: string;
  here: string;
  role: SignerRole;
  places: Places;
  signatures: readonly SignatureReference[];
}> = ({ link, here, role, places, signatures }) => {
  const { t } = useWords();
  const isSigned = signatures.some((signature) => signature.role === role);
  return (
    <>
      {!isSigned && <QrLink link={link} label={t('sign.qr')} />}
      <div>
        <nav aria-label={t('sign.who')}>
          <ul class="languages">
            {SIGNER_ROLES.map((each) => (
              <li>
                <RoleLink role={each} places={places} chosen={role} />
              </li>
            ))}
          </ul>
        </nav>
        <Signatures signatures={signatures} />
        {!isSigned && <p>{t('sign.scan')}</p>}
        <p class="actions">
          <a class={isSigned ? 'button quiet' : 'button'} href={here}>
            {t('sign.here')}
          </a>
        </p>
        {!isSigned && (
          <p>
            <code>{link}</code>
          </p>
        )}
      </div>
    </>
  );
};
