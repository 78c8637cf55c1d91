import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { databaseList } from '../../../access/database/list.ts';
import { missingOf } from '../../../access/database/missing.ts';
import { setOpen } from '../../../access/database/set-open.ts';
import type { StoredDatabase } from '../../../access/database/store.ts';
import { settingsOf } from '../../../core/env.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { action, type PageContext } from '../../ui/confirm/action.ts';
import { ActionButton } from '../../ui/form/form.tsx';
import type { Column } from '../../ui/list/rows.tsx';
import { page } from '../../ui/page/page.tsx';
import { Badge, OptionalText } from '../../ui/parts/components.tsx';
import { Time } from '../../ui/parts/time.tsx';
import { operatorList } from './listed.tsx';
import { bytes } from './words.ts';

/** The migrations that a cell names. A new database lacks all of them. */
const NAMED_MAXIMUM = 3;

function namesInShort(names: readonly string[]): string {
  if (names.length === 0) return 'None';
  const rest = names.length - NAMED_MAXIMUM;
  return names.slice(0, NAMED_MAXIMUM).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

const columns = (at: PageContext): readonly Column<StoredDatabase>[] => [
  { label: 'Database', sort: 'databaseName', value: ({ databaseName }) => databaseName },
  {
    label: 'New organizations',
    value: ({ open }) =>
      open === 1 ? (
        <Badge status="OPEN_FOR_NEW" label="Accepted" />
      ) : (
        <Badge status="DISABLED" label="Not accepted" />
      ),
  },
  { label: 'Organizations', number: true, value: ({ organizationsCount }) => organizationsCount },
  {
    label: 'Size',
    number: true,
    value: ({ sizeBytes }) => <OptionalText of={sizeBytes && bytes(sizeBytes)} />,
  },
  { label: 'Limit', number: true, value: () => bytes(settingsOf(at.c.env).DATABASE_LIMIT_BYTES) },
  {
    label: 'Missing migrations',
    value: ({ migrations }) => {
      const names = missingOf(migrations);
      return <OptionalText of={names && namesInShort(names)} />;
    },
  },
  { label: 'Measured', value: ({ measureDate }) => <Time at={measureDate} /> },
  ...(at.may('operator:OPERATE')
    ? [
        {
          label: 'Change',
          acts: true as const,
          value: ({ databaseName, open }: StoredDatabase) => (
            <ActionButton<typeof actions>
              action="open"
              values={{ databaseName, open: open === 1 ? 'false' : 'true' }}
              quiet
              label={open === 1 ? `Close ${databaseName}` : `Open ${databaseName}`}
            >
              {open === 1 ? 'Close' : 'Open'}
            </ActionButton>
          ),
        },
      ]
    : []),
];

const actions = {
  open: action(
    'operator:OPERATE',
    z.object({ databaseName: z.string().max(255), open: z.enum(['true', 'false']) }),
    async ({ c, submission }, _, { databaseName, open }) => {
      await setOpen(c, submission, databaseName, open === 'true');
      return {
        done:
          open === 'true'
            ? `${databaseName} takes new organizations.`
            : `${databaseName} takes no new organizations.`,
      };
    },
  ),
};

/** The pages about the databases. */
export function operatorDatabasePages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/operator/database',
    right: 'operator:READ',
    query: databaseList.query,
    async view(at, _, query) {
      const of = { list: databaseList, columns: columns(at), empty: 'No database is bound.' };
      return { title: 'Databases', body: await operatorList(at, of, query, databasesOf(at.c.env).names) };
    },
    actions,
  });
}
