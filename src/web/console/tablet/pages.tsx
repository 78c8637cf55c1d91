import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { uuid } from '../../../core/http/schema.ts';
import { type AppEnv, origin } from '../../../core/http/types.ts';
import { refuseMissing, write } from '../../../core/http/write.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { taggedToken } from '../../../core/lib/id.ts';
import { parseViews, type Viewed } from '../../../core/lib/view.ts';
import { createTablet, renameTablet, revokeTablet } from '../../../dispatch/tablet/commands.ts';
import { LINK_LIFE_MS, tabletName } from '../../../dispatch/tablet/rules.ts';
import { tabletsQuery, type tabletView } from '../../../dispatch/tablet/store.ts';
import { useWords } from '../../../messages/context.ts';
import { type ActionContext, type ActionResult, action, type PageContext } from '../../ui/confirm/action.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { Field, Form, Hidden, Input, Submit } from '../../ui/form/form.tsx';
import { Table } from '../../ui/list/rows.tsx';
import { show } from '../../ui/page/answer.tsx';
import { type ByUuid, resourcePage } from '../../ui/page/resource.tsx';
import { Badge, Card, OptionalText } from '../../ui/parts/components.tsx';
import { Time } from '../../ui/parts/time.tsx';
import type { View } from '../../ui/parts/view.ts';
import { QrLink } from './qr.tsx';

const LINK_MINUTES = LINK_LIFE_MS / 60_000;
const name = tabletName;
type Tablet = Viewed<typeof tabletView>;

const actions = {
  pair: action('changeUsers', z.object({ name }), pair),
  rename: action(
    'changeUsers',
    z.object({ tablet: uuid, name }),
    async ({ c, words, submission }, gate: ByUuid, form) => {
      await write(c, submission, renameTablet, {
        uuid: form.tablet,
        gateUuid: gate.uuid,
        name: form.name,
      });
      return { done: words.t('tablet.renamed', { name: form.name }) };
    },
  ),
  revoke: action(
    'changeUsers',
    z.object({ tablet: uuid }),
    async ({ c, words, submission }, gate: ByUuid, form) => {
      await write(c, submission, revokeTablet, { uuid: form.tablet, gateUuid: gate.uuid });
      return { done: words.t('tablet.revoked') };
    },
    ({ words: { t } }) => ({
      title: t('tablet.revokeTitle'),
      text: <p>{t('tablet.revokeText')}</p>,
      yes: t('tablet.revoke'),
      no: t('tablet.keep'),
      reasons: [
        { value: 'Lost', label: t('tablet.lost') },
        { value: 'Broken', label: t('tablet.broken') },
        { value: 'Used elsewhere', label: t('tablet.elsewhere') },
      ],
    }),
  ),
};

/** The page with the tablets of a gate, and the link that pairs a device with the gate. */
export function tabletPages(app: Hono<AppEnv>): void {
  resourcePage(app, {
    path: '/app/gate/:uuid/tablets',
    right: 'seeUsers',
    view: tabletsView,
    actions,
  });
}

async function tabletsView(at: PageContext, { uuid: gateUuid }: ByUuid): Promise<View> {
  const {
    database,
    words: { t },
  } = at;
  const { gates, tablets } = await database.ask({
    gates: sql<{ name: string }>`SELECT name FROM gate
      WHERE uuid = ${gateUuid} AND +organization_uuid = ${database.organization}`,
    tablets: tabletsQuery(database, gateUuid),
  });
  const [gate] = gates;
  if (!gate) return refuseMissing('gateNotFound', gateUuid);
  const changes = at.may('changeUsers');
  const rows = parseViews(tablets);
  return {
    title: t('tablet.title', { gate: gate.name }),
    styles: ['settings.css'],
    aside: (
      <a class="button quiet" href={`/app/gate/${gateUuid}`}>
        {gate.name}
      </a>
    ),
    body: (
      <>
        {changes && (
          <Card title={t('tablet.new')}>
            <p class="hint">{t('tablet.newHint', { minutes: LINK_MINUTES })}</p>
            <Form<typeof actions> action="pair" label={t('tablet.new')}>
              <Field name="name" label={t('tablet.name')} hint={t('tablet.nameHint')} />
              <Submit>{t('tablet.makeLink')}</Submit>
            </Form>
          </Card>
        )}
        <Card title={t('tablet.all')}>
          <Table<Tablet>
            caption={t('tablet.caption')}
            rows={rows}
            empty={t('tablet.empty')}
            columns={[
              { label: t('tablet.name'), value: (tablet) => tablet.name },
              { label: t('tablet.state'), value: (tablet) => <Badge status={stateOf(tablet)} /> },
              { label: t('tablet.paired'), value: ({ pairedDate }) => <Time at={pairedDate} /> },
              { label: t('tablet.by'), value: ({ pairedBy }) => <OptionalText of={pairedBy} /> },
              { label: t('tablet.worker'), value: ({ worker }) => <OptionalText of={worker?.name} /> },
              { label: t('tablet.seen'), value: ({ lastSeenDate }) => <Time at={lastSeenDate} /> },
              ...(changes
                ? [
                    {
                      label: t('tablet.change'),
                      acts: true as const,
                      value: (tablet: Tablet) => <Changes tablet={tablet} />,
                    },
                  ]
                : []),
            ]}
          />
        </Card>
      </>
    ),
  };
}

/** The states of a tablet. */
export const TABLET_STATES = ['PENDING', 'LINK_TOO_OLD', 'ACTIVE', 'REVOKED'] as const;

function stateOf({ revokedDate, pairedDate, linkExpiresDate }: Tablet): (typeof TABLET_STATES)[number] {
  if (revokedDate !== null) return 'REVOKED';
  if (pairedDate !== null) return 'ACTIVE';
  return linkExpiresDate > Date.now() ? 'PENDING' : 'LINK_TOO_OLD';
}

const Changes: FC<{ tablet: Tablet }> = ({ tablet: { uuid: tablet, name: called, revokedDate } }) => {
  const { t } = useWords();
  return revokedDate !== null ? null : (
    <div class="actions">
      <details class="rename">
        <summary class="button quiet">{t('tablet.rename')}</summary>
        <Form<typeof actions> action="rename" label={t('tablet.renameOf', { name: called })}>
          <Hidden name="tablet" value={tablet} />
          <Input name="name" value={called} label={t('tablet.newNameOf', { name: called })} />
          <Submit quiet>{t('tablet.save')}</Submit>
        </Form>
      </details>
      <Ask<typeof actions> action="revoke" values={{ tablet }} label={t('tablet.revokeOf', { name: called })}>
        {t('tablet.revoke')}
      </Ask>
    </div>
  );
};

/** Create a link, and show it once. */
async function pair(
  at: ActionContext,
  { uuid: gateUuid }: ByUuid,
  form: { name: string },
): Promise<ActionResult> {
  const {
    c,
    session,
    submission,
    words: { t },
  } = at;
  const token = taggedToken(session.organization.uuid);
  const { replayed } = await write(c, submission, createTablet, {
    gateUuid,
    name: form.name,
    linkHash: sha256Hex(token),
    pairedByUuid: session.user.uuid,
    heldPermissions: session.user.permissions,
  });
  if (replayed) return { done: t('tablet.linkMade') };
  const link = `${origin(c)}/app/pair/${token}`;
  const view: View = {
    title: t('tablet.open', { name: form.name }),
    styles: ['settings.css'],
    body: (
      <section class="card pairing">
        <p>{t('tablet.openText', { minutes: LINK_MINUTES })}</p>
        <QrLink link={link} label={t('tablet.qr')} />
        <p>
          <code id="link">{link}</code>
        </p>
        <p>
          <a class="button" href={`/app/gate/${gateUuid}/tablets`}>
            {t('tablet.done')}
          </a>
        </p>
      </section>
    ),
  };
  return show(c, session, view, {});
}
