import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { text } from '../../../../core/http/schema.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { createManifest } from '../../../../dispatch/manifest/commands.ts';
import { ASSETS_MAXIMUM } from '../../../../dispatch/manifest/rules.ts';
import { LANGUAGES } from '../../../../messages/languages.ts';
import { action } from '../../kit/action.ts';
import { Card } from '../../kit/components.tsx';
import { Field, FileField, Form, Submit, TextArea } from '../../kit/form.tsx';
import { GateField, gatesQuery } from '../../kit/gates.tsx';
import { page } from '../../kit/page.tsx';
import { ACCEPTED, fileValues } from '../../pallet-list/file.ts';
import { ColumnField, listFields, palletsOf, preview } from '../../pallet-list/preview.tsx';

/**
 * The largest form in bytes: room for 5,000 pallets in a file with many columns.
 */
const FORM_BYTES_MAXIMUM = 5 * 1024 * 1024;

const form = z.object({
  externalIdentifier: text(1, 255),
  gate: text(0, 255).default(''),
  ...listFields,
});

const actions = {
  create: action(
    'operate',
    form,
    async (at, _: object, made) => {
      const { c, words, submission } = at;
      const { body } = await write(c, submission, createManifest, {
        externalIdentifier: made.externalIdentifier,
        manifestStatus: 'PLANNED',
        gateExternalId: made.gate || null,
        customFields: [],
        assets: (await palletsOf(at, made)).pallets,
      });
      return {
        done: words.t('make.manifestPlanned', { name: made.externalIdentifier }),
        to: `/app/manifest/${body.uuid}`,
      };
    },
    (at, _, made) => preview(at, made),
  ),
};

/** The page that creates a manifest from a list of pallets: pasted text or a file. */
export function newManifestPage(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/manifest/new',
    formBytesMaximum: FORM_BYTES_MAXIMUM,
    right: 'operate',
    languages: LANGUAGES,
    files: { file: ({ words }, bytes) => fileValues(words, bytes) },
    async view({ database, words: { t } }) {
      const gates = await database.all(gatesQuery(database));
      return {
        title: t('make.manifest'),
        styles: ['records.css'],
        body: (
          <Card title={t('make.toLoad')}>
            <Form<typeof actions> action="create" class="making" label={t('make.manifest')} multipart>
              <Field name="externalIdentifier" label={t('make.manifestId')} maxlength={255} required />
              <GateField gates={gates} none={t('desk.noneYet')} />
              <FileField name="file" label={t('make.fromFile')} hint={t('make.fileHint')} accept={ACCEPTED} />
              <TextArea
                name="pallets"
                label={t('page.pallets')}
                rows={12}
                hint={t('make.palletsHint', { count: ASSETS_MAXIMUM })}
              />
              <ColumnField />
              <Submit>{t('make.look')}</Submit>
            </Form>
          </Card>
        ),
      };
    },
    actions,
  });
}
