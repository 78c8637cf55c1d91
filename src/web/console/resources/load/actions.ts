import { z } from '@hono/zod-openapi';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import type { Command } from '../../../../core/writer/command.ts';
import type { Words } from '../../../../messages/words.ts';
import { type Action, action, type PageContext } from '../../../ui/confirm/action.ts';
import {
  confirmCancellation,
  confirmCompletion,
  type LoadRef,
} from '../../../ui/confirm/confirm-closing.tsx';
import { type Confirmation, NOT_ASKED } from '../../../ui/confirm/confirmation.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import type { recordActions } from './record-actions.ts';

/** The commands that manifests and shipments share. Pages ignore their answers. */
interface LoadCommands {
  assignGate: Command<{ identifier: string; gateIdentifier: string }, unknown>;
  removeField: Command<{ identifier: string; fieldKey: string }, unknown>;
}

/** The actions that the pages of manifests and shipments share. */
export const loadActions = ({ assignGate, removeField }: LoadCommands) => ({
  gate: action(
    'operate',
    z.object({ gate: text(1, 255) }),
    async ({ c, words, submission }, { uuid }: ByUuid, { gate }) => {
      await write(c, submission, assignGate, { identifier: uuid, gateIdentifier: gate });
      return { done: words.t('load.gateDone') };
    },
  ),
  removeField: action(
    'operate',
    z.object({ fieldKey: text(1, 100) }),
    async ({ c, words, submission }, { uuid }: ByUuid, { fieldKey }) => {
      await write(c, submission, removeField, { identifier: uuid, fieldKey });
      return { done: words.t('load.fieldRemoved', { field: fieldKey }) };
    },
  ),
});

/** The actions that components of both pages send. */
export interface LoadActions extends ReturnType<typeof loadActions>, ReturnType<typeof recordActions> {
  status: Action;
  backorder: Action;
  detach: Action;
}

/** The notice about a load whose status was changed. */
export const movedText = ({ t }: Words, kind: LoadRef['kind'], status: string): string =>
  status === 'IN_PROGRESS' || status === 'COMPLETED' || status === 'CANCELLED'
    ? t(`done.${status}`, { kind })
    : t('load.moved', { kind });

/** The question before a manifest or shipment changes its status. Most changes need no question. */
export const confirmMove =
  (kind: LoadRef['kind']) =>
  async (at: PageContext, { uuid }: ByUuid, { status }: { status: string }): Promise<Confirmation> => {
    if (status === 'COMPLETED') return confirmCompletion(at, { kind, uuid });
    if (status === 'CANCELLED') return confirmCancellation(at, { kind, uuid });
    return NOT_ASKED;
  };
