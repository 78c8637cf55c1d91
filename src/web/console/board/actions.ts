import { z } from '@hono/zod-openapi';
import { text, uuid } from '../../../core/http/schema.ts';
import { refuseMissing, write } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { resolveAlert } from '../../../dispatch/alert/commands.ts';
import type { CustomFieldInput } from '../../../dispatch/custom-field/rules.ts';
import {
  assignManifestGate,
  changeManifestStatus,
} from '../../../dispatch/load/manifest/lifecycle-commands.ts';
import type { NewSignature } from '../../../dispatch/load/shared/signature-changes.ts';
import {
  assignShipmentGate,
  changeShipmentStatus,
  firstArrival,
  recordArrival,
} from '../../../dispatch/load/shipment/lifecycle-commands.ts';
import { CANCELLED_MANIFESTS } from '../../../dispatch/load/shipment/rules.ts';
import { markLoading } from '../../../dispatch/loading/commands.ts';
import { SETTABLE_STATUSES } from '../../../dispatch/loading/schema.ts';
import { retireTrack } from '../../../dispatch/track/commands.ts';
import { removeForUndo } from '../../../dispatch/undo/commands.ts';
import { type ActionContext, type ActionResult, action, type PageContext } from '../../ui/confirm/action.ts';
import { confirmCancellation, type LoadRef } from '../../ui/confirm/confirm-closing.tsx';
import { confirmRemoval } from '../../ui/confirm/confirm-removal.tsx';
import { confirmRetirement } from '../../ui/confirm/confirm-retirement.tsx';
import type { Confirmation } from '../../ui/confirm/confirmation.tsx';
import { undoAction, undoable } from '../../ui/confirm/undo.tsx';
import { workActions } from '../tablet/work-actions.ts';
import { askCompletion, fieldsToSet } from './completion.tsx';
import { confirmAtGate, signatureOf, signatureShape } from './finish.tsx';
import { noteActions } from './note-actions.ts';
import { loadOfRecordQuery, scanAction } from './scan-action.ts';
import { confirmStart } from './second-start.tsx';

/** The shipment or manifest that a form is about, as `shipment:{uuid}` or `manifest:{uuid}`. */
export const thing = z
  .templateLiteral([z.enum(['shipment', 'manifest']), ':', z.uuid()])
  .transform((value) => {
    const [kind, identifier] = value.split(':') as ['shipment' | 'manifest', string];
    return { kind, identifier: identifier.toLowerCase() };
  });
type PostedLoad = z.output<typeof thing>;

/** A gate is chosen in the list, or by the button of its card. */
const assignForm = z.preprocess(
  (typed: Record<string, unknown>) => ({ ...typed, gate: typed['here'] ?? typed['gate'] }),
  z.object({ thing, gate: uuid }),
);

const loadIdentifier = ({ kind, identifier }: PostedLoad) =>
  kind === 'shipment' ? { shipmentIdentifier: identifier } : { manifestIdentifier: identifier };

/** A shipment or manifest that gets another status. The manifests of a cancelled shipment are cancelled or released. */
const movingForm = z.object({ thing, manifests: z.enum(CANCELLED_MANIFESTS).optional() });

type Reached = 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED';

async function move(
  { c, submission }: ActionContext,
  { thing: { kind, identifier }, manifests }: z.output<typeof movingForm>,
  status: Reached,
  fields: CustomFieldInput[] = [],
  signed: { signature?: NewSignature } = {},
): Promise<void> {
  const more = { ...(manifests && { manifests }), ...(fields.length > 0 && { fields }), ...signed };
  if (kind === 'shipment') await write(c, submission, changeShipmentStatus, { identifier, status, ...more });
  else await write(c, submission, changeManifestStatus, { identifier, manifestStatus: status, ...signed });
}

const completingForm = z.object({
  thing,
  vehicle: text(0, 1_000).optional(),
  seal: text(0, 1_000).optional(),
  ...signatureShape,
});

async function complete(
  at: ActionContext,
  _: unknown,
  form: z.output<typeof completingForm>,
): Promise<ActionResult> {
  const fields = await fieldsToSet(at, form.thing.kind, form);
  await move(at, form, 'COMPLETED', fields, signatureOf(at.words, form));
  return { done: at.words.t('done.COMPLETED', { kind: form.thing.kind }) };
}

const loadRef = ({ thing: { kind, identifier } }: { thing: PostedLoad }): LoadRef => ({
  kind,
  uuid: identifier,
});

/** A form that completes a load, with the vehicle and seal of a shipment. */
const completing = action(
  'load',
  completingForm,
  complete,
  async (at, _, form) => (await askCompletion(at, loadRef(form))).question,
);

const moving = <P>(
  right: 'load' | 'operate',
  status: Reached,
  asks?: (at: PageContext, loadIdentifier: LoadRef, params: P) => Promise<Confirmation>,
) =>
  action(
    right,
    movingForm,
    async (at, _: P, form): Promise<ActionResult> => {
      await move(at, form, status);
      return { done: at.words.t(`done.${status}`, { kind: form.thing.kind }) };
    },
    asks && ((at, params, form) => asks(at, loadRef(form), params)),
  );

/** Actions of the board and of gate pages. Each sends one command. */
export const boardActions = () => ({
  assign: action('operate', assignForm, async ({ c, words, submission }, _: unknown, form) => {
    const { kind, identifier } = form.thing;
    const input = { identifier, gateIdentifier: form.gate };
    if (kind === 'shipment') await write(c, submission, assignShipmentGate, input);
    else await write(c, submission, assignManifestGate, input);
    return { done: words.t('done.assigned', { kind }) };
  }),
  start: moving('load', 'IN_PROGRESS'),
  complete: completing,
  cancel: moving('operate', 'CANCELLED', confirmCancellation),
  remove: action(
    'mark',
    z.object({ thing, record: uuid }),
    async (at, _: unknown, form) => {
      const target = { by: 'record', recordUuid: form.record } as const;
      const input = { ...loadIdentifier(form.thing), target };
      const { body } = await write(at.c, at.submission, removeForUndo, input);
      return undoable(at, body, at.words.t('done.removed'));
    },
    (at, _, { record }) => confirmRemoval(at, record),
  ),
  undo: undoAction,
  resolve: action('mark', z.object({ alert: uuid }), async ({ c, words, submission }, _: unknown, form) => {
    await write(c, submission, resolveAlert, { uuid: form.alert });
    return { done: words.t('done.resolved') };
  }),
});

async function loadOfRecord(database: Database, record: string) {
  const found = await database.first(loadOfRecordQuery(database, record));
  if (!found) return refuseMissing('assetLoadingNotFound', record);
  const { shipmentUuid, manifestUuid } = found;
  return shipmentUuid === null ? { manifestIdentifier: manifestUuid } : { shipmentIdentifier: shipmentUuid };
}

/** Actions that only the page of a gate has. */
export const gateActions = () => ({
  ...boardActions(),
  start: moving<{ uuid: string }>('load', 'IN_PROGRESS', (at, load, { uuid }) =>
    confirmStart(at, uuid, load),
  ),
  // The question at a gate also has photo and signature.
  complete: action('load', completingForm, complete, (at, { uuid: gate }: { uuid: string }, form) =>
    confirmAtGate(at, loadRef(form), { gate, ...form }),
  ),
  arrive: action('load', z.object({ thing }), async ({ c, words, submission }, _: unknown, form) => {
    await write(c, submission, recordArrival, firstArrival(form.thing.identifier));
    return { done: words.t('done.arrived') };
  }),
  ...workActions(),
  ...noteActions,
  scan: scanAction,
  mark: action(
    'mark',
    z.object({
      thing: thing.optional(),
      record: uuid,
      status: z.enum(SETTABLE_STATUSES),
      q: z.string().max(255).optional(),
    }),
    async ({ c, database, words, submission }, params: { uuid: string }, form) => {
      await write(c, submission, markLoading, {
        ...(form.thing ? loadIdentifier(form.thing) : await loadOfRecord(database, form.record)),
        target: { by: 'record', recordUuid: form.record },
        status: form.status,
        gateIdentifier: params.uuid,
        comment: null,
      });
      const search = form.q === undefined ? '' : `?q=${encodeURIComponent(form.q)}`;
      return { done: words.t(`done.${form.status}`), to: `${c.req.path}${search}` };
    },
  ),
  retire: action(
    'operate',
    z.object({ track: uuid }),
    async ({ c, words, submission }, _: unknown, form) => {
      await write(c, submission, retireTrack, { identifier: form.track, force: false });
      return { done: words.t('done.retired') };
    },
    (at, _, form) => confirmRetirement(at, form.track, false),
  ),
});

export type BoardActions = ReturnType<typeof boardActions>;
export type GateActions = ReturnType<typeof gateActions>;
