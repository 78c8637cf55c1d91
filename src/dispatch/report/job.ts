import { type SQL, sql } from 'drizzle-orm';
import type { Env } from '../../core/env.ts';
import type { Database } from '../../core/lib/database.ts';
import { livesHere } from '../../core/lib/look-up.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { ON_REQUEST } from '../../core/writer/job-timing.ts';
import type { Job } from '../../core/writer/jobs.ts';
import type { Overdue } from '../../core/writer/overdue.ts';

/** How long a run works, and how many statements it sends at most. D1 allows 1,000 in an invocation. */
const PIECE_MS = SECOND_MS;
const STATEMENTS_MAXIMUM = 500;
/** The number of shipments of one step. Each without figures is one statement. */
const SHIPMENTS_AT_ONCE = 50;

/**
 * Compute the figures of shipments that were completed by a version without figures. Each figure is computed by one
 * statement, so corrections at the same time are counted once. After an interruption, the next run continues.
 */
export const fillFigures: Job<Env> = async ({ database, now }) => {
  const until = now + PIECE_MS;
  let statements = 0;
  do {
    const sent = await step(database);
    if (sent === 0) return ON_REQUEST;
    statements += sent;
  } while (Date.now() < until && statements < STATEMENTS_MAXIMUM);
  return Date.now();
};

/** Compute the figures of the next shipments. Returns the number of statements; 0 if nothing is left to do. */
async function step(database: Database): Promise<number> {
  const { due, shipments } = await database.ask({ due: dueQuery(database), shipments: nextQuery(database) });
  if (due.length === 0) return 0;
  const last = shipments.at(-1);
  const writes = [
    ...shipments.filter(({ missing }) => missing === 1).map(({ uuid }) => computed(database, uuid)),
    last ? progress(database, last) : finished(database),
  ];
  await database.send(writes);
  return writes.length + 2;
}

const dueQuery = ({ organization }: Scope): SQL<{ due: 1 }> =>
  sql`SELECT 1 AS due FROM figures_due WHERE organization_uuid = ${organization}`;

interface ClosedShipment {
  uuid: string;
  closeDate: number;
  /** Whether it has no figures, but should have. */
  missing: 0 | 1;
}

const nextQuery = ({ organization }: Scope): SQL<ClosedShipment> => sql`SELECT s.uuid,
    s.close_date AS "closeDate", s.status = 'COMPLETED' AND NOT EXISTS (SELECT 1 FROM shipment_figures f
      WHERE f.organization_uuid = s.organization_uuid AND f.close_date = s.close_date
        AND f.shipment_uuid = s.uuid) AS missing
  FROM figures_due d CROSS JOIN shipment s ON s.organization_uuid = d.organization_uuid
    AND s.close_date IS NOT NULL AND (s.close_date, s.uuid) < (d.close_date, d.shipment_uuid)
  WHERE d.organization_uuid = ${organization}
  ORDER BY s.close_date DESC, s.uuid DESC LIMIT ${SHIPMENTS_AT_ONCE}`;

const computed = ({ organization }: Scope, uuid: string): Write =>
  sql`INSERT INTO shipment_figures SELECT * FROM computed_figures
    WHERE shipment_uuid = ${uuid} AND organization = ${organization} ON CONFLICT DO NOTHING`;

const progress = ({ organization }: Scope, { uuid, closeDate }: ClosedShipment): Write =>
  sql`UPDATE figures_due SET close_date = ${closeDate}, shipment_uuid = ${uuid}
    WHERE organization_uuid = ${organization}`;

const finished = ({ organization }: Scope): Write =>
  sql`DELETE FROM figures_due WHERE organization_uuid = ${organization}`;

/** Finds organizations whose shipments may lack figures. */
export const overdueFigures: Overdue = (before) => sql`SELECT organization_uuid AS uuid FROM figures_due
  CROSS JOIN organization ON organization.uuid = organization_uuid WHERE due_date <= ${before} AND ${livesHere}`;
