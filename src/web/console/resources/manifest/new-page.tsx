import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { attachTracks } from '../../../../dispatch/load/manifest/commands.ts';
import { createManifest } from '../../../../dispatch/load/manifest/creation-commands.ts';
import { ASSETS_MAXIMUM, factsOf, UNSET_FACTS } from '../../../../dispatch/load/manifest/rules.ts';
import { createOrders } from '../../../../dispatch/load/shipment/order-commands.ts';
import { type ActionContext, type ActionResult, action } from '../../../ui/confirm/action.ts';
import { Field, FileField, Form, Submit, TextArea } from '../../../ui/form/form.tsx';
import { GateField, gatesQuery } from '../../../ui/list/gates.tsx';
import { page } from '../../../ui/page/page.tsx';
import { Card } from '../../../ui/parts/components.tsx';
import {
  GROW,
  type Grown,
  growable,
  type Made,
  madeForm,
  readMade,
  type SeveralManifests,
} from '../../order-list/made.ts';
import { preview } from '../../order-list/preview.tsx';
import { ACCEPTED, fileValues } from '../../pallet-list/file.ts';
import { ColumnFields } from '../../pallet-list/preview.tsx';
import { livePallets } from '../../pallet-list/store.ts';
import { FactSelects } from './choices.tsx';

/**
 * The largest form in bytes: room for 5,000 pallets in a file with many columns.
 */
const FORM_BYTES_MAXIMUM = 5 * 1024 * 1024;

const actions = {
  create: action(
    'operate',
    madeForm,
    async (at, _: object, made) => {
      const { c, words, submission } = at;
      const { list, ...read } = await readMade(at, made);
      const grown = made.grow === GROW ? growable([read.grown ?? []].flat()) : [];
      if (read.orders?.length === 0 || (read.orders === undefined && grown.length > 0))
        return addTo(at, grown);
      await addTo(at, grown);
      if (read.orders !== undefined) return createFrom(at, made, read);
      const { body } = await write(c, submission, createManifest, {
        externalIdentifier: made.externalIdentifier,
        manifestStatus: 'PLANNED',
        gateExternalId: made.gate || null,
        ...factsOf(made, UNSET_FACTS),
        customFields: [],
        assets: list.pallets,
      });
      return {
        done: words.t('make.manifestPlanned', { name: made.externalIdentifier }),
        to: `/app/manifest/${body.uuid}`,
      };
    },
    (at, _, made) => preview(at, made),
  ),
};

/** Add the missing pallets to manifests that exist. Pallets that are there already change nothing, so a repeat adds none. */
async function addTo(
  { c, words, submission }: ActionContext,
  grown: readonly Grown[],
): Promise<ActionResult> {
  let added = 0;
  for (const { uuid, missing } of grown) {
    const input = { identifier: uuid, trackIdentifiers: missing };
    const own = { ...submission, key: submission.key && `${submission.key} ${uuid}`, payload: input };
    const { body } = await write(c, own, attachTracks, input);
    added += body.added;
  }
  return {
    done: words.t('orders.growDone', { count: added }),
    to: grown.length === 1 ? `/app/manifest/${grown[0]!.uuid}` : '/app/manifest',
  };
}

/** Create the manifests of orders and their shipments. The next page lists them: all have the same creation date. */
async function createFrom(
  { c, words, submission }: ActionContext,
  made: Made,
  { orders, shipments }: Pick<SeveralManifests, 'orders' | 'shipments'>,
): Promise<ActionResult> {
  // The choices of the form hold for orders whose lines say nothing else.
  const chosen = factsOf(made, UNSET_FACTS);
  const { body } = await write(c, submission, createOrders, {
    gateIdentifier: made.gate || null,
    orders: orders.map(({ lines: _, ...order }) => ({ ...order, ...factsOf(order, chosen) })),
    shipments,
  });
  const { createDate, manifests } = body;
  const list = body.shipments > 0 ? 'shipment' : 'manifest';
  const query = new URLSearchParams({
    createDateAfter: new Date(createDate - 1).toISOString(),
    createDateBefore: new Date(createDate + 1).toISOString(),
  });
  return {
    done:
      body.shipments > 0
        ? words.t('orders.doneShipments', { manifests, shipments: body.shipments })
        : words.t('orders.done', { manifests }),
    to: `/app/${list}?${query}`,
  };
}

/** The page that creates a manifest from a list of pallets: pasted text or a file. */
export function newManifestPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/manifest/new',
    formBytesMaximum: FORM_BYTES_MAXIMUM,
    right: 'operate',
    files: {
      file: ({ words, database }, bytes) =>
        fileValues(words, bytes, (texts, folded) => livePallets(database, texts, folded)),
    },
    async view({ database, words: { t } }) {
      const gates = await database.all(gatesQuery(database));
      return {
        title: t('make.manifest'),
        styles: ['records.css'],
        body: (
          <Card title={t('make.toLoad')}>
            <Form<typeof actions> action="create" class="making" label={t('make.manifest')} multipart draft>
              <Field name="externalIdentifier" label={t('make.manifestId')} hint={t('orders.idHint')} />
              <GateField gates={gates} none={t('desk.noneYet')} />
              <FactSelects />
              <FileField name="file" label={t('make.fromFile')} hint={t('make.fileHint')} accept={ACCEPTED} />
              <TextArea
                name="pallets"
                label={t('page.pallets')}
                rows={12}
                hint={t('make.palletsHint', { count: ASSETS_MAXIMUM })}
              />
              <ColumnFields />
              <Submit>{t('make.look')}</Submit>
            </Form>
          </Card>
        ),
      };
    },
    actions,
  });
}
