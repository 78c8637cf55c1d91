import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { nameText } from '../../../../core/http/schema.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { refuse, write } from '../../../../core/http/write.ts';
import { gateNamesQuery } from '../../../../dispatch/gate/store.ts';
import { acceptSimulation } from '../../../../dispatch/simulation/commands.ts';
import { PACE_MAXIMUM_MS, SIMULATED_SCANS_MAXIMUM } from '../../../../dispatch/simulation/schema.ts';
import { action } from '../../../ui/confirm/action.ts';
import { Field, Form, Select, Submit } from '../../../ui/form/form.tsx';
import { page } from '../../../ui/page/page.tsx';
import { Card } from '../../../ui/parts/components.tsx';

/** The maximum number of gates in the choice. */
const GATES_MAXIMUM = 200;
const counted = z.coerce.number().int().min(0).max(SIMULATED_SCANS_MAXIMUM);

const actions = {
  play: action(
    'operate',
    z.object({
      gate: nameText(255),
      loadPallets: z.union([z.literal('ALL'), counted]),
      wrongPallets: counted,
      unknownMarkers: counted,
      paceMilliseconds: z.coerce.number().int().min(0).max(PACE_MAXIMUM_MS),
    }),
    async ({ c, words, submission }, _, { gate, ...simulation }) => {
      const requestId = c.get('requestId');
      const { body } = await write(c, submission, acceptSimulation, {
        ...simulation,
        gateIdentifier: gate,
        requestId,
      });
      return { done: words.t('play.played'), to: `/app/operation/${body.operationUuid}` };
    },
  ),
};

/** The page that simulates the cameras of a gate, for sandbox organizations. */
export function sandboxPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/simulation',
    right: 'operate',
    async view({ session: { organization }, database, words: { t } }) {
      if (!organization.sandbox) refuse('sandboxRequired', 'The organization is not a sandbox.');
      const gates = await database.all(gateNamesQuery(database, GATES_MAXIMUM));
      return {
        title: t('play.title'),
        body: (
          <Card title={t('play.what')}>
            <Form<typeof actions> action="play" label={t('play.form')}>
              <Select
                name="gate"
                label={t('play.gate')}
                options={gates.map(({ externalIdentifier, name }) => ({
                  value: externalIdentifier,
                  label: name,
                }))}
              />
              <Field
                name="loadPallets"
                label={t('play.load')}
                hint={t('play.loadHint')}
                value="ALL"
                required
              />
              <Field name="wrongPallets" label={t('play.wrong')} type="number" value="0" required />
              <Field name="unknownMarkers" label={t('play.unknown')} type="number" value="0" required />
              <Field name="paceMilliseconds" label={t('play.pace')} type="number" value="500" required />
              <Submit>{t('play.play')}</Submit>
            </Form>
          </Card>
        ),
      };
    },
    actions,
  });
}
