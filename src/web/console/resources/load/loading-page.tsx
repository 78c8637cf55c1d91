import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { listed } from '../../../../core/lib/text.ts';
import { parseViews, type ViewRow } from '../../../../core/lib/view.ts';
import type { GateReference } from '../../../../dispatch/gate/rules.ts';
import { gateReferenceView } from '../../../../dispatch/gate/store.ts';
import type { Words } from '../../../../messages/words.ts';
import { GatePlate } from '../../../ui/list/gates.tsx';
import { page } from '../../../ui/page/page.tsx';
import { byUuid, ResourceLink, requireRow } from '../../../ui/page/resource.tsx';
import type { Leaving } from '../../board/rules.ts';
import { leavingView } from '../../board/store.ts';
import { newsQueries } from './news-store.ts';
import { Paper } from './paper.tsx';
import { PAPER_LIMITS, paperQuery } from './paper-store.ts';

type Kind = 'shipment' | 'manifest';

/** The head of a list. A manifest takes its departure and carrier from its shipment. */
interface Head extends Leaving {
  name: string;
  gate: GateReference | null;
}

const shipmentOfManifest = sql`(SELECT shipment_uuid FROM shipment_manifest s
  WHERE s.organization_uuid = head.organization_uuid AND s.manifest_uuid = head.uuid)`;

const headQuery = (
  { organization }: Database,
  kind: Kind,
  uuid: string,
): SQL<ViewRow<SQL<Head>>> => sql`SELECT json_object('name', name,
    'gate', ${gateReferenceView(sql`h.organization_uuid`, sql`h.gate_uuid`)}, ${leavingView(sql`h`)}) AS view
  FROM (SELECT external_identifier AS name, gate_uuid, organization_uuid,
      ${kind === 'shipment' ? sql`uuid` : shipmentOfManifest} AS uuid
    FROM ${sql.identifier(kind)} head WHERE uuid = ${uuid} AND organization_uuid = ${organization}) h`;

/** Gate, departure with its day, and carrier. They stay true on paper. */
const leavingText = (
  words: Words,
  zone: string,
  { gate, departureDate, carrier, vehicle, seal }: Head,
): string =>
  listed(
    gate?.name,
    departureDate !== null && `${words.t('role.PLANNED_DEPARTURE')} ${words.time(zone, departureDate)}`,
    carrier,
    vehicle,
    seal && `${words.t('page.seal')} ${seal}`,
  );

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
    async view({ database, session, words }, { uuid }) {
      const { t } = words;
      const manifests = manifestsOf(database, uuid);
      const { heads, parts, pallets } = await database.ask({
        heads: headQuery(database, kind, uuid),
        parts: newsQueries(database, manifests, undefined).parts,
        pallets: paperQuery(database, manifests, PAPER_LIMITS.list),
      });
      const head = requireRow(heads, kind === 'shipment' ? 'shipmentNotFound' : 'manifestNotFound', uuid);
      return {
        title: t('paper.of', { name: head.name }),
        aside: <GatePlate gate={head.gate} />,
        styles: ['records.css'],
        body: (
          <>
            <p class="actions">
              <ResourceLink resource={kind} uuid={uuid}>
                {head.name}
              </ResourceLink>
            </p>
            <p>{leavingText(words, session.organization.timeZone, head)}</p>
            <Paper parts={parseViews(parts)} pallets={parseViews(pallets)} limit={PAPER_LIMITS.list} />
          </>
        ),
      };
    },
  });
}
