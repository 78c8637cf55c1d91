import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import { refuseMissing } from '../../../../core/http/write.ts';
import type { Scope } from '../../../../core/lib/scope.ts';
import { answerLabels } from '../../../../dispatch/label/answer.ts';
import {
  labelsOfManifests,
  labelsOfRecordAt,
  labelsOfShipments,
  type PalletLabel,
} from '../../../../dispatch/label/store.ts';
import { LANGUAGES } from '../../../../messages/languages.ts';
import { page } from '../../../ui/page/page.tsx';
import { byUuid } from '../../../ui/page/resource.tsx';
import { atGate } from '../../tablet/at-gate.ts';
import { printable } from './labels.tsx';

/** The labels of a load's pallets, as PDF for a browser to print, and as ZPL for a label printer. */
export function labelPages(app: Hono<AppEnv>, kind: 'manifest' | 'shipment'): void {
  const labelsOf = (scope: Scope, uuid: string): SQL<PalletLabel> =>
    kind === 'shipment' ? labelsOfShipments(scope, [uuid]) : labelsOfManifests(scope, sql`= ${uuid}`);
  for (const format of ['PDF', 'ZPL'] as const) {
    page(app, {
      path: `/app/${kind}/:uuid/labels.${format.toLowerCase()}`,
      right: 'see',
      ...(kind === 'shipment' ? { feature: 'SHIPMENT' as const } : {}),
      params: byUuid,
      async view(at, { uuid }) {
        const { labels, load } = await at.database.ask({
          labels: labelsOf(at.database, uuid),
          load: loadQuery(at.database, kind, uuid),
        });
        if (load.length === 0) return refuseMissing(`${kind}NotFound`, uuid);
        return answerLabels(at.c, printable(at, labels), { format });
      },
    });
  }
}

const loadQuery = ({ organization }: Scope, kind: 'manifest' | 'shipment', uuid: string): SQL<{ here: 1 }> =>
  sql`SELECT 1 AS here FROM ${sql.identifier(kind)}
    WHERE uuid = ${uuid} AND +organization_uuid = ${organization} AND deleted_date IS NULL`;

/** The label of a pallet at a gate. A tablet prints it, too. */
export function gateLabelPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/gate/:uuid/label.pdf',
    right: 'see',
    languages: LANGUAGES,
    params: byUuid,
    tablet: atGate,
    query: z.object({ record: z.uuid() }),
    async view(at, { uuid }, { record }) {
      const labels = await at.database.all(labelsOfRecordAt(at.database, record, uuid));
      if (labels.length === 0) refuseMissing('assetLoadingNotFound', record);
      return answerLabels(at.c, labels, { format: 'PDF' });
    },
  });
}
