import type { Hono } from 'hono';
import { OPERATOR_LOG } from '../../../access/credential/operator.ts';
import { settingsOf } from '../../../core/env.ts';
import { readsOf } from '../../../core/http/read.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { COUNTED_MAXIMUM, type DatabaseMetrics, readMetrics } from '../../../storage/metrics/store.ts';
import { type Column, Table } from '../../ui/list/rows.tsx';
import { OPERATOR_HOME } from '../../ui/page/operator-menu.tsx';
import { page } from '../../ui/page/page.tsx';
import { Badge, Card, OptionalText } from '../../ui/parts/components.tsx';
import { Time } from '../../ui/parts/time.tsx';
import { bytes } from './words.ts';

type Counted = Exclude<keyof NonNullable<DatabaseMetrics['counts']>, 'oldestDate' | 'figures'>;

/** A count from a database. Counting stops at a maximum, so the real number may be higher. */
const counted = (label: string, name: Counted): Column<DatabaseMetrics> => ({
  label,
  number: true,
  value: ({ counts }) => (
    <OptionalText of={(counts?.[name] ?? 0) >= COUNTED_MAXIMUM ? `${COUNTED_MAXIMUM}+` : counts?.[name]} />
  ),
});

/** The sum of such numbers over all databases. */
function Sum({ of, name }: { of: readonly DatabaseMetrics[]; name: Counted }) {
  const numbers = of.flatMap(({ counts }) => counts?.[name] ?? []);
  const isMore = numbers.some((number) => number >= COUNTED_MAXIMUM);
  return (
    <>
      {numbers.reduce((sum, number) => sum + number, 0)}
      {isMore && '+'}
    </>
  );
}

const isDown = ({ failureDate }: DatabaseMetrics): boolean => failureDate !== null;

const columns: readonly Column<DatabaseMetrics>[] = [
  { label: 'Database', value: ({ databaseName }) => <a href="/operator/database">{databaseName}</a> },
  {
    label: 'State',
    value: (metrics) =>
      metrics.measureDate === null && !isDown(metrics) ? (
        <OptionalText of={null} />
      ) : (
        <Badge status={isDown(metrics) ? 'OFFLINE' : 'ONLINE'} />
      ),
    narrow: 'evident',
  },
  {
    label: 'Size',
    number: true,
    value: ({ sizeBytes }) => <OptionalText of={sizeBytes && bytes(sizeBytes)} />,
  },
  counted('Running operations', 'operations'),
  counted('Undelivered events', 'undelivered'),
  { label: 'Oldest undelivered event', value: ({ counts }) => <Time at={counts?.oldestDate ?? null} /> },
  counted('Dead letters', 'deadLetters'),
  counted('Sealed with another key', 'sealedOtherwise'),
  { label: 'Measured', value: ({ measureDate }) => <Time at={measureDate} /> },
];

/** The page about the health of the service. */
export function operatorHealthPages(app: Hono<AppEnv>): void {
  page(app, {
    path: OPERATOR_HOME,
    right: 'operator:READ',
    async view({ c }) {
      const { ENVIRONMENT, BASE_DOMAIN, sealingKeys } = settingsOf(c.env);
      const { organizations, databases } = await readMetrics(
        databasesOf(c.env),
        readsOf(c, OPERATOR_LOG),
        sealingKeys,
      );
      return {
        title: 'Health',
        aside: <Badge status={databases.some(isDown) ? 'DEGRADED' : 'ONLINE'} />,
        body: (
          <>
            <Card title="Service">
              <dl class="counts">
                {(
                  [
                    ['Running operations', <Sum of={databases} name="operations" />],
                    ['Undelivered events', <Sum of={databases} name="undelivered" />],
                    [
                      <a href="/operator/dead-letter">Dead letters</a>,
                      <Sum of={databases} name="deadLetters" />,
                    ],
                    [<a href="/operator/organization">Organizations</a>, <OptionalText of={organizations} />],
                  ] as const
                ).map(([label, value]) => (
                  <div>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              <p class="hint">
                {ENVIRONMENT}, at {BASE_DOMAIN}
              </p>
            </Card>
            <Card title="Databases and their pending work">
              <Table
                caption={`${databases.length} in all`}
                rows={databases}
                columns={columns}
                empty="No database is bound."
              />
            </Card>
          </>
        ),
      };
    },
  });
}
