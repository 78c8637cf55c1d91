import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../http/types.ts';
import { readScan } from '../assets/scan-text.js';
import { redirect } from '../kit/answer.tsx';
import { Badge, Card, Value } from '../kit/components.tsx';
import { To } from '../kit/detail.tsx';
import { hasFeature } from '../kit/menu.tsx';
import { type At, page } from '../kit/page.tsx';
import { Table } from '../kit/rows.tsx';
import { findNamed, findParts, type Hit, KINDS, type Kind, LATEST, SHOWN } from './kinds.ts';

/** Characters that can be looked for; what a scanner sends has fewer. */
const TEXT_MAXIMUM = 255;

/** The one box of all pages: what is called exactly so opens, everything else is listed by kind. */
export function searchPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/search',
    right: 'see',
    query: z.object({
      q: z
        .string()
        .default('')
        .transform((text) => text.slice(0, TEXT_MAXIMUM).trim()),
    }),
    view: (at, _, { q }) => searched(at, q),
  });
}

async function searched(at: At, text: string) {
  const title = text === '' ? 'Search' : `Search: ${text}`;
  if (text === '') return { title, body: <p>{HELP}</p> };
  const kinds = KINDS.filter(
    ({ right, feature }) => at.may(right) && (feature === undefined || hasFeature(at.session, feature)),
  );
  const wanted = { ...readScan(text), text };
  const named = await findNamed(at.database, kinds, wanted);
  const [only] = named;
  if (only && named.length === 1) return redirect(at.c, `/app/${only.resource}/${only.uuid}`);
  if (named.length > 1) return { title, body: <Found title="Called so" hits={named} /> };
  const found = await findParts(at.database, kinds, wanted);
  const groups = kinds
    .map((kind, index) => ({ kind, hits: found[index]! }))
    .filter(({ hits }) => hits.length > 0);
  if (groups.length === 0) return { title, body: <Nothing text={text} /> };
  return {
    title,
    body: (
      <>
        {groups.map(({ kind, hits }) => (
          <Found title={kind.label} hits={hits} rest={{ kind, text }} />
        ))}
        <p class="hint">{BOUND}</p>
      </>
    ),
  };
}

const HELP =
  'Scan a label, or type a part of a pallet’s, manifest’s, shipment’s or gate’s number or name. Press / on any page.';
const BOUND = `A part of a name is looked for among the latest ${LATEST.toLocaleString('en')} of each kind; a whole one among all.`;

const Nothing: FC<{ text: string }> = ({ text }) => (
  <>
    <p>
      Nothing here is called <strong>{text}</strong>, in part or whole.
    </p>
    <p class="hint">{BOUND}</p>
  </>
);

/** What was found; `rest` leads to the list that has the others. */
const Found: FC<{ title: string; hits: readonly Hit[]; rest?: { kind: Kind; text: string } }> = ({
  title,
  hits,
  rest,
}) => (
  <Card title={title}>
    <Table
      caption={hits.length > SHOWN ? `The first ${SHOWN}` : `${hits.length} found`}
      rows={hits.slice(0, SHOWN)}
      empty=""
      columns={[
        {
          label: 'Name',
          value: ({ resource, uuid, name }) => (
            <To resource={resource} uuid={uuid}>
              {name}
            </To>
          ),
        },
        { label: 'Status', value: ({ state }) => (state ? <Badge status={state} /> : <Value of={null} />) },
        { label: 'More', value: ({ note }) => <Value of={note} /> },
      ]}
    />
    {rest && hits.length > SHOWN && (
      <p>
        <a href={`${rest.kind.list}?${new URLSearchParams({ q: rest.text })}`}>All that have it</a>
      </p>
    )}
  </Card>
);
