import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { text } from '../../../../core/http/schema.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { refusal } from '../../../../core/lib/problem.ts';
import { createManifest } from '../../../../dispatch/manifest/commands.ts';
import { ASSETS_MAXIMUM } from '../../../../dispatch/manifest/rules.ts';
import type { Words } from '../../../../messages/words.ts';
import { action } from '../../kit/action.ts';
import { Card } from '../../kit/components.tsx';
import type { Confirmation } from '../../kit/confirmation.tsx';
import { Field, Form, Submit, TextArea } from '../../kit/form.tsx';
import { GateField, gatesQuery } from '../../kit/gates.tsx';
import { TranslatedError } from '../../kit/language.ts';
import { page } from '../../kit/page.tsx';
import { type BadLine, LINES_MAXIMUM, readPallets } from './pallet-lines.ts';

/** The maximum number of pallets and bad lines that are named before a manifest is created. */
const NAMED_MAXIMUM = 20;
/**
 * Room for 5,000 pallets in a file with many columns. A form encodes most special characters with
 * three bytes.
 */
const FORM_BYTES_MAXIMUM = 5 * 1024 * 1024;
/** The maximum number of characters of a bad line that are repeated. */
const REPEATED_MAXIMUM = 40;

const form = z.object({
  externalIdentifier: text(1, 255),
  gate: text(0, 255).default(''),
  pallets: z.string().default(''),
});
type Made = z.output<typeof form>;

const actions = {
  create: action(
    'operate',
    form,
    async ({ c, words, submission }, _: object, made) => {
      const { body } = await write(c, submission, createManifest, {
        externalIdentifier: made.externalIdentifier,
        manifestStatus: 'PLANNED',
        gateExternalId: made.gate || null,
        customFields: [],
        assets: palletsOf(words, made).pallets,
      });
      return {
        done: words.t('make.manifestPlanned', { name: made.externalIdentifier }),
        to: `/app/manifest/${body.uuid}`,
      };
    },
    ({ words }, _, made) => preview(words, made),
  ),
};

/** The page that creates a manifest from a list of pallets: pasted text or a CSV file. */
export function newManifestPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/manifest/new',
    formBytesMaximum: FORM_BYTES_MAXIMUM,
    right: 'operate',
    async view({ database, words: { t } }) {
      const gates = await database.all(gatesQuery(database));
      return {
        title: t('make.manifest'),
        scripts: ['list-file.js'],
        styles: ['records.css'],
        body: (
          <Card title={t('make.toLoad')}>
            <Form<typeof actions> action="create" class="making" label={t('make.manifest')}>
              <Field name="externalIdentifier" label={t('make.manifestId')} maxlength={255} required />
              <GateField gates={gates} none={t('desk.noneYet')} />
              <p class="file" hidden>
                <label for="list-file">{t('make.fromFile')}</label>
                <input
                  type="file"
                  id="list-file"
                  accept=".csv,.txt,text/csv,text/plain"
                  data-into="create-pallets"
                />
              </p>
              <TextArea
                name="pallets"
                label={t('page.pallets')}
                rows={12}
                hint={t('make.palletsHint', { count: ASSETS_MAXIMUM })}
              />
              <Submit>{t('make.look')}</Submit>
            </Form>
          </Card>
        ),
      };
    },
    actions,
  });
}

/**
 * Refuse a list without pallets or with too many.
 * @throws 400
 */
function palletsOf(words: Words, { pallets: typed }: Made): ReturnType<typeof readPallets> {
  const { t } = words;
  const read = readPallets(typed, words);
  const tooMany = read.pallets.length > ASSETS_MAXIMUM;
  if (!read.isTooLong && !tooMany && (read.pallets.length > 0 || read.bad.length === 0)) return read;
  const detail = read.isTooLong
    ? t('make.tooLong', { most: String(LINES_MAXIMUM) })
    : tooMany
      ? t('make.tooMany', { count: String(read.pallets.length), most: String(ASSETS_MAXIMUM) })
      : t('make.noLine');
  throw new TranslatedError(
    refusal('validationFailed', detail, {
      errors: read.bad.slice(0, NAMED_MAXIMUM).map((bad) => ({
        field: t('make.line', { line: String(bad.line) }),
        code: 'validationFailed',
        message: bad.reason(),
        rejectedValue: null,
      })),
    }),
  );
}

/** The question before a manifest is created. If the user confirms, bad lines are left out. */
function preview(words: Words, made: Made): Confirmation {
  const { t } = words;
  const { pallets, bad } = palletsOf(words, made);
  const [count, name] = [pallets.length, made.externalIdentifier];
  return {
    title: t('make.question', { name, count, pallets: String(count) }),
    tally: [
      { count, word: t('page.pallets'), icon: 'check', tone: 'ok' },
      { count: bad.length, word: t('make.badLines'), icon: 'warn', tone: 'warn' },
    ],
    named: [
      named(t('make.badLines'), bad, (line) => lineOf(words, line)),
      named(t('page.pallets'), pallets, (pallet) => pallet),
    ].filter(({ names }) => names.length > 0),
    text: <p>{t(bad.length === 0 ? 'make.nothingLoaded' : 'make.leftOut')}</p>,
    yes: bad.length === 0 ? t('make.create') : t('make.createWithout', { count: bad.length }),
    no: t('make.cancel'),
    note: false,
  };
}

const named = <T,>(heading: string, things: readonly T[], nameOf: (thing: T) => string) => ({
  heading,
  names: things.slice(0, NAMED_MAXIMUM).map(nameOf),
  more: things.length > NAMED_MAXIMUM,
});

const lineOf = ({ t }: Words, { line, text: written, reason }: BadLine): string =>
  `${t('make.lineOf', { line: String(line), reason: reason() })}${written === '' ? '' : ` (${[...written].slice(0, REPEATED_MAXIMUM).join('')})`}`;
