import { z } from '@hono/zod-openapi';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import type { Command } from '../../../../core/writer/command.ts';
import { customFieldSchema } from '../../../../dispatch/custom-field/schema.ts';
import { type Action, type At, action } from '../../kit/action.ts';
import { askToCancel, askToComplete, type Holder } from '../../kit/closing.tsx';
import type { ByUuid } from '../../kit/detail.tsx';
import { NOT_ASKED, type Question } from '../../kit/question.tsx';
import type { recordActions } from './record-actions.ts';

/** The commands that manifests and shipments share; pages ignore their answers. */
interface HolderCommands {
  assignGate: Command<{ identifier: string; gateIdentifier: string }, unknown>;
  putField: Command<{ identifier: string; field: z.output<typeof customFieldSchema> }, unknown>;
  removeField: Command<{ identifier: string; fieldKey: string }, unknown>;
}

/** The actions that the pages of manifests and shipments share. */
export const holderActions = ({ assignGate, putField, removeField }: HolderCommands) => ({
  gate: action(
    'operate',
    z.object({ gate: text(1, 255) }),
    async ({ c, words, submission }, { uuid }: ByUuid, { gate }) => {
      await write(c, submission, assignGate, { identifier: uuid, gateIdentifier: gate });
      return { done: words.t('load.gateDone', { gate }) };
    },
  ),
  putField: action(
    'operate',
    customFieldSchema,
    async ({ c, words, submission }, { uuid }: ByUuid, field) => {
      await write(c, submission, putField, { identifier: uuid, field });
      return { done: words.t('load.fieldSet', { field: field.fieldKey }) };
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

/** The actions that parts of both pages send. */
export interface HolderActions extends ReturnType<typeof holderActions>, ReturnType<typeof recordActions> {
  status: Action;
  detach: Action;
}

/** The question before a manifest or shipment changes its status; most changes need none. */
export const askToMove =
  (kind: Holder['kind']) =>
  async (at: At, { uuid }: ByUuid, { status }: { status: string }): Promise<Question> => {
    if (status === 'COMPLETED') return askToComplete(at, { kind, uuid });
    if (status === 'CANCELLED') return askToCancel(at, { kind, uuid });
    return NOT_ASKED;
  };
