import { type Advances, drawnPieces, wrapped } from '../../core/lib/drawn-text.ts';
import type { LABEL_SIZES } from '../../core/writer/settings-table.ts';
import { ssccGroups, ssccOf } from '../../pallet/gs1.ts';
import { MODULES, QUIET_MODULES } from '../marker/symbol.ts';
import type { Paper } from '../printing-batch/layout.ts';
import { barWidths, type Coded, code128Of, isEncodable } from './code128.ts';
import type { PalletLabel } from './store.ts';

export type LabelSize = (typeof LABEL_SIZES)[number];

// Lengths are in millimetres, measured from the left and the top.

/** A page with a grid of labels. */
interface Sheet {
  page: { width: number; height: number };
  columns: number;
  rows: number;
  margin: { side: number; top: number; bottom: number };
}

/** A page with one label. It has no margin, because the label itself keeps its edge free. */
const single = (width: number, height: number): Sheet => ({
  page: { width, height },
  columns: 1,
  rows: 1,
  margin: { side: 0, top: 0, bottom: 0 },
});

/** Four labels on a page. The margins are the same as on the sheets of printing batches. */
const four = (width: number, height: number): Sheet => ({
  page: { width, height },
  columns: 2,
  rows: 2,
  margin: { side: 7.62, top: 10.16, bottom: 12.7 },
});

/** The paper for documents of an organization with this size of labels. Labels in inches are printed where paper is Letter. */
export const paperOf = (size: LabelSize | null): Paper =>
  size === 'LETTER' || size === 'INCH_4X6' ? 'LETTER' : 'A4';

/** The pages of each size: ISO 216 A6 and A4, 4 x 6 inches, and ANSI A (US Letter). */
export const SHEETS: Readonly<Record<LabelSize, Sheet>> = {
  A4: four(210, 297),
  LETTER: four(215.9, 279.4),
  A6: single(105, 148),
  INCH_4X6: single(101.6, 152.4),
};

/** The size of a label, and the grid of its printer. */
export interface Medium {
  width: number;
  height: number;
  /** Free space at each edge. */
  inset: number;
  /** Width of a dot. Modules and symbols are whole dots, so that all modules are equally wide. */
  dot: number;
  /** Width of a module of the marker, in dots. */
  markerModule: number;
  /** The largest width of a module of the barcode, in dots. It is about half a millimetre. */
  barModule: number;
}

/** Dots of PDFs: 300 dpi. A module of the marker is a tenth of an inch, as on the sheets of printing batches. */
const PDF_DOTS = { dot: 25.4 / 300, markerModule: 30, barModule: 6 };

export function pdfMedium(size: LabelSize): Medium {
  const { page, columns, rows, margin } = SHEETS[size];
  const width = (page.width - 2 * margin.side) / columns;
  const height = (page.height - margin.top - margin.bottom) / rows;
  return { width, height, inset: columns > 1 ? 2.54 : 4, ...PDF_DOTS };
}

/**
 * The label of a label printer with this many dots per millimetre. Such a printer has no sheets, so all sizes but 4 x 6
 * inches are A6. Its print head is 104 mm wide, so the label is 100 mm wide.
 */
export function zplMedium(size: LabelSize, dpmm: number): Medium {
  const [width, height] = size === 'INCH_4X6' ? [101, 152] : [100, 148];
  return { width, height, inset: 4, dot: 1 / dpmm, markerModule: 2.5 * dpmm, barModule: dpmm / 2 };
}

/** The space of the marker with its quiet zone. */
const markerSpace = ({ dot, markerModule }: Medium): number =>
  (MODULES + 2 * QUIET_MODULES) * markerModule * dot;

const ELLIPSIS = '…';

/** A text with its size. */
interface Fitted {
  text: string;
  size: number;
}

export function widthOf(text: string, advances: Advances): number {
  let width = 0;
  for (const character of text) width += advances.get(character.codePointAt(0)!) ?? 0;
  return width;
}

/** Fit a text into a line: shrink it down to a size, then cut it and end it with an ellipsis. */
function fitted(text: string, advances: Advances, width: number, [most, least]: [number, number]): Fitted {
  const pieces = drawnPieces(text, advances);
  const whole = pieces.join('');
  const size = Math.min(most, width / Math.max(widthOf(whole, advances), Number.EPSILON));
  if (size >= least) return { text: whole, size };
  return { text: shortened(pieces, advances, width / least), size: least };
}

/** The longest beginning of a text that fits into a width with an ellipsis. `width` is in units of the font size. */
function shortened(pieces: readonly string[], advances: Advances, width: number): string {
  let [text, used] = ['', widthOf(ELLIPSIS, advances)];
  for (const piece of pieces) {
    used += widthOf(piece, advances);
    if (used > width) break;
    text += piece;
  }
  return text.trimEnd() + ELLIPSIS;
}

/**
 * Fit a text into lines of a box, as large as possible. If it is too long at the smallest size, the last line ends with
 * an ellipsis. `line` is the height of a line as a multiple of the size.
 */
function fittedLines(
  text: string,
  advances: Advances,
  { width, height, line }: { width: number; height: number; line: number },
  [most, least]: [number, number],
): { lines: string[]; size: number } {
  for (let size = most; ; size = Math.max(least, size * 0.85)) {
    const lines = wrapped(text, advances, width / size);
    const room = Math.floor(height / (line * size));
    if (lines.length <= room) return { lines, size };
    if (size > least) continue;
    const last = shortened([...lines[room - 1]!, ...ELLIPSIS], advances, width / size);
    return { lines: [...lines.slice(0, room - 1), last], size };
  }
}

// Lengths are in millimetres, measured from the left and the top of the label.

/** The captions of a label in the language of its reader. */
export type Captions = Record<'gate' | 'manifest' | 'marker', string>;
type Font = 'regular' | 'bold';
export type LabelFonts = Readonly<Record<Font, { advances: Advances }>>;

/** A line of text. It fits into `width`, and its align is within that width. */
export interface PlacedText {
  text: string;
  left: number;
  width: number;
  baseline: number;
  size: number;
  font: Font;
  align: 'left' | 'center' | 'right';
}

/** Everything that a label shows. */
export interface LaidLabel {
  texts: PlacedText[];
  /** The left edge, the top and the module of the marker, without its quiet zone. Undefined without a marker. */
  marker: { left: number; top: number; module: number; code: number } | undefined;
  /**
   * The barcode without its quiet zones. Undefined if Code 128 cannot encode the id, or if its modules would be too
   * narrow to read.
   */
  bars: { left: number; top: number; height: number; module: number; of: Coded } | undefined;
}

/** Height of bars (GS1 General Specifications, section 5.4.3), unless the label is too short. */
const BAR_HEIGHT = 31.75;
/** The narrowest module of a barcode that common scanners read: 10 mil. */
const BAR_MODULE_LEAST = 0.25;
/** Quiet zone of Code 128 at each side, in modules (ISO/IEC 15417, section 4.4). */
const BAR_QUIET_MODULES = 10;
/** Space for the text below the bars, and the least space above the marker. */
const [TEXT_SPACE, HEAD_LEAST] = [5.5, 21];
/** Heights of a text above and below its baseline, as multiples of its size. */
const [ABOVE, BELOW] = [0.77, 0.24];
const LINE = 1.3;
/** Largest and smallest sizes of texts. */
const SIZES = {
  consignee: [5.5, 3],
  lastFour: [20, 4],
  fact: [4.4, 2.5],
  id: [4.4, 2.6],
  plainId: [7, 3],
} as const satisfies Record<string, [number, number]>;
const CAPTION_SIZE = 2.6;
/** Space between a caption and its value, and between them and the last four characters. */
const [CAPTION_GAP, GAP] = [1.2, 3];
const FACT_STEP_MOST = 7;

/** Lay out the label of a pallet. */
export function laidLabel(
  label: PalletLabel,
  medium: Medium,
  fonts: LabelFonts,
  captions: Captions,
): LaidLabel {
  const { width, height, inset, dot, markerModule } = medium;
  const onGrid = (length: number): number => Math.round(length / dot) * dot;
  const { markerCode } = label;
  const space = markerCode === null ? 0 : markerSpace(medium);
  const barHeight = Math.min(BAR_HEIGHT, height - 2 * inset - HEAD_LEAST - space - TEXT_SPACE);
  const bottom = height - inset;
  const barTop = onGrid(bottom - TEXT_SPACE - barHeight);
  const markerTop = barTop - space;
  const module = markerModule * dot;
  const size = MODULES * module;
  const inner = { left: inset, width: width - 2 * inset };
  const bars = barsOf(label.wmsId, inner, medium);
  return {
    texts: [
      ...headTexts(label, { ...inner, top: inset, height: markerTop - inset }, fonts, captions),
      ...(bars
        ? [idText(label.wmsId, inner, bottom, fonts)]
        : plainId(label.wmsId, { ...inner, top: barTop, height: bottom - barTop }, fonts)),
    ],
    marker:
      markerCode === null
        ? undefined
        : {
            left: onGrid((width - size) / 2),
            top: onGrid(markerTop + QUIET_MODULES * module),
            module,
            code: markerCode,
          },
    bars: bars && { ...bars, left: onGrid(bars.left), top: barTop, height: barHeight },
  };
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Consignee, gate, manifest and marker code, with the last four characters of the id beside them. */
function headTexts(
  label: PalletLabel,
  { left, top, width, height }: Box,
  fonts: LabelFonts,
  captions: Captions,
): PlacedText[] {
  const { bold } = fonts;
  const firstLine = SIZES.consignee[0] * (ABOVE + BELOW);
  const rest = { left, top: top + firstLine, width, height: height - firstLine };
  const most = Math.min(SIZES.lastFour[0], rest.height / (ABOVE + BELOW));
  const lastFour = {
    ...fitted([...label.wmsId].slice(-4).join(''), bold.advances, width / 2, [most, SIZES.lastFour[1]]),
    font: 'bold' as const,
  };
  const lastFourWidth = widthOf(lastFour.text, bold.advances) * lastFour.size;
  return [
    ...(label.consignee === null
      ? []
      : [
          boldLine(
            label.consignee,
            { left, width, baseline: top + SIZES.consignee[0] * ABOVE },
            fonts,
            'consignee',
          ),
        ]),
    {
      ...lastFour,
      left: left + width / 2,
      width: width / 2,
      baseline: top + height - BELOW * lastFour.size,
      align: 'right',
    },
    ...factTexts(label, { ...rest, width: width - lastFourWidth - GAP }, fonts, captions),
  ];
}

/** Gate, manifest and marker code below each other, each with its caption. */
function factTexts(
  { gate, manifest, markerCode }: PalletLabel,
  { left, top, width, height }: Box,
  fonts: LabelFonts,
  captions: Captions,
): PlacedText[] {
  const facts: [caption: string, value: string | null][] = [
    [captions.gate, gate],
    [captions.manifest, manifest],
    [captions.marker, markerCode === null ? null : String(markerCode)],
  ];
  const step = Math.min(height / facts.length, FACT_STEP_MOST);
  return facts
    .flatMap(([caption, value]) => (value === null ? [] : [{ caption, value }]))
    .flatMap(({ caption, value }, index): PlacedText[] => {
      const baseline = top + step * (index + 1) - BELOW * SIZES.fact[0];
      const captionWidth = widthOf(caption, fonts.regular.advances) * CAPTION_SIZE;
      const taken = captionWidth + CAPTION_GAP;
      return [
        {
          text: caption,
          left,
          width: captionWidth,
          baseline,
          size: CAPTION_SIZE,
          font: 'regular',
          align: 'left',
        },
        boldLine(value, { left: left + taken, width: width - taken, baseline }, fonts, 'fact'),
      ];
    });
}

const boldLine = (
  text: string,
  at: Pick<PlacedText, 'left' | 'width' | 'baseline'>,
  { bold }: LabelFonts,
  kind: keyof typeof SIZES,
): PlacedText => ({
  ...fitted(text, bold.advances, at.width, SIZES[kind]),
  ...at,
  font: 'bold',
  align: 'left',
});

/** The barcode of an id: GS1-128 with the application identifier 00 for an SSCC, otherwise Code 128. */
function barsOf(wmsId: string, { left, width }: Pick<Box, 'left' | 'width'>, { dot, barModule }: Medium) {
  const sscc = ssccOf(wmsId);
  if (sscc === undefined && !isEncodable(wmsId)) return undefined;
  const of = sscc === undefined ? code128Of(wmsId) : code128Of(`00${sscc}`, true);
  const modules = barWidths(of).reduce((sum, one) => sum + one, 0);
  const dots = Math.min(barModule, Math.floor(width / dot / (modules + 2 * BAR_QUIET_MODULES)));
  const module = dots * dot;
  if (module < BAR_MODULE_LEAST) return undefined;
  return { left: left + (width - modules * module) / 2, module, of };
}

/** The id as people read it: an SSCC with its application identifier, in the groups of all pages. */
const readable = (wmsId: string): string => {
  const sscc = ssccOf(wmsId);
  return sscc === undefined ? wmsId : `(00) ${ssccGroups(sscc)!.join(' ')}`;
};

/** The id below its barcode. */
const idText = (
  wmsId: string,
  at: Pick<Box, 'left' | 'width'>,
  bottom: number,
  { bold }: LabelFonts,
): PlacedText => ({
  ...fitted(readable(wmsId), bold.advances, at.width, SIZES.id),
  ...at,
  baseline: bottom - BELOW * SIZES.id[0],
  font: 'bold',
  align: 'center',
});

/** The id in place of a barcode. */
function plainId(wmsId: string, box: Box, { bold }: LabelFonts): PlacedText[] {
  const { lines, size } = fittedLines(wmsId, bold.advances, { ...box, line: LINE }, SIZES.plainId);
  return lines.map((text, index) => ({
    text: text.trimEnd(),
    left: box.left,
    width: box.width,
    baseline: box.top + size * (ABOVE + index * LINE),
    size,
    font: 'bold',
    align: 'center',
  }));
}
