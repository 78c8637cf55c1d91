import { write } from '../../../http/write.ts';
import { createPrintingBatch } from '../../../printing-batch/commands.ts';
import { printingBatchCreateSchema } from '../../../printing-batch/schema.ts';
import { LABEL_FORMATS } from '../../../printing-batch/table.ts';
import { Card } from '../../kit/components.tsx';
import type { ByUuid } from '../../kit/detail.tsx';
import { Field, Form, Select, Submit } from '../../kit/form.tsx';
import { type Action, action, asTyped } from '../../kit/page.tsx';

/** The form of a new printing batch, on the page of its scanner. */
export const printForm = () => (
  <Card title="New printing batch">
    <Form action="print" class="filters" label="New printing batch">
      <Field name="quantity" label="Labels" type="number" min={1} max={10_000} required />
      <Field name="externalIdentifier" label="External identifier" maxlength={255} />
      <Select
        name="labelFormat"
        label="Printed as"
        value="PDF"
        options={LABEL_FORMATS.map((value) => ({ value, label: value }))}
      />
      <Submit>Create and allocate codes</Submit>
    </Form>
  </Card>
);

const form = asTyped(printingBatchCreateSchema, ({ quantity, externalIdentifier, labelFormat }) => ({
  quantity: Number(quantity),
  externalIdentifier: externalIdentifier || null,
  labelFormat,
}));

/** What that form does. */
export function printingActions(): Record<string, Action> {
  return {
    print: action('changeOffice', form, async ({ c }, { uuid }: ByUuid, body) => {
      const written = await write(c, createPrintingBatch, {
        ...body,
        scannerUuid: uuid,
        externalIdentifier: body.externalIdentifier ?? null,
      });
      return { done: 'The batch is there.', to: `/app/printing-batch/${written.body.uuid}` };
    }),
  };
}
