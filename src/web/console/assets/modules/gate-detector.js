/** Our markers are QR codes. SSCC labels use the other two. */
const FORMATS = ['qr_code', 'code_128', 'data_matrix'];

/**
 * Returns a function that reads codes from a picture, as `{text, isSquare}`. `isSquare` is true for a QR
 * code. Uses the browser's own `BarcodeDetector` if it supports all formats. Otherwise loads zxing.
 */
export async function detector() {
  return (await native()) ?? (await zxing());
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

async function zxing() {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader');
  await prepareZXingModule({
    overrides: { locateFile: () => '/assets/console/zxing/zxing_reader.wasm' },
    fireImmediately: true,
  });
  const options = { formats: ['QRCode', 'Code128', 'DataMatrix'], maxNumberOfSymbols: 8 };
  return async (canvas, context) => {
    const picture = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = await readBarcodes(picture, options);
    return found
      .filter(({ isValid }) => isValid)
      .map(({ text, format }) => ({ text, isSquare: format === 'QRCode' }));
  };
}
