import { z } from '@hono/zod-openapi';
import { text } from '../../../../core/http/schema.ts';
import { write } from '../../../../core/http/write.ts';
import { KEY_LENGTH_MAXIMUM } from '../../../../dispatch/custom-field/rules.ts';
import { putManifestField, replaceManifest } from '../../../../dispatch/load/manifest/commands.ts';
import { FACT_NAMES } from '../../../../dispatch/load/manifest/rules.ts';
import { givenFacts } from '../../../../dispatch/load/manifest/schema.ts';
import { type ActionContext, action } from '../../../ui/confirm/action.ts';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import { factLabel, fieldLabel } from '../../../ui/parts/field-labels.ts';

/** The name of the input in the form of one field. */
export const VALUE = 'fieldValue';
/** The longest value of a custom field in characters. */
export const VALUE_LENGTH = 1_000;

const fieldKey = text(1, KEY_LENGTH_MAXIMUM);

/** The actions at the facts of a manifest. */
export const fieldActions = {
  putField: action('operate', z.object({ fieldKey, [VALUE]: text(0, VALUE_LENGTH) }), setField),
  addField: action('operate', z.object({ fieldKey, [VALUE]: text(1, VALUE_LENGTH) }), setField),
  setFacts: action(
    'operate',
    z.object(givenFacts),
    async ({ c, words, submission }, { uuid }: ByUuid, facts) => {
      const others = { identifier: uuid, ifMatch: null, assets: null, customFields: null };
      await write(c, submission, replaceManifest, { ...others, ...facts });
      const set = FACT_NAMES.filter((name) => facts[name] !== undefined);
      return {
        done: words.t('load.fieldSet', { field: words.list(set.map((name) => factLabel(words, name))) }),
      };
    },
  ),
};

/** Set one field. A blank value removes it. */
async function setField(
  { c, words, submission }: ActionContext,
  { uuid }: ByUuid,
  { fieldKey: key, fieldValue: typed }: { fieldKey: string; fieldValue: string },
) {
  const fieldValue = typed.trim();
  await write(c, submission, putManifestField, { identifier: uuid, field: { fieldKey: key, fieldValue } });
  const field = fieldLabel(words, { fieldKey: key, role: null });
  return { done: words.t(fieldValue === '' ? 'load.fieldRemoved' : 'load.fieldSet', { field }) };
}
