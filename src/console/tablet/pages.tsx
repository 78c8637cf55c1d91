import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { ownSlug } from '../../http/hosts.ts';
import { nameText, uuid } from '../../http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../../http/types.ts';
import { refuse, write, writeAs } from '../../http/write.ts';
import { databasesOf } from '../../lib/databases.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { taggedToken } from '../../lib/id.ts';
import { ProblemError } from '../../lib/problem.ts';
import { parseViews, type Viewed } from '../../lib/view.ts';
import { sessionOf } from '../../session/request.ts';
import { createTablet, linkRefused, pairTablet, renameTablet, revokeTablet } from '../../tablet/commands.ts';
import { giveTablet } from '../../tablet/request.ts';
import { LINK_LIFE_MS } from '../../tablet/rules.ts';
import { type FoundLink, findLink, tabletsQuery, type tabletView } from '../../tablet/store.ts';
import { redirect, show } from '../kit/answer.tsx';
import { Badge, Card, Facts, Value } from '../kit/components.tsx';
import { type ByUuid, byUuid, History } from '../kit/detail.tsx';
import { Field, Form, Hidden, Submit } from '../kit/form.tsx';
import { type At, action, type Done, page } from '../kit/page.tsx';
import { Ask, inEnglish } from '../kit/question.tsx';
import { Table } from '../kit/rows.tsx';
import { Time } from '../kit/time.tsx';
import type { View } from '../kit/view.ts';
import { QrCode } from './qr.tsx';

const LINK_MINUTES = LINK_LIFE_MS / 60_000;
const name = nameText(100);
type Tablet = Viewed<typeof tabletView>;

/** The tablets of a gate, and the link that makes a device one. */
export function tabletPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/gate/:uuid/tablets',
    right: 'seeUsers',
    params: byUuid,
    view: tabletsView,
    actions: {
      pair: action('changeUsers', z.object({ name }), pair),
      rename: action('changeUsers', z.object({ tablet: uuid, name }), async ({ c }, gate: ByUuid, form) => {
        await write(c, renameTablet, { uuid: form.tablet, gateUuid: gate.uuid, name: form.name });
        return { done: `The tablet is called ${form.name} now.` };
      }),
      revoke: action(
        'changeUsers',
        z.object({ tablet: uuid }),
        async ({ c }, gate: ByUuid, form) => {
          await write(c, revokeTablet, { uuid: form.tablet, gateUuid: gate.uuid });
          return { done: 'The tablet is revoked.' };
        },
        () => ({
          title: 'Revoke this tablet?',
          text: (
            <p>
              It does nothing at this gate any more, within seconds. What still waits on it is kept there, and
              is sent once it is paired anew and somebody takes it over. Nobody can undo that.
            </p>
          ),
          yes: 'Revoke',
          no: 'Keep it',
          reasons: inEnglish(['Lost', 'Broken', 'Used elsewhere']),
        }),
      ),
    },
  });
  pairPage(app);
}

async function tabletsView(at: At, { uuid: gateUuid }: ByUuid): Promise<View> {
  const { database } = at;
  const { gates, tablets } = await database.ask({
    gates: sql<{ name: string }>`SELECT name FROM gate
      WHERE uuid = ${gateUuid} AND +organization_uuid = ${database.organization}`,
    tablets: tabletsQuery(database, gateUuid),
  });
  const [gate] = gates;
  if (!gate) return refuse('gateNotFound', 'There is no such gate.', { status: 404 });
  const changes = at.may('changeUsers');
  const rows = parseViews(tablets);
  return {
    title: `Tablets of ${gate.name}`,
    styles: ['tablets.css'],
    aside: (
      <a class="button quiet" href={`/app/gate/${gateUuid}`}>
        {gate.name}
      </a>
    ),
    body: (
      <>
        {changes && (
          <Card title="New tablet">
            <p class="hint">
              Makes a link that one device uses once, within {LINK_MINUTES} minutes. That device then belongs
              to this gate until it is revoked: it needs no password, and does nothing else.
            </p>
            <Form action="pair" label="New tablet">
              <Field name="name" label="Name" maxlength={100} hint="As the audit log names it" required />
              <Submit>Make a link</Submit>
            </Form>
          </Card>
        )}
        <Card title="Tablets">
          <Table<Tablet>
            caption="Tablets of this gate, the newest first"
            rows={rows}
            empty="No tablet belongs to this gate."
            columns={[
              { label: 'Name', value: (tablet) => tablet.name },
              { label: 'State', value: (tablet) => <Badge status={stateOf(tablet)} /> },
              { label: 'Paired', value: ({ pairedDate }) => <Time at={pairedDate} /> },
              { label: 'By', value: ({ pairedBy }) => <Value of={pairedBy} /> },
              { label: 'Works there', value: ({ worker }) => <Value of={worker?.name} /> },
              { label: 'Last seen', value: ({ lastSeenDate }) => <Time at={lastSeenDate} /> },
              ...(changes
                ? [{ label: 'Change', value: (tablet: Tablet) => <Changes tablet={tablet} /> }]
                : []),
            ]}
          />
        </Card>
        <History at={at} uuid={gateUuid} />
      </>
    ),
  };
}

/** What a tablet is, for its sign. */
function stateOf({ revokedDate, pairedDate, linkExpiresDate }: Tablet): string {
  if (revokedDate !== null) return 'REVOKED';
  if (pairedDate !== null) return 'ACTIVE';
  return linkExpiresDate > Date.now() ? 'PENDING' : 'LINK_TOO_OLD';
}

const Changes: FC<{ tablet: Tablet }> = ({ tablet: { uuid: tablet, name: called, revokedDate } }) =>
  revokedDate !== null ? null : (
    <div class="actions">
      <details class="rename">
        <summary class="button quiet">Rename</summary>
        <Form action="rename" label={`Rename ${called}`}>
          <Hidden name="tablet" value={tablet} />
          <input name="name" value={called} maxlength={100} aria-label={`New name of ${called}`} required />
          <Submit quiet>Save</Submit>
        </Form>
      </details>
      <Ask action="revoke" values={{ tablet }} label={`Revoke ${called}`}>
        Revoke
      </Ask>
    </div>
  );

/** Make a link, and show it this once. */
async function pair(at: At, { uuid: gateUuid }: ByUuid, form: { name: string }): Promise<Done> {
  const { c, session } = at;
  const token = taggedToken(session.organization.uuid);
  const { replayed } = await write(c, createTablet, {
    gateUuid,
    name: form.name,
    linkHash: sha256Hex(token),
    pairedByUuid: session.user.uuid,
    heldPermissions: session.user.permissions,
  });
  if (replayed) return { done: 'The link was made, and is not shown again.' };
  const link = `${origin(c)}/app/pair/${token}`;
  const view: View = {
    title: `Open this on ${form.name}`,
    styles: ['tablets.css'],
    body: (
      <section class="card pairing">
        <p>
          Point the camera of the device at the code, or open the link there, within {LINK_MINUTES} minutes.
          It works once, and is not shown again.
        </p>
        <QrCode text={link} label="The link as a QR code" />
        <p>
          <code id="link">{link}</code>
        </p>
        <p>
          <a class="button" href={`/app/gate/${gateUuid}/tablets`}>
            Done
          </a>
        </p>
      </section>
    ),
  };
  return show(c, session, view, {});
}

/** What a link is for. @throws 404 and 409 where it pairs nothing (any more). */
async function linkOf(c: AppContext, token: string): Promise<FoundLink> {
  const link = await findLink(databasesOf(c.env), token);
  const slug = ownSlug(c);
  const own = slug === undefined || slug === link?.organization.slug ? link : undefined;
  const refused = linkRefused(own, Date.now());
  if (refused) throw new ProblemError(refused);
  return own!;
}

/** Opening the link spends nothing, as what looks ahead opens it, too: the button does. */
function pairPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/pair/:token',
    right: 'guest',
    translated: true,
    params: z.object({ token: z.string() }),
    async view({ c, words: { t } }, { token }) {
      const link = await linkOf(c, token);
      const session = await sessionOf(c);
      return {
        title: t('pair.title', { gate: link.gateName }),
        body: (
          <section class="card">
            <Facts
              facts={[
                [t('pair.gate'), link.gateName],
                [t('pair.device'), link.name],
                [t('signIn.organization'), link.organization.name],
              ]}
            />
            {session ? (
              <p class="notice warn" role="alert">
                {t('pair.signedIn', { name: `${session.user.firstName} ${session.user.lastName}` })}
              </p>
            ) : (
              <Form action="default">
                <p>{t('pair.text')}</p>
                <Submit>{t('pair.button')}</Submit>
              </Form>
            )}
          </section>
        ),
      };
    },
    actions: {
      default: action('guest', z.object({}), async ({ c }, { token }: { token: string }) => {
        const link = await linkOf(c, token);
        if (await sessionOf(c))
          refuse('permissionRequired', 'Somebody is signed in on this device: sign out first.');
        const secret = taggedToken(link.organization.uuid);
        await writeAs(
          c,
          link.organization.uuid,
          { actorType: 'TABLET', uuid: link.uuid, displayName: link.name },
          pairTablet,
          { linkHash: sha256Hex(token), tokenHash: sha256Hex(secret) },
        );
        giveTablet(c, secret);
        return redirect(c, `/app/gate/${link.gateUuid}`);
      }),
    },
  });
}
