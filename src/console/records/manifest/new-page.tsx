import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { text } from '../../../http/schema.ts';
import type { AppEnv } from '../../../http/types.ts';
import { write } from '../../../http/write.ts';
import { ProblemError, refusal } from '../../../lib/problem.ts';
import { createManifest } from '../../../manifest/commands.ts';
import { ASSETS_MAXIMUM } from '../../../manifest/rules.ts';
import { Card } from '../../kit/components.tsx';
import { GateChoices, gatesQuery } from '../../kit/detail.tsx';
import { Field, Form, Submit, TextArea } from '../../kit/form.tsx';
import { action, page } from '../../kit/page.tsx';
import type { Question } from '../../kit/question.tsx';
import { type BadLine, readPallets } from './pallet-lines.ts';

/** Pallets and bad lines that are named before a manifest is made. */
const NAMED_MAXIMUM = 20;
/** Characters of a bad line that are repeated. */
const REPEATED_MAXIMUM = 40;

const form = z.object({
  externalIdentifier: text(1, 255),
  gate: text(0, 255).default(''),
  pallets: z.string().default(''),
});
type Made = z.output<typeof form>;

/** A manifest made of a list of pallets that was pasted, or that is a CSV file. */
export function newManifestPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/manifest/new',
    right: 'operate',
    async view({ database }) {
      const gates = await database.all(gatesQuery(database));
      return {
        title: 'New manifest',
        scripts: ['list-file.js'],
        styles: ['records.css'],
        body: (
          <Card title="What is to be loaded">
            <Form action="create" class="making" label="New manifest">
              <Field name="externalIdentifier" label="Manifest (external id)" maxlength={255} required />
              <GateChoices gates={gates} />
              <p class="file" hidden>
                <label for="list-file">From a CSV file</label>
                <input
                  type="file"
                  id="list-file"
                  accept=".csv,.txt,text/csv,text/plain"
                  data-into="create-pallets"
                />
              </p>
              <TextArea
                name="pallets"
                label="Pallets"
                rows={12}
                hint={`One a line, or a CSV file with a heading such as SSCC; ${ASSETS_MAXIMUM.toLocaleString('en')} at most.`}
              />
              <Submit>Look at it</Submit>
            </Form>
          </Card>
        ),
      };
    },
    actions: {
      create: action(
        'operate',
        form,
        async ({ c }, _: object, made) => {
          const { body } = await write(c, createManifest, {
            externalIdentifier: made.externalIdentifier,
            manifestStatus: 'PLANNED',
            gateExternalId: made.gate || null,
            customFields: [],
            assets: palletsOf(made).pallets,
          });
          return { done: `${made.externalIdentifier} is planned.`, to: `/app/manifest/${body.uuid}` };
        },
        (_, __, made) => preview(made),
      ),
    },
  });
}

/** @throws 400 where no line is a pallet though something is written, or there are too many. */
function palletsOf({ pallets: typed }: Made): ReturnType<typeof readPallets> {
  const read = readPallets(typed);
  const tooMany = read.pallets.length > ASSETS_MAXIMUM;
  if (!tooMany && (read.pallets.length > 0 || read.bad.length === 0)) return read;
  const detail = tooMany
    ? `These are ${read.pallets.length} pallets; a manifest holds ${ASSETS_MAXIMUM}.`
    : 'No line of the list is a pallet.';
  throw new ProblemError(
    refusal('validationFailed', detail, {
      errors: read.bad.slice(0, NAMED_MAXIMUM).map((bad) => ({
        field: `Line ${bad.line}`,
        code: 'validationFailed',
        message: bad.reason,
        rejectedValue: null,
      })),
    }),
  );
}

/** What would be made: with bad lines it is made without them, if somebody says so. */
function preview(made: Made): Question {
  const { pallets, bad } = palletsOf(made);
  const without = bad.length === 0 ? '' : ` without ${counted(bad.length, 'bad line')}`;
  return {
    title: `Create ${made.externalIdentifier} with ${counted(pallets.length, 'pallet')}?`,
    tally: [
      { count: pallets.length, word: 'Pallets', icon: 'check', tone: 'ok' },
      { count: bad.length, word: 'Bad lines', icon: 'warn', tone: 'warn' },
    ],
    named: [named('Bad lines', bad.map(lineOf)), named('Pallets', pallets)].filter(
      ({ names }) => names.length > 0,
    ),
    text: <p>{bad.length === 0 ? 'It is planned; nothing is loaded yet.' : 'Bad lines are left out.'}</p>,
    yes: `Create${without}`,
    no: 'Back',
    note: false,
  };
}

const counted = (count: number, of: string): string => `${count} ${of}${count === 1 ? '' : 's'}`;

const named = (heading: string, names: string[]) => ({
  heading,
  names: names.slice(0, NAMED_MAXIMUM),
  more: names.length > NAMED_MAXIMUM,
});

const lineOf = ({ line, text: written, reason }: BadLine): string =>
  `Line ${line}: ${reason}${written === '' ? '' : ` (${[...written].slice(0, REPEATED_MAXIMUM).join('')})`}`;
