import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { parseViews, type ViewRow } from '../../../../core/lib/view.ts';
import type { GateReference } from '../../../../dispatch/gate/rules.ts';
import { gateReferenceView } from '../../../../dispatch/gate/store.ts';
import { GatePlate } from '../../kit/gates.tsx';
import { page } from '../../kit/page.tsx';
import { byUuid, found, ResourceLink } from '../../kit/resource.tsx';
import { newsQueries } from './news-store.ts';
import { Paper } from './paper.tsx';
import { PAPER_LIMITS, paperQuery } from './paper-store.ts';

type Kind = 'shipment' | 'manifest';

/** The name and gate of a load. */
const headQuery = (
  { organization }: Database,
  kind: Kind,
  uuid: string,
): SQL<ViewRow<SQL<{ name: string; gate: GateReference | null }>>> => sql`SELECT json_object(
    'name', external_identifier, 'gate', ${gateReferenceView(sql`organization_uuid`, sql`gate_uuid`)}) AS view
  FROM ${sql.identifier(kind)} WHERE uuid = ${uuid} AND organization_uuid = ${organization}`;

/** The loading list of a load: all its pallets, to be printed. */
export function loadingListPage(
  app: Hono<AppEnv>,
  kind: Kind,
  manifestsOf: (at: Database, uuid: string) => SQL,
): void {
  page(app, {
    path: `/app/${kind}/:uuid/loading-list`,
    right: 'see',
    ...(kind === 'shipment' ? { feature: 'SHIPMENT' as const } : {}),
    params: byUuid,
    async view({ database, words: { t } }, { uuid }) {
      const manifests = manifestsOf(database, uuid);
      const { heads, parts, pallets } = await database.ask({
        heads: headQuery(database, kind, uuid),
        parts: newsQueries(database, manifests, undefined).parts,
        pallets: paperQuery(database, manifests, PAPER_LIMITS.list),
      });
      const { name, gate } = found(
        heads,
        kind === 'shipment' ? 'shipmentNotFound' : 'manifestNotFound',
        uuid,
      );
      return {
        title: t('paper.of', { name }),
        aside: <GatePlate gate={gate} />,
        styles: ['holder.css'],
        body: (
          <>
            <p class="actions">
              <ResourceLink resource={kind} uuid={uuid}>
                {name}
              </ResourceLink>
            </p>
            <Paper parts={parseViews(parts)} pallets={parseViews(pallets)} limit={PAPER_LIMITS.list} />
          </>
        ),
      };
    },
  });
}
