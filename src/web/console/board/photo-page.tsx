import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { uuid } from '../../../core/http/schema.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { refuse, refuseMissing } from '../../../core/http/write.ts';
import { savePhoto } from '../../../dispatch/photo/receive.ts';
import { PHOTO_KINDS, type PhotoReference } from '../../../dispatch/photo/rules.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import { action, type PageContext } from '../../ui/confirm/action.ts';
import { sentPhoto, TAKES_PHOTOS } from '../../ui/confirm/photo-file.ts';
import { page } from '../../ui/page/page.tsx';
import { type ByUuid, byUuid } from '../../ui/page/resource.tsx';
import { atGate } from '../tablet/at-gate.ts';
import { thing } from './actions.ts';
import { trackOf } from './note-actions.ts';

/** `takenDate` is the time by the clock of the device, in epoch milliseconds. */
const photoForm = z.object({
  kind: z.enum(PHOTO_KINDS),
  record: uuid.optional(),
  thing: thing.optional(),
  takenDate: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  photo: z.hex().length(64),
});

/** The pallet of a loading record, or the shipment or manifest of the form. */
async function shownBy(
  at: PageContext,
  { record, thing: load }: z.output<typeof photoForm>,
): Promise<PhotoReference> {
  if (record !== undefined) return { type: 'TRACK', identifier: await trackOf(at, record) };
  if (!load) return refuse('validationFailed', 'Name the pallet or the load that the photo shows.');
  return { type: load.kind === 'shipment' ? 'SHIPMENT' : 'MANIFEST', identifier: load.identifier };
}

/** Receives the photos that a gate page has queued. Opened in a browser, it shows a link to the page of the gate. */
export function photoPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/gate/:uuid/photo',
    right: 'mark',
    languages: LANGUAGES,
    params: byUuid,
    tablet: atGate,
    ...TAKES_PHOTOS,
    async view({ database }, { uuid: gate }) {
      const found = await database.first(sql<{ name: string }>`SELECT name FROM gate
        WHERE uuid = ${gate} AND +organization_uuid = ${database.organization}`);
      if (!found) return refuseMissing('gateNotFound', gate);
      const { name } = found;
      return {
        title: name,
        body: (
          <header class="ghead">
            <h1>
              <a href={`/app/gate/${gate}`}>{name}</a>
            </h1>
          </header>
        ),
        bare: true,
        styles: ['gate.css'],
      };
    },
    actions: {
      photo: action('mark', photoForm, async (at, { uuid: gateIdentifier }: ByUuid, form) => {
        const { c, words, submission } = at;
        const { kind, takenDate } = form;
        const reference = await shownBy(at, form);
        const facts = { kind, takenDate, isQueued: true as const, gateIdentifier, reference };
        await savePhoto(c, submission, sentPhoto(c), facts);
        return { done: words.t('gate.photoStored') };
      }),
    },
  });
}
