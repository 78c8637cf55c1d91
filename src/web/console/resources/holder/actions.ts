import { z } from '@hono/zod-openapi';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import type { Command } from '../../../../core/writer/command.ts';
import { customFieldSchema } from '../../../../dispatch/custom-field/schema.ts';
import { askToCancel, askToComplete, type Holder } from '../../kit/closing.tsx';
import type { ByUuid } from '../../kit/detail.tsx';
import { type Action, type At, action } from '../../kit/page.tsx';
import { NOT_ASKED, type Question } from '../../kit/question.tsx';

/** The commands that manifests and shipments share; pages ignore their answers. */
interface HolderCommands {
  assignGate: Command<{ identifier: string; gateIdentifier: string }, unknown>;
  putField: Command<{ identifier: string; field: z.output<typeof customFieldSchema> }, unknown>;
  removeField: Command<{ identifier: string; fieldKey: string }, unknown>;
}

/** The actions that the pages of manifests and shipments share. */
export const holderActions = ({
  assignGate,
  putField,
  removeField,
}: HolderCommands): Record<string, Action> => ({
  gate: action(
    'operate',
    z.object({ gate: text(1, 255) }),
    async ({ c, words }, { uuid }: ByUuid, { gate }) => {
      await write(c, assignGate, { identifier: uuid, gateIdentifier: gate });
      return { done: words.t('load.gateDone', { gate }) };
    },
  ),
  putField: action('operate', customFieldSchema, async ({ c, words }, { uuid }: ByUuid, field) => {
    await write(c, putField, { identifier: uuid, field });
    return { done: words.t('load.fieldSet', { field: field.fieldKey }) };
  }),
  removeField: action(
    'operate',
    z.object({ fieldKey: text(1, 100) }),
    async ({ c, words }, { uuid }: ByUuid, { fieldKey }) => {
      await write(c, removeField, { identifier: uuid, fieldKey });
      return { done: words.t('load.fieldRemoved', { field: fieldKey }) };
    },
  ),
});

/** The question before a manifest or shipment changes its status; most changes need none. */
export const askToMove =
  (kind: Holder['kind']) =>
  async (at: At, { uuid }: ByUuid, { status }: { status: string }): Promise<Question> => {
    if (status === 'COMPLETED') return askToComplete(at, { kind, uuid });
    if (status === 'CANCELLED') return askToCancel(at, { kind, uuid });
    return NOT_ASKED;
  };
