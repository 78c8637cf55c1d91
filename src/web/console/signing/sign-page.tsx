import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { settingsOf } from '../../../core/env.ts';
import { type AppEnv, origin } from '../../../core/http/types.ts';
import type { Database } from '../../../core/lib/database.ts';
import { newUuid } from '../../../core/lib/id.ts';
import type { ViewRow } from '../../../core/lib/view.ts';
import { SIGNING_PATH, type SigningLink, signingToken } from '../../../dispatch/signature/link.ts';
import { SIGNING_MS } from '../../../dispatch/signature/rules.ts';
import { isSignable } from '../../../dispatch/signature/store.ts';
import { useWords } from '../../../messages/context.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import type { PageContext } from '../kit/action.ts';
import { page } from '../kit/page.tsx';
import { byUuid, found } from '../kit/resource.tsx';
import type { View } from '../kit/view.ts';
import { atGate } from '../tablet/at-gate.ts';
import { QrCode } from '../tablet/qr.tsx';

type Kind = SigningLink['kind'];

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

/** The page with a new signing link for one signature. A script shows it as a dialog. */
export function signPage(app: Hono<AppEnv>, kind: 'shipment' | 'manifest'): void {
  page(app, {
    path: `/app/${kind}/:uuid/sign`,
    right: 'operate',
    ...(kind === 'shipment' ? { feature: 'SHIPMENT' as const } : {}),
    params: byUuid,
    async view(at, { uuid }) {
      const { loads } = await at.database.ask({
        loads: signableQuery(at.database, kind === 'shipment' ? 'SHIPMENT' : 'MANIFEST', uuid),
      });
      const load = found(loads, kind === 'shipment' ? 'shipmentNotFound' : 'manifestNotFound', uuid);
      return signingView(at, { ...load, uuid }, `/app/${kind}/${uuid}`);
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
    tablet: atGate,
    async view(at, { uuid, load: loadUuid }) {
      const { shipments, manifests } = await at.database.ask({
        shipments: signableQuery(at.database, 'SHIPMENT', loadUuid, uuid),
        manifests: signableQuery(at.database, 'MANIFEST', loadUuid, uuid),
      });
      const load = found([...shipments, ...manifests], 'shipmentNotFound', loadUuid);
      const view = await signingView(at, { ...load, uuid: loadUuid }, `/app/gate/${uuid}`);
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

/** A page with a link that was made for it. */
async function signingView(
  { c, session, words: { t } }: PageContext,
  { kind, name, uuid }: { kind: Kind; name: string; uuid: string },
  back: string,
): Promise<View> {
  const token = await signingToken(settingsOf(c.env).sealingKeys, {
    kind,
    organization: session.organization.uuid,
    load: uuid,
    signature: newUuid(),
    expiresDate: Date.now() + SIGNING_MS,
  });
  const path = `${SIGNING_PATH}/${token}`;
  return {
    title: t('sign.title', { name }),
    styles: ['share.css'],
    scripts: ['copy.js'],
    body: <Signing link={`${origin(c)}${path}`} here={`${path}?back=${back}`} back={back} />,
  };
}

const Signing: FC<{ link: string; here: string; back: string }> = ({ link, here, back }) => {
  const { t } = useWords();
  return (
    <section class="asked share" id="asked">
      <QrCode text={link} label={t('sign.qr')} />
      <div>
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
      <p class="actions">
        <a class="button quiet" href={back} data-back>
          {t('sign.back')}
        </a>
      </p>
    </section>
  );
};
