import { symbolFields, zplStart } from '../printing-batch/sheet-zpl.ts';
import { zplInvocations } from './code128.ts';
import {
  type Captions,
  type LabelFonts,
  type LabelSize,
  laidLabel,
  type PlacedText,
  zplMedium,
} from './layout.ts';
import type { PalletLabel } from './store.ts';

/** How many labels are rendered before other requests of the isolate continue. */
const LABELS_A_PART = 20;
/** Position of the baseline in a line of font 0, as a multiple of its height. */
const BASELINE = 0.76;

/**
 * Labels of pallets as ZPL II, in pieces. Texts are measured with the document font. It is wider than font 0 of the
 * printer, so each text fits. `dpmm`: dots per millimetre of the printer.
 */
export async function* labelsZpl(
  labels: readonly PalletLabel[],
  { size, dpmm, captions }: { size: LabelSize; dpmm: number; captions: Captions },
  fonts: LabelFonts,
): AsyncGenerator<string> {
  const medium = zplMedium(size, dpmm);
  const dots = (millimetres: number): number => Math.round(millimetres * dpmm);
  for (let first = 0; first < labels.length; first += LABELS_A_PART) {
    yield labels
      .slice(first, first + LABELS_A_PART)
      .map((label) => {
        const { marker, bars, texts } = laidLabel(label, medium, fonts, captions);
        return [
          // Texts are in UTF-8 (^CI28).
          `${zplStart(dots(medium.width), dots(medium.height))}^CI28`,
          ...(marker
            ? symbolFields(marker.code, medium.markerModule, {
                left: dots(marker.left),
                top: dots(marker.top),
              })
            : []),
          ...(bars
            ? [
                `^FO${dots(bars.left)},${dots(bars.top)}^BY${dots(bars.module)}` +
                  `^BCN,${dots(bars.height)},N,N,N,N^FD${zplInvocations(bars.of)}^FS`,
              ]
            : []),
          ...texts.map((text) => textField(text, dots)),
          '^XZ\n',
        ].join('\n');
      })
      .join('');
  }
}

/** A line of text. ^FB aligns it within its width. */
function textField(
  { text, left, width, baseline, size, align }: PlacedText,
  dots: (length: number) => number,
): string {
  const height = dots(size);
  const justified = { left: 'L', center: 'C', right: 'R' }[align];
  return (
    `^FO${dots(left)},${Math.max(0, dots(baseline) - Math.round(BASELINE * height))}^A0N,${height},${height}` +
    `^FB${dots(width)},1,0,${justified}^FH_^FD${hexadecimal(text)}^FS`
  );
}

/** Text of a field with ^FH_: all bytes that ZPL could interpret are hexadecimal. */
const hexadecimal = (text: string): string =>
  text.replace(/[^A-Za-z0-9 .,:()/-]/gu, (sign) =>
    [...new TextEncoder().encode(sign)]
      .map((byte) => `_${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
