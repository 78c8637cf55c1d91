import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { nameText } from '../../../http/schema.ts';
import type { AppEnv } from '../../../http/types.ts';
import { refuse, write } from '../../../http/write.ts';
import { acceptSimulation } from '../../../simulation/commands.ts';
import { PACE_MAXIMUM_MS, SCANS_MAXIMUM } from '../../../simulation/schema.ts';
import { gateNamesQuery } from '../../../site/store.ts';
import { Card } from '../../kit/components.tsx';
import { Field, Form, Select, Submit } from '../../kit/form.tsx';
import { action, page } from '../../kit/page.tsx';

/** Gates that can be chosen. */
const GATES_MAXIMUM = 200;
const counted = z.coerce.number().int().min(0).max(SCANS_MAXIMUM);

/** Playing cameras at a gate, in an organization that is a sandbox. */
export function sandboxPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/simulation',
    right: 'operate',
    async view({ session: { organization }, database }) {
      if (!organization.sandbox) refuse('sandboxRequired', 'The organization is not a sandbox.');
      const gates = await database.all(gateNamesQuery(database, GATES_MAXIMUM));
      return {
        title: 'Play cameras',
        body: (
          <Card title="What the cameras of a gate read">
            <Form action="play" label="Play cameras at a gate">
              <Select
                name="gate"
                label="Gate"
                options={gates.map(({ externalIdentifier, name }) => ({
                  value: externalIdentifier,
                  label: name,
                }))}
              />
              <Field
                name="loadPallets"
                label="Pallets that are to be loaded"
                hint="A number, or ALL"
                value="ALL"
                required
              />
              <Field
                name="wrongPallets"
                label="Pallets that do not belong there"
                type="number"
                value="0"
                required
              />
              <Field
                name="unknownMarkers"
                label="Markers that nobody knows"
                type="number"
                value="0"
                required
              />
              <Field
                name="paceMilliseconds"
                label="Pause between two (ms)"
                type="number"
                value="500"
                required
              />
              <Submit>Play</Submit>
            </Form>
          </Card>
        ),
      };
    },
    actions: {
      play: action(
        'operate',
        z.object({
          gate: nameText(255),
          loadPallets: z.union([z.literal('ALL'), counted]),
          wrongPallets: counted,
          unknownMarkers: counted,
          paceMilliseconds: z.coerce.number().int().min(0).max(PACE_MAXIMUM_MS),
        }),
        async ({ c }, _, { gate, ...simulation }) => {
          const requestId = c.get('requestId');
          const { body } = await write(c, acceptSimulation, {
            ...simulation,
            gateIdentifier: gate,
            requestId,
          });
          return { done: 'The cameras are played.', to: `/app/operation/${body.operationUuid}` };
        },
      ),
    },
  });
}
