import type PdfDocument from 'pdfkit';
import { SIGNATURE_BOX, type Stroke } from '../../dispatch/load/shared/signature-rules.ts';
import { columnsOf, type Telling, tableRow, timeOf } from './proof-columns.ts';
import type { ProofData } from './proof-data.ts';
import { type Fonts, type Picture, type ProofRow, rowOf, withPicture } from './proof-layout.ts';
import { signedTexts } from './signed-words.ts';

const COLUMNS = columnsOf(72, 110, 185, 148);
const HEADS = ['proof.role', 'proof.signer', 'proof.signedOn', 'proof.signature'] as const;
/** Size of a drawn signature in points. Its box has the same proportions. */
const [WIDTH, HEIGHT] = [130, 52];
/** Width of a line in the units of the box. */
const PEN_WIDTH = 8;

/** A table of the signatures. Superseded signatures have no drawing. */
export function* signatureRows(data: ProofData, telling: Telling, fonts: Fonts): Generator<ProofRow> {
  const { signatures, previousDigest } = data;
  if (!signatures) return;
  const { t } = telling.words;
  const now = factsOf(data);
  yield rowOf('H2', 14, [{ text: t('page.signatures'), font: 'bold', size: 10 }], fonts);
  const heads = HEADS.map((key) => t(key));
  yield tableRow('TH', COLUMNS, heads, fonts);
  for (const signature of signatures) {
    const { role, name, signDate, superseded, strokes } = signature;
    const covered = signedTexts(telling.words, signature, now, (date) => timeOf(telling, date));
    const texts = [t(`signer.${role}`), name, [timeOf(telling, signDate), ...covered].join(' ')];
    if (superseded) {
      yield tableRow('TR', COLUMNS, [...texts, t('page.superseded')], fonts);
      continue;
    }
    const row = tableRow('TR', COLUMNS, [...texts, ''], fonts, [1]);
    const left = COLUMNS.at(-1)!.left;
    yield withPicture(row, {
      left,
      width: WIDTH,
      height: HEIGHT,
      alt: t('proof.signatureOf', { name }),
      of: { strokes },
    });
  }
  if (previousDigest) {
    yield rowOf('P', 4, [{ text: t('proof.previous', { digest: previousDigest }), size: 8 }], fonts);
  }
}

const NO_TRANSPORT = { carrier: null, vehicle: null, seal: null, plannedDepartureDate: null };

/** The present facts that signatures cover. */
const factsOf = ({ counts, transport = NO_TRANSPORT }: ProofData) => ({
  ...transport,
  loadedAssetsCount: counts.loadedAssetsCount,
  totalAssetsCount: counts.totalAssetsCount,
  invalidCount: counts.wronglyLoadedCount + counts.unknownLoadingCount,
});

/** Draw the lines of a signature as vectors, in one path. */
export function drawStrokes(
  document: PdfDocument,
  { left, width }: Picture,
  strokes: readonly Stroke[],
  top: number,
): void {
  const scale = (width / SIGNATURE_BOX.width).toFixed(4);
  const at = ([x, y]: readonly [number, number]) => `${Number(x.toFixed(1))} ${Number(y.toFixed(1))}`;
  const lines = strokes.map((stroke) => {
    const [first, ...rest] = stroke.map(at);
    // A line to its own beginning is a dot.
    return [`${first} m`, ...(rest.length > 0 ? rest : [first]).map((point) => `${point} l`)].join(' ');
  });
  const origin = `${scale} 0 0 ${scale} ${left.toFixed(2)} ${top.toFixed(2)} cm`;
  document.addContent(['q', '0 G 1 J 1 j', origin, `${PEN_WIDTH} w`, ...lines, 'S', 'Q'].join('\n'));
}
