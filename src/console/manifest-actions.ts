import { z } from '@hono/zod-openapi';
import { customFieldSchema } from '../custom-field/schema.ts';
import { text } from '../http/schema.ts';
import { write } from '../http/write.ts';
import { attachTrack, detachTrack, putManifestField, removeManifestField } from '../manifest/commands.ts';
import { assignManifestGate, changeManifestStatus } from '../manifest/lifecycle-commands.ts';
import { MANIFEST_STATUSES } from '../manifest/table.ts';
import type { ByUuid } from './detail.tsx';
import { type Action, action } from './page.tsx';

const trackForm = z.object({ trackIdentifier: text(1, 255) });

/** What the forms on the page of a manifest do. */
export function manifestActions(): Record<string, Action> {
  return {
    status: action(
      'operate',
      z.object({ status: z.enum(MANIFEST_STATUSES) }),
      async ({ c }, { uuid }: ByUuid, { status }) => {
        await write(c, changeManifestStatus, { identifier: uuid, manifestStatus: status });
        return { done: 'The manifest has its new status.' };
      },
    ),
    gate: action('operate', z.object({ gate: text(1, 255) }), async ({ c }, { uuid }: ByUuid, { gate }) => {
      await write(c, assignManifestGate, { identifier: uuid, gateIdentifier: gate });
      return { done: `Gate ${gate} is assigned.` };
    }),
    attach: action('operate', trackForm, async ({ c }, { uuid }: ByUuid, { trackIdentifier }) => {
      await write(c, attachTrack, { identifier: uuid, trackIdentifier });
      return { done: `${trackIdentifier} is on the manifest.` };
    }),
    detach: action('operate', trackForm, async ({ c }, { uuid }: ByUuid, { trackIdentifier }) => {
      await write(c, detachTrack, { identifier: uuid, trackIdentifier });
      return { done: `${trackIdentifier} is taken off the manifest.` };
    }),
    putField: action('operate', customFieldSchema, async ({ c }, { uuid }: ByUuid, field) => {
      await write(c, putManifestField, { identifier: uuid, field });
      return { done: `${field.fieldKey} is set.` };
    }),
    removeField: action(
      'operate',
      z.object({ fieldKey: text(1, 100) }),
      async ({ c }, { uuid }: ByUuid, { fieldKey }) => {
        await write(c, removeManifestField, { identifier: uuid, fieldKey });
        return { done: `${fieldKey} is removed.` };
      },
    ),
  };
}
