import { z } from '@hono/zod-openapi';
import { input, list, text } from '../../core/http/schema.ts';
import { DOTS_FAULT, isDots } from '../../core/lib/dots.ts';
import { quoted } from '../../core/lib/missing.ts';
import { CUSTOM_FIELDS_MAXIMUM, KEY_LENGTH_MAXIMUM } from './rules.ts';

/** A custom field as the API shows it. */
export const customFieldOutSchema = z
  .object({ fieldKey: z.string(), fieldValue: z.string(), deepLink: z.url() })
  .openapi('CustomField');

/** One custom field of a request. A blank value removes the field. */
export const customFieldSchema = input(customFieldOutSchema, {
  fieldKey: text(1, KEY_LENGTH_MAXIMUM),
  fieldValue: text(0, 1_000).nullable().describe('A blank value removes the field'),
}).openapi('CustomFieldInput');

/** Custom fields of a request. Their keys are part of paths. */
export const customFieldsSchema = list(customFieldSchema, 0, CUSTOM_FIELDS_MAXIMUM).superRefine(
  (fields, context) => {
    const seen = new Set<string>();
    fields.forEach(({ fieldKey }, index) => {
      if (seen.has(fieldKey)) {
        context.addIssue({
          code: 'custom',
          path: [index, 'fieldKey'],
          message: `The key ${quoted(fieldKey)} is listed twice.`,
        });
      }
      seen.add(fieldKey);
    });
  },
);

/** Custom fields of something that the request creates. */
export const newCustomFieldsSchema = customFieldsSchema.superRefine((fields, context) => {
  fields.forEach(({ fieldKey }, index) => {
    if (isDots(fieldKey))
      context.addIssue({ code: 'custom', path: [index, 'fieldKey'], message: DOTS_FAULT });
  });
});
