/** Our markers are QR codes. SSCC labels use the other two. */
const FORMATS = ['qr_code', 'code_128', 'data_matrix'];

/**
 * Returns a function that reads codes from a picture, as `{text, isSquare}`. `isSquare` is true for a QR
 * code. Uses the browser's own `BarcodeDetector` if it supports all formats. Otherwise loads zxing.
 * `attempt` is the number of failed attempts before.
 */
export async function detector(attempt) {
  return (await native()) ?? (await zxing(attempt));
}

async function native() {
  if (!('BarcodeDetector' in globalThis)) return undefined;
  try {
    const known = await BarcodeDetector.getSupportedFormats();
    if (!FORMATS.every((format) => known.includes(format))) return undefined;
    const reader = new BarcodeDetector({ formats: FORMATS });
    return async (canvas) =>
      (await reader.detect(canvas)).map(({ rawValue, format }) => ({
        text: rawValue,
        isSquare: format === 'qr_code',
      }));
  } catch {
    return undefined;
  }
}

async function zxing(attempt) {
  // A browser keeps the failure of an import, so each attempt has its own URL.
  const query = attempt === 0 ? '' : `?attempt=${attempt}`;
  const { prepareZXingModule, readBarcodes } = await import(`/assets/console/gate-reader.js${query}`);
  // The library would never repeat a failed load.
  const answer = await fetch('/assets/console/zxing/zxing_reader.wasm');
  if (!answer.ok) throw new Error(`no reader: ${answer.status}`);
  await prepareZXingModule({ overrides: { wasmBinary: await answer.arrayBuffer() }, fireImmediately: true });
  const options = { formats: ['QRCode', 'Code128', 'DataMatrix'], maxNumberOfSymbols: 8 };
  return async (canvas, context) => {
    const picture = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = await readBarcodes(picture, options);
    return found
      .filter(({ isValid }) => isValid)
      .map(({ text, format }) => ({ text, isSquare: format === 'QRCode' }));
  };
}
