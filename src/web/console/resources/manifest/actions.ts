import { z } from '@hono/zod-openapi';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import { attachTrack, removeManifestField } from '../../../../dispatch/load/manifest/commands.ts';
import {
  assignManifestGate,
  changeManifestStatus,
} from '../../../../dispatch/load/manifest/lifecycle-commands.ts';
import { LOAD_STATUSES } from '../../../../dispatch/load/shared/status-rules.ts';
import { detachTrackForUndo } from '../../../../dispatch/undo/commands.ts';
import { READING_MAXIMUM } from '../../../../pallet/identifier.ts';
import { action } from '../../../ui/confirm/action.ts';
import { confirmDetachment } from '../../../ui/confirm/confirm-closing.tsx';
import { wmsIdMeant } from '../../../ui/confirm/meant-pallet.ts';
import { undoable } from '../../../ui/confirm/undo.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import { confirmMove, loadActions, movedText } from '../load/actions.ts';
import { backorderAction } from '../load/backorder.tsx';
import { giveMarkersAction } from '../marker/labels.tsx';
import { fieldActions } from './field-actions.ts';

const trackForm = z.object({ trackIdentifier: text(1, 255) });

export function manifestActions() {
  return {
    ...loadActions({ assignGate: assignManifestGate, removeField: removeManifestField }),
    ...fieldActions,
    status: action(
      'operate',
      z.object({ status: z.enum(LOAD_STATUSES) }),
      async ({ c, words, submission }, { uuid }: ByUuid, { status }) => {
        await write(c, submission, changeManifestStatus, { identifier: uuid, manifestStatus: status });
        return { done: movedText(words, 'manifest', status) };
      },
      confirmMove('manifest'),
    ),
    giveMarkers: giveMarkersAction(z.object({}), ({ uuid }: ByUuid) => ({ of: 'manifest', uuids: [uuid] })),
    attach: action(
      'operate',
      z.object({ trackIdentifier: text(1, READING_MAXIMUM) }),
      async (at, { uuid }: ByUuid, form) => {
        const { c, words, submission } = at;
        const trackIdentifier = await wmsIdMeant(at, form.trackIdentifier, false);
        await write(c, submission, attachTrack, { identifier: uuid, trackIdentifier });
        return { done: words.t('load.added', { pallet: trackIdentifier }) };
      },
    ),
    backorder: backorderAction,
    detach: action(
      'operate',
      trackForm,
      async (at, { uuid }: ByUuid, { trackIdentifier }) => {
        const input = { identifier: uuid, trackIdentifier };
        const { body } = await write(at.c, at.submission, detachTrackForUndo, input);
        return undoable(at, body, at.words.t('load.taken', { pallet: trackIdentifier }));
      },
      (at, { uuid }, what) => confirmDetachment(at, { kind: 'manifest', uuid }, what),
    ),
  };
}

export type ManifestActions = ReturnType<typeof manifestActions>;
