import { z } from '@hono/zod-openapi';
import { change } from '../../../access/organization/change-organization.ts';
import { setUpShipments } from '../../../access/organization/shipment-commands.ts';
import { list, nameText } from '../../../core/http/schema.ts';
import { write } from '../../../core/http/write.ts';
import { parseJson } from '../../../core/lib/json.ts';
import { FIELD_ROLES } from '../../../core/writer/settings.ts';
import { createGates, GATES_MAXIMUM } from '../../../dispatch/gate/commands.ts';
import { action, asTyped, type PageContext } from '../../ui/confirm/action.ts';
import { refuseInWords } from '../../ui/parts/language.ts';
import { fillExampleDay } from './example-day.ts';
import { EXAMPLE, EXAMPLE_SIZE, numberedGates } from './example-rules.ts';
import { type Started, startedQuery } from './store.ts';

/** The pages that have the form for departures and carriers. The user returns to the page of the form. */
export const PLAN_PAGES = ['/app', '/app/today'] as const;

/** The longest name that numbered gates begin with. */
const PREFIX_MAXIMUM = 50;

const gatesForm = z.object({
  prefix: nameText(PREFIX_MAXIMUM).transform((name) => name.trim()),
  count: z.coerce.number().int().min(1).max(GATES_MAXIMUM),
});

const planForm = asTyped(
  z.object({
    roles: list(z.enum(FIELD_ROLES), 0, FIELD_ROLES.length),
    returnTo: z.enum(PLAN_PAGES).default('/app'),
  }),
  ({ returnTo }, { roles }) => ({ returnTo, roles }),
  ['roles'],
);

/** The steps that the organization has done so far. */
async function readStarted({ database }: PageContext): Promise<Started> {
  return parseJson((await database.first(startedQuery(database)))!.view);
}

/** The actions that set an organization up. */
export const startActions = {
  gates: action('changeSite', gatesForm, async ({ c, words, submission }, _: object, { prefix, count }) => {
    const { body } = await write(c, submission, createGates, { gates: numberedGates(prefix, count) });
    return { done: words.t('start.gatesDone', { count: body.created }) };
  }),
  plan: action('changeSettings', planForm, async ({ c, session, words, submission }, _: object, form) => {
    await change(c, session.organization.uuid, undefined, async () => {
      const written = await write(c, submission, setUpShipments, { roles: form.roles });
      return written.body;
    });
    return { done: words.t('start.planDone'), to: form.returnTo };
  }),
  example: action(
    'changeSettings',
    z.object({}),
    async (at) => {
      const { works } = await readStarted(at);
      if (works === 1) refuseInWords('validationFailed', at.words.t('example.notEmpty'));
      await fillExampleDay(at);
      return { done: at.words.t('example.done'), to: '/app/today' };
    },
    ({ words: { t } }) => ({
      title: t('example.title'),
      text: t('example.text', { ...EXAMPLE_SIZE, prefix: EXAMPLE }),
      yes: t('example.fill'),
      no: t('make.cancel'),
      note: false,
    }),
  ),
};

export type StartActions = typeof startActions;
