import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../../core/http/types.ts';
import { listed } from '../../../core/lib/text.ts';
import { isLoadOpen, type LoadStatus } from '../../../dispatch/load/shared/status-rules.ts';
import { candidatesOf } from '../../../dispatch/track/store.ts';
import { useWords } from '../../../messages/context.ts';
import { ssccGroups } from '../../../pallet/gs1.ts';
import { looksMistyped, READING_MAXIMUM, type Reading, readIdentifier } from '../../../pallet/identifier.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { Table } from '../../ui/list/rows.tsx';
import { data, redirect, wantsJson } from '../../ui/page/answer.tsx';
import { hasFeature } from '../../ui/page/menu.tsx';
import { page } from '../../ui/page/page.tsx';
import { ResourceLink } from '../../ui/page/resource.tsx';
import { PalletId } from '../../ui/parts/badges.tsx';
import { Badge, Card, Empty, OptionalText, statusIn } from '../../ui/parts/components.tsx';
import { DepartureTime } from '../../ui/parts/roles.tsx';
import { type FieldHit, findNamed, findParts, findQuick, LATEST, QUICK_MINIMUM, SHOWN } from './hits.ts';
import { type Hit, KINDS, type Kind } from './kinds.ts';

/** The page of the search box: an exact identifier opens its page, other results are listed by kind. */
export function searchPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/search',
    right: 'see',
    query: z.object({
      q: z
        .string()
        .default('')
        .transform((text) => text.slice(0, READING_MAXIMUM)),
    }),
    view: (at, _, { q }) => searched(at, q),
  });
}

async function searched(at: PageContext, given: string) {
  const { t } = at.words;
  const reading = readIdentifier(given, at.database.organization);
  const { text } = reading;
  if (wantsJson(at.c)) return data(at.c, { hits: await quickHits(at, text) });
  const title = text === '' ? t('find.title') : t('find.titleOf', { text });
  if (text === '') return { title, body: <p>{t('find.help')}</p> };
  const kinds = KINDS.filter(
    ({ right, feature }) => at.may(right) && (feature === undefined || hasFeature(at.session, feature)),
  );
  const wanted = {
    ...{ reading, text, pallets: candidatesOf([reading]) },
    ids: [...reading.literal, ...reading.meant],
  };
  const named = await findNamed(at.database, kinds, wanted);
  const [only] = named;
  const zone = at.session.organization.timeZone;
  if (only && named.length === 1) return redirect(at.c, `/app/${only.resource}/${only.uuid}`);
  if (named.length > 1) return { title, body: <Found title={t('find.called')} hits={named} zone={zone} /> };
  const { parts, fielded } = await findParts(at.database, kinds, wanted);
  const groups = kinds
    .map((kind, index) => ({ kind, hits: parts[index]! }))
    .filter(({ hits }) => hits.length > 0);
  if (groups.length === 0 && fielded.length === 0) return { title, body: <Nothing reading={reading} /> };
  return {
    title,
    body: (
      <>
        {groups.map(({ kind, hits }) => (
          <Found title={t(`findKind.${kind.table}`)} hits={hits} zone={zone} rest={{ kind, text }} />
        ))}
        {fielded.length > 0 && <Found title={t('find.fielded')} hits={fielded} zone={zone} />}
        <Bound />
      </>
    ),
  };
}

/** The results for the command palette: shipments, or manifests where there are no shipments. */
async function quickHits(at: PageContext, text: string) {
  const wanted = hasFeature(at.session, 'SHIPMENT') ? 'shipment' : 'manifest';
  const kinds = KINDS.filter(({ table }) => table === wanted);
  const hits = [...text].length < QUICK_MINIMUM ? [] : await findQuick(at.database, kinds, text);
  return hits.map(({ resource, uuid, name, state, note }) => ({
    name,
    path: `/app/${resource}/${uuid}`,
    note: listed(state && statusIn(at.words, state), note === null ? null : String(note)),
  }));
}

/** Shows in how many rows a part of a name was searched. */
const Bound: FC = () => <p class="hint">{useWords().t('find.bound', { count: LATEST })}</p>;

const Nothing: FC<{ reading: Reading }> = ({ reading }) => {
  const { t } = useWords();
  return (
    <>
      <Empty>{t('find.nothing', { text: reading.text })}</Empty>
      {looksMistyped(reading) && <p>{t('scan.keyboard')}</p>}
      <Bound />
    </>
  );
};

/** Details that distinguish results: the marker of a pallet, the departure and carrier of a shipment. */
const More: FC<{ hit: Hit; zone: string }> = ({ hit: { resource, state, note, departs }, zone }) => {
  const { t } = useWords();
  if (resource === 'track' && note !== null) return t('find.marker', { code: String(note) });
  if (departs === null) return <OptionalText of={note} />;
  return (
    <>
      <DepartureTime at={departs} open={isLoadOpen(state as LoadStatus)} zone={zone} written="" /> {note}
    </>
  );
};

interface FoundProps {
  title: string;
  hits: readonly (Hit | FieldHit)[];
  zone: string;
  /** A link to the list with all matches. */
  rest?: { kind: Kind; text: string };
}

/** The results. */
const Found: FC<FoundProps> = ({ title, hits, zone, rest }) => {
  const { t } = useWords();
  return (
    <Card title={title}>
      <Table
        caption={
          hits.length > SHOWN ? t('find.first', { count: SHOWN }) : t('find.found', { count: hits.length })
        }
        rows={hits.slice(0, SHOWN)}
        empty=""
        columns={[
          {
            label: t('find.name'),
            value: ({ resource, uuid, name }) => (
              <ResourceLink resource={resource} uuid={uuid}>
                {ssccGroups(name) ? <PalletId id={name} /> : name}
              </ResourceLink>
            ),
          },
          {
            label: t('find.status'),
            narrow: 'evident',
            value: ({ state }) => (state ? <Badge status={state} /> : <OptionalText of={null} />),
          },
          {
            label: t('find.more'),
            narrow: 'wide',
            value: (hit) => ('field' in hit ? hit.field : <More hit={hit} zone={zone} />),
          },
        ]}
      />
      {rest && hits.length > SHOWN && (
        <p>
          <a href={`${rest.kind.list}?${new URLSearchParams({ q: rest.text })}`}>{t('find.all')}</a>
        </p>
      )}
    </Card>
  );
};
