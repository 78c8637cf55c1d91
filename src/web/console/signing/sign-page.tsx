import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { settingsOf } from '../../../core/env.ts';
import { type AppEnv, origin } from '../../../core/http/types.ts';
import type { Database } from '../../../core/lib/database.ts';
import type { ViewRow } from '../../../core/lib/view.ts';
import { SIGNING_PATH, type SigningLink, signingToken } from '../../../dispatch/signature/link.ts';
import { isSignable } from '../../../dispatch/signature/store.ts';
import { SIGNER_ROLES, type SignerRole } from '../../../dispatch/signature/table.ts';
import { useWords } from '../../../messages/context.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import type { PageContext } from '../kit/action.ts';
import { page } from '../kit/page.tsx';
import { byUuid, found } from '../kit/resource.tsx';
import type { View } from '../kit/view.ts';
import { atGate } from '../tablet/at-gate.ts';
import { QrLink } from '../tablet/qr.tsx';

type Kind = SigningLink['kind'];

/** The role of the person who signs. Without it, the page asks for it. */
const query = z.object({ role: z.enum(SIGNER_ROLES).optional() });

/** The load with a uuid if it can be signed, at a gate or anywhere. */
const signableQuery = (
  { organization }: Database,
  kind: Kind,
  uuid: string,
  gate?: string,
): SQL<ViewRow<SQL<{ kind: Kind; name: string }>>> =>
  sql`SELECT json_object('kind', ${kind}, 'name', p.external_identifier) AS view
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
      const load = found(loads, kind === 'shipment' ? 'shipmentNotFound' : 'manifestNotFound', uuid);
      const back = `/app/${kind}/${uuid}`;
      return signingView(at, { ...load, uuid, role }, { page: `${back}/sign`, back, isDialog: true });
    },
  });
}

/** The same for a load at a gate, also on the tablet of the gate. */
export function gateSignPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/gate/:uuid/sign/:load',
    right: 'load',
    languages: LANGUAGES,
    params: byUuid.extend({ load: z.uuid() }),
    query,
    tablet: atGate,
    async view(at, { uuid, load: loadUuid }, { role }) {
      const { shipments, manifests } = await at.database.ask({
        shipments: signableQuery(at.database, 'SHIPMENT', loadUuid, uuid),
        manifests: signableQuery(at.database, 'MANIFEST', loadUuid, uuid),
      });
      const load = found([...shipments, ...manifests], 'shipmentNotFound', loadUuid);
      const back = `/app/gate/${uuid}`;
      const view = signingView(
        at,
        { ...load, uuid: loadUuid, role },
        { page: `${back}/sign/${loadUuid}`, back, isDialog: false },
      );
      return {
        ...view,
        styles: ['gate.css', 'share.css'],
        body: (
          <>
            <header class="ghead">
              <h1>{view.title}</h1>
            </header>
            <div class="signing">{view.body}</div>
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

/** The question who signs, or a link that was made for this page. */
function signingView(
  { c, session, words: { t } }: PageContext,
  { kind, name, uuid, role }: { kind: Kind; name: string; uuid: string; role: SignerRole | undefined },
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
    styles: ['share.css'],
    scripts: ['copy.js'],
    body: (
      <section class={path ? 'asked share' : 'asked'} id="asked">
        {path ? (
          <Link
            link={`${origin(c)}${path}`}
            here={`${path}?back=${places.back}`}
            role={role}
            places={places}
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

const Link: FC<{ link: string; here: string; role: SignerRole; places: Places }> = ({
  link,
  here,
  role,
  places,
}) => {
  const { t } = useWords();
  return (
    <>
      <QrLink link={link} label={t('sign.qr')} />
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
        <p>{t('sign.scan')}</p>
        <p class="actions">
          <a class="button" href={here}>
            {t('sign.here')}
          </a>
        </p>
        <p class="copied">
          <code>{link}</code>
        </p>
      </div>
    </>
  );
};
