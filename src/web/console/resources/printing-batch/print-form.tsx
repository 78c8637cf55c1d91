import type { FC } from 'hono/jsx';
import { write } from '../../../../core/http/write.ts';
import { createPrintingBatch } from '../../../../dispatch/printing-batch/commands.ts';
import { printingBatchCreateSchema } from '../../../../dispatch/printing-batch/schema.ts';
import { useWords } from '../../../../messages/context.ts';
import { action, asTyped } from '../../../ui/confirm/action.ts';
import { Field, Form, Select, Submit } from '../../../ui/form/form.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import { Card } from '../../../ui/parts/components.tsx';

/** The form of a new printing batch, on the page of its scanner. */
const PrintForm: FC = () => {
  const { t } = useWords();
  return (
    <Card title={t('batch.new')}>
      <Form<ReturnType<typeof printingActions>> action="print" class="filters" label={t('batch.new')}>
        <Field name="quantity" label={t('batch.labels')} type="number" />
        <Field name="externalIdentifier" label={t('batch.external')} />
        <Select name="labelFormat" label={t('batch.printedAs')} value="PDF" word={(value: string) => value} />
        <Submit>{t('batch.create')}</Submit>
      </Form>
    </Card>
  );
};

/** The same form, for code that calls functions instead of components. */
export const printForm = () => <PrintForm />;

const form = asTyped(printingBatchCreateSchema, ({ quantity, externalIdentifier, labelFormat }) => ({
  quantity: Number(quantity),
  externalIdentifier: externalIdentifier || null,
  labelFormat,
}));

/** The action of this form. */
export function printingActions() {
  return {
    print: action('changeOffice', form, async ({ c, words, submission }, { uuid }: ByUuid, body) => {
      const written = await write(c, submission, createPrintingBatch, {
        ...body,
        scannerUuid: uuid,
        externalIdentifier: body.externalIdentifier ?? null,
      });
      return { done: words.t('batch.made'), to: `/app/printing-batch/${written.body.uuid}` };
    }),
  };
}
