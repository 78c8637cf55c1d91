/** Draws the golden documents and prints their SHA-256 as JSON. `startup.test.ts` runs it, bundled as the Worker is. */
import { createHash } from 'node:crypto';
import { pdfSheet } from '../../../src/dispatch/printing-batch/sheet.ts';
import { digestOf } from '../../../src/web/pages/proof-data.ts';
import { proofPdf } from '../../../src/web/pages/proof-pdf.ts';
import { GOLDEN_SHEET } from '../../unit/dispatch/printing-batch/sheets.ts';
import { FONTS } from '../../unit/web/pages/fonts.ts';
import { GOLDEN_DATA, GOLDEN_LINKS, GOLDEN_TELLING, joined } from '../../unit/web/pages/proofs.ts';

const hashOf = async (parts: AsyncIterable<Uint8Array>): Promise<string> =>
  createHash('sha256')
    .update(await joined(parts))
    .digest('hex');

const { digest } = digestOf(GOLDEN_DATA);
const hashes = {
  proof: await hashOf(await proofPdf(GOLDEN_DATA, digest, GOLDEN_LINKS, GOLDEN_TELLING, FONTS)),
  sheet: await hashOf(await pdfSheet(GOLDEN_SHEET, 'A4')),
};
console.log(JSON.stringify(hashes));
