import { Buffer } from 'node:buffer';
import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { uuid } from '../../../core/http/schema.ts';
import type { AppContext, AppEnv } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';
import { savePhoto } from '../../../dispatch/photo/receive.ts';
import { PHOTO_BYTES_MAXIMUM, PHOTO_KINDS, type PhotoReference } from '../../../dispatch/photo/rules.ts';
import { LANGUAGES } from '../../../messages/languages.ts';
import { action, type PageContext } from '../kit/action.ts';
import { redirect } from '../kit/answer.tsx';
import { page } from '../kit/page.tsx';
import { type ByUuid, byUuid } from '../kit/resource.tsx';
import { atGate } from '../tablet/at-gate.ts';
import { thing } from './actions.ts';
import { trackOf } from './note-actions.ts';

/** Room for the other fields of the form, in bytes. */
const FIELDS_MAXIMUM = 16 * 1024;

/** The bytes of the photo that a request sends. Its form has only their number, because a form consists of texts. */
const sent = new WeakMap<AppContext, Uint8Array>();

/** `takenDate` is the time by the clock of the device, in epoch milliseconds. */
const photoForm = z.object({
  kind: z.enum(PHOTO_KINDS),
  record: uuid.optional(),
  thing: thing.optional(),
  takenDate: z.coerce
    .number()
    .int()
    .positive()
    .transform((date) => Math.min(date, Date.now())),
  photo: z.string(),
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

/** Receives the photos that a gate page has queued. Opened in a browser, it leads to the page of the gate. */
export function photoPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/gate/:uuid/photo',
    right: 'mark',
    languages: LANGUAGES,
    params: byUuid,
    tablet: atGate,
    formBytesMaximum: PHOTO_BYTES_MAXIMUM + FIELDS_MAXIMUM,
    files: {
      photo: async ({ c }, file) => {
        sent.set(c, file);
        return { photo: String(file.byteLength) };
      },
    },
    view: ({ c }, { uuid: gate }) => redirect(c, `/app/gate/${gate}`),
    actions: {
      photo: action('mark', photoForm, async (at, { uuid: gateIdentifier }: ByUuid, form) => {
        const { c, words, submission } = at;
        const bytes = sent.get(c);
        if (!bytes) return refuse('validationFailed', 'The form has no photo.');
        const { kind, takenDate } = form;
        const facts = { kind, takenDate, gateIdentifier, reference: await shownBy(at, form) };
        // The gate page converts every photo to JPEG.
        const image = { contentType: 'image/jpeg' as const, bytes: Buffer.from(bytes) };
        await savePhoto(c, submission, image, facts);
        return { done: words.t('gate.photoStored') };
      }),
    },
  });
}
