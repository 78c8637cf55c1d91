import { z } from '@hono/zod-openapi';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import { KEY_LENGTH_MAXIMUM } from '../../../../dispatch/custom-field/rules.ts';
import {
  attachTrack,
  putManifestField,
  removeManifestField,
  replaceManifest,
} from '../../../../dispatch/load/manifest/commands.ts';
import {
  assignManifestGate,
  changeManifestStatus,
} from '../../../../dispatch/load/manifest/lifecycle-commands.ts';
import { FACT_NAMES } from '../../../../dispatch/load/manifest/rules.ts';
import { givenFacts } from '../../../../dispatch/load/manifest/schema.ts';
import { LOAD_STATUSES } from '../../../../dispatch/load/shared/status-rules.ts';
import { detachTrackForUndo } from '../../../../dispatch/undo/commands.ts';
import { READING_MAXIMUM } from '../../../../pallet/identifier.ts';
import { type ActionContext, action } from '../../../ui/confirm/action.ts';
import { confirmDetachment } from '../../../ui/confirm/confirm-closing.tsx';
import { wmsIdMeant } from '../../../ui/confirm/meant-pallet.ts';
import { undoable } from '../../../ui/confirm/undo.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import { factLabel, fieldLabel } from '../../../ui/parts/field-labels.ts';
import { confirmMove, loadActions, movedText } from '../load/actions.ts';
import { backorderAction } from '../load/backorder.tsx';
import { giveMarkersAction } from '../marker/labels.tsx';

/** The name of the input in the form of one field. */
export const VALUE = 'fieldValue';
/** The longest value of a custom field in characters. */
const VALUE_LENGTH = 1_000;

const fieldKey = text(1, KEY_LENGTH_MAXIMUM);

/** The actions at the facts of a manifest. */
const fieldActions = {
  putField: action('operate', z.object({ fieldKey, [VALUE]: text(0, VALUE_LENGTH) }), setField),
  addField: action('operate', z.object({ fieldKey, [VALUE]: text(1, VALUE_LENGTH) }), setField),
  setFacts: action(
    'operate',
    z.object(givenFacts),
    async ({ c, words, submission }, { uuid }: ByUuid, facts) => {
      const others = { identifier: uuid, ifMatch: null, assets: null, customFields: null };
      await write(c, submission, replaceManifest, { ...others, ...facts });
      const set = FACT_NAMES.filter((name) => facts[name] !== undefined);
      return {
        done: words.t('load.fieldSet', { field: words.list(set.map((name) => factLabel(words, name))) }),
      };
    },
  ),
};

/** Set one field. A blank value removes it. */
async function setField(
  { c, words, submission }: ActionContext,
  { uuid }: ByUuid,
  { fieldKey: key, fieldValue: typed }: { fieldKey: string; fieldValue: string },
) {
  const fieldValue = typed.trim();
  await write(c, submission, putManifestField, { identifier: uuid, field: { fieldKey: key, fieldValue } });
  const field = fieldLabel(words, { fieldKey: key, role: null });
  return { done: words.t(fieldValue === '' ? 'load.fieldRemoved' : 'load.fieldSet', { field }) };
}

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
