import { fontsOf } from '../../core/http/document-fonts.ts';
import { enterToDraw, streamedInTurns } from '../../core/http/permit.ts';
import { type AppContext, principalOf } from '../../core/http/types.ts';
import { languageOf } from '../../messages/chosen.ts';
import { documentWordsIn } from '../../messages/load.ts';
import type { Resolution } from '../printing-batch/rules.ts';
import { labelsPdf } from './label-pdf.ts';
import { labelsZpl } from './label-zpl.ts';
import type { LabelSize } from './layout.ts';
import type { PalletLabel } from './store.ts';

/** How to print labels. Without a size, the setting of the organization applies. */
interface LabelForm {
  format: 'PDF' | 'ZPL';
  size?: LabelSize | undefined;
  dpmm?: Resolution;
}

/** Answer with labels of pallets. Captions are in the language of the reader. */
export async function answerLabels(
  c: AppContext,
  labels: readonly PalletLabel[],
  { format, size = principalOf(c).organization.labelSize, dpmm = 8 }: LabelForm,
): Promise<Response> {
  const language = languageOf(c);
  const { t } = await documentWordsIn(c, language);
  const captions = { gate: t('page.gate'), manifest: t('kind.MANIFEST'), marker: t('page.marker') };
  const fonts = await fontsOf(c);
  const [type, extension] = format === 'ZPL' ? ['application/zpl', 'zpl'] : ['application/pdf', 'pdf'];
  const title = t('label.title');
  const parts = (): AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<Uint8Array>> =>
    format === 'ZPL'
      ? labelsZpl(labels, { size, dpmm, captions }, fonts)
      : labelsPdf(labels, { size, title, language, date: Date.now(), captions }, fonts);
  await enterToDraw(c, labels.length);
  return c.body(await streamedInTurns(c, parts), 200, {
    'Content-Type': type,
    'Content-Disposition': `inline; filename="labels.${extension}"`,
    'Cache-Control': 'no-store',
  });
}
