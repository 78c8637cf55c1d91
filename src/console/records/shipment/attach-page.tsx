import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { text } from '../../../http/schema.ts';
import type { AppEnv } from '../../../http/types.ts';
import { refuse, write } from '../../../http/write.ts';
import { attachManifests } from '../../../shipment/lifecycle-commands.ts';
import { shipmentAttachSchema } from '../../../shipment/schema.ts';
import { shipmentStateQuery } from '../../../shipment/store.ts';
import { Card } from '../../kit/components.tsx';
import { type ByUuid, byUuid, To } from '../../kit/detail.tsx';
import { FIND } from '../../kit/filters.tsx';
import { Form, Submit } from '../../kit/form.tsx';
import { action, asTyped, page } from '../../kit/page.tsx';
import {
  CandidateSearch,
  candidatesQuery,
  chosenManifests,
  ManifestChoice,
  type WithChoice,
} from './choice.tsx';

const form = asTyped<typeof shipmentAttachSchema, WithChoice>(shipmentAttachSchema, (typed) => ({
  manifests: chosenManifests(typed),
}));

/** Where manifests are chosen for a shipment that is there. */
export function attachPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/shipment/:uuid/attach',
    right: 'operate',
    feature: 'SHIPMENT',
    params: byUuid,
    query: z.object({ [FIND]: text(0, 255).optional() }),
    async view({ database }, { uuid }, query) {
      const {
        shipments: [shipment],
        candidates,
      } = await database.ask({
        shipments: shipmentStateQuery(database, uuid),
        candidates: candidatesQuery(database, query[FIND] ?? ''),
      });
      if (!shipment) return refuse('shipmentNotFound', 'There is no such shipment.');
      return {
        title: `Attach manifests to ${shipment.externalIdentifier}`,
        styles: ['records.css'],
        body: (
          <>
            <CandidateSearch />
            <Card title="What it takes besides">
              <Form action="attach" class="making" label="Attach manifests">
                <ManifestChoice candidates={candidates} />
                <Submit>Attach</Submit>
              </Form>
            </Card>
            <p>
              <To resource="shipment" uuid={uuid}>
                Back to the shipment
              </To>
            </p>
          </>
        ),
      };
    },
    actions: {
      attach: action('operate', form, async ({ c }, { uuid }: ByUuid, { manifests }) => {
        await write(c, attachManifests, { identifier: uuid, manifests });
        const attached = manifests.length === 1 ? 'The manifest is' : `${manifests.length} manifests are`;
        return { done: `${attached} attached.`, to: `/app/shipment/${uuid}` };
      }),
    },
  });
}
